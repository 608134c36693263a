"""Moves as text: for journals and tests, and as sentences."""
