"""Bots: computer players that move at random, greedily, or by the adviser."""
