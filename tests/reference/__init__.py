"""Slow, plain reference implementations, written from the rules pages alone."""
