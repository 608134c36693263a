"""Training of the network that looks at single places of the maze and finds the wizards on them."""
