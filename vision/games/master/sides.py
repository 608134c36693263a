"""Network that maps the sides of tiles to points that can be compared within one picture."""

DIMENSIONS = 16
"""Dimensions of a side's point."""
COVERED = 4 * (DIMENSIONS + 1)
"""Channel: logit that the tile is covered."""
SHIFTED = COVERED + 1
"""Channels: logits that the tile's row or column is half pushed in."""
CHANNELS = SHIFTED + 2
"""Output channels."""
