"""Training of the network that detects tokens (discs), wizards and start rings in a maze of any design."""
