"""Hands of the simulated table: arms, what people wear, pieces in palms, shadows and relighting."""
