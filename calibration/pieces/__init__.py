"""Enrolment of pieces: specimens segmented in pictures, and the appearance of each kind."""
