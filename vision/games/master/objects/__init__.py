"""Reads what is on the tiles: discs (the tokens), wizards and the printed start rings."""
