"""Final scores of a game that was played without the companion, from its boards."""
