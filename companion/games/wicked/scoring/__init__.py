"""Points, final scores and statistics of a game. Pure."""
