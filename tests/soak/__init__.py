"""Soak tests of the served companion: floods, many screens, kills and a long game: `make soak`."""
