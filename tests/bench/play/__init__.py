"""Benchmarks of rules, advice and whole games."""
