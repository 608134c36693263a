"""The Wicked Labyrinth: its ring of corridors, its boards and their readings, and how its table is laid."""
