"""Reconstructs the turn that was played from the board before it and readings of the board after it."""
