"""Training of the network that decides which sides of maze tiles are open, on pictures of random boards."""
