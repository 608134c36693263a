"""Training of the network that compares the sides of the maze, on boards of random looks."""
