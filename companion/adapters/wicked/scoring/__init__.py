"""Scores games that were played without the companion, from pictures of their boards or by hand."""
