"""Evaluation of maze reading on synthetic pictures."""
