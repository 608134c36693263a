"""The bots of the simulated table: choices, scenes, and how they play soul phases."""
