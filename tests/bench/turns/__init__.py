"""Benchmarks of reading turns of Master Labyrinth."""
