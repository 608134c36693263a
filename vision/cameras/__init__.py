"""Camera sources of frames."""
