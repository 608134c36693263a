"""A second renderer: path-traced hands (Blender's Cycles), with pieces placed by rigid-body physics."""
