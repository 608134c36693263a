"""Pictures of the 21 ingredients, each drawn round (0, 0) inside a circle of radius 8."""
