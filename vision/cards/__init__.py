"""Readers of cards: every enrolled card anywhere on a table."""
