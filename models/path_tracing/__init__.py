"""A second renderer, Blender's Cycles: path-traced hands with pieces dropped by physics, and path-traced mazes."""
