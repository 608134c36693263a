"""Sources of quadrilaterals that may be the board or its field, each by another cue."""
