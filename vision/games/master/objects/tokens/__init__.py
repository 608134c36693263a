"""Reads the discs on the board: finds circles, compares them with the tokens' faces and assigns numbers."""
