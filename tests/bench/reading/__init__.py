"""Benchmarks of reading pictures and watching a table."""
