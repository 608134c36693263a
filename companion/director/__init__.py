"""The director of the simulated table: bots play a game as scenes for the camera, and tap as players do.

It has what the game hides, such as the order of the piles and what each bot shows. The readers get frames only.
"""
