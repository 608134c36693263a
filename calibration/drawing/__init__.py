"""Drawing in millimetres: pen, palette, seeded choice, mazes, raster."""
