"""Reads the frames of a running table's camera: which frames, what is read in them, and in which thread."""
