"""From camera frames to readings: cameras, readers and stability over frames. Knows no rules."""
