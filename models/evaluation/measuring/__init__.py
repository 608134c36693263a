"""Measurements: run the companion's commands and readers on pictures, and compare readings with ground truth."""
