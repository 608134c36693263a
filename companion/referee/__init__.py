"""Weighs readings by the rules: probabilities of legal moves, and what a proposal is. Pure functions."""
