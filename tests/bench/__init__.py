"""Benchmarks: `make bench` prints the figures that the README states. Nothing here is a test."""
