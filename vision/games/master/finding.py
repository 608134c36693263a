"""Finding the field."""

STRIDE = 4
"""Px of the input per cell of the output."""
CHANNELS = 4
"""Corners of the field, field, lattice points, spare."""
INPUT_WIDTH, INPUT_HEIGHT = 384, 288
"""Size of the input in training, px."""
PADDING = 1 / 12
"""Width of the black border in which corners outside the picture are found, fraction of each side."""
RECTIFIED_PX = 256
"""Side of the second pass's input, px."""
