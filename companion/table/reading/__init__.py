"""From frames to readings: when a running table reads, and what."""
