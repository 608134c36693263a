"""Counts loose pieces on a table."""
