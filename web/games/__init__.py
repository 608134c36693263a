"""What each game adds to the server, one package per game."""
