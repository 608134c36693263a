"""Personal boards in a game: what the camera reads on them, compared with the journal."""
