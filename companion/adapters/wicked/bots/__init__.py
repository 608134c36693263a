"""The bots of the simulated table: what they choose, and what then lies on the table."""
