"""Evaluation of reading hands: by ground, by disturbance, by seating, on photographs, and by piece."""
