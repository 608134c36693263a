"""Training of the small network that tells open hands from fists."""
