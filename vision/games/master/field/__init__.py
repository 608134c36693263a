"""Finds the 7 × 7 field in a picture and reads the sides of its tiles and of the spare."""
