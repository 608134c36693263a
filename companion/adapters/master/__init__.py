"""What connects Master Labyrinth to its table: entered by hand so far."""
