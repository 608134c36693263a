"""Adapter of Master Labyrinth: turns readings of the board into proposed moves."""
