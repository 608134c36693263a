"""Camera frames to readings: cameras, readers, health checks and stability over frames; free of game rules."""
