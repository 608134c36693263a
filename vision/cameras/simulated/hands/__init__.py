"""Hands of the simulated table: arms, dress, pieces in palms, and their light."""
