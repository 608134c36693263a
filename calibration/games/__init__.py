"""What each game adds to calibration, one package per game."""
