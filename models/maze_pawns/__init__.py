"""Training of the network that detects wizards in crops of single places of the maze."""
