"""Computes the best turns, what is likely to follow, missed turns, and the turns of bots."""
