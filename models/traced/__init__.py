"""A second renderer: hands rendered by path tracing (Blender's Cycles), things in them fallen by its physics."""
