"""The events and routes of each game, one package per game."""
