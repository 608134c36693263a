"""Art of the printable stand-in of Master Labyrinth, and other looks of mazes."""
