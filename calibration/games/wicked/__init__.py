"""The Wicked Labyrinth: its kinds of pieces, its deck and the art of its stand-in set."""
