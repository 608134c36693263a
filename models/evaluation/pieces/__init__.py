"""Evaluation of enrolling and counting loose pieces: rendered tables, and photographs by others."""
