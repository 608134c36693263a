"""Checks of words and documents that `make check` runs: `python -m tests.checks`. Nothing here is a test."""
