"""Personal boards in a picture: where they lie, what lies on them and beside them."""
