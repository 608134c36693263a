"""Readers of Master Labyrinth: tiles, spare, tokens and wizards from one picture, without a calibration sheet."""
