"""Moves typed data between any two places with nothing in between."""
