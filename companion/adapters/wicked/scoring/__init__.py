"""Final scores of boards whose game was not tracked."""
