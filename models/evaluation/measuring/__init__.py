"""Measuring: runs the companion's commands and readers on pictures, in parallel processes."""
