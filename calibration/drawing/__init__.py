"""Drawing in millimetres: pen, palette, seeded choice, labyrinths, raster."""
