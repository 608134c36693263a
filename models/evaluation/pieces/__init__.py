"""Evaluation of enrolling kinds of pieces and of counting loose pieces, on rendered tables."""
