"""Players without a person: random, greedy, and guided by the adviser."""
