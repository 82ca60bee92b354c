"""The games' engines."""
