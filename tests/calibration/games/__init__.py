"""Kits, art and sheets of single games."""
