"""Bots of Master Labyrinth at the simulated table."""
