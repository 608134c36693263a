"""Proposals and findings: what readings mean, as plain values of any game."""
