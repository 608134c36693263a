"""The exact best turn, pair of turns with a wand, and turn against the next reply."""
