"""Counters of loose pieces on a table, by kind."""
