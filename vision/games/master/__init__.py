"""Reads the board of Master Labyrinth: tiles, spare, tokens and wizards, from one picture without a sheet."""
