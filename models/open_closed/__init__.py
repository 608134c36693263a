"""Training of the open/closed classifier of hands."""
