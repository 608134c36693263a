"""The director of the simulated table: bots act a game out as scenes for the camera and tap like players do.

It knows what is hidden: how the piles lie and what each bot reveals. The reading side gets frames only.
"""
