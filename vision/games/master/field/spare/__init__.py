"""Reads the spare tile beside the board, and computes how certain it is."""
