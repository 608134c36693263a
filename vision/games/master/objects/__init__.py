"""Finds what lies and stands on the tiles: tokens, wizards and start rings."""
