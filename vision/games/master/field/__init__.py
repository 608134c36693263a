"""Finds the field, which is the 7 × 7 tiles of the board, in a picture, and reads its tiles and the spare."""
