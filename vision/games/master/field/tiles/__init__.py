"""Reads the tiles of a rectified field: which sides are open, which shapes they have, which are not the game's."""
