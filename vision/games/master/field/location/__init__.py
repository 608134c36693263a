"""Locates the board in a picture: tests possible fields by the colours of the known sides, finds a second board."""
