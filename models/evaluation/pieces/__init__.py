"""Evaluation of enrolling and counting loose pieces on rendered tables."""
