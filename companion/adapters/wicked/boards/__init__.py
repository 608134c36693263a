"""Personal boards: compares what the camera reads on them with the journal, and scores them."""
