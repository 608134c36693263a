"""Training of the network that detects discs, wizards and start rings on the maze, whatever their look."""
