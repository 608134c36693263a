"""Adapters between games and the running table, one package per game."""
