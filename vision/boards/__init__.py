"""Personal boards in a picture: their positions, what lies on them and beside them."""
