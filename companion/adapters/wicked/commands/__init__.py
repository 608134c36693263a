"""Commands of The Wicked Labyrinth."""
