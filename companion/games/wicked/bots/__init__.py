"""Bots: computer players that move at random or by the adviser."""
