"""What is evaluated: held-out synthetic sessions, tables with boards or cards, and folders of external pictures."""
