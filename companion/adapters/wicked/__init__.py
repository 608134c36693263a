"""The Wicked Labyrinth at the table: from readings to moves, and what screens show of it."""
