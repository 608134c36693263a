"""Moves and pieces of the game as text: sentences for people, one-line notation for tests."""
