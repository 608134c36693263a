"""Saved games, their moves, and corrections of earlier ones."""
