"""Floods, many screens, kills and a long game against a companion in a process of its own: `make soak`."""
