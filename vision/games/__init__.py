"""What each game adds to vision, one package per game."""
