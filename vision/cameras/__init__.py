"""Cameras: whatever hands out frames. A reader gets frames and nothing else."""
