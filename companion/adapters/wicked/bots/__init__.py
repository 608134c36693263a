"""What the simulated table's bots do: their choices, scenes and soul phase."""
