"""Training of the open/closed classifier, which decides whether a detected hand is open."""
