"""Searches over any game."""
