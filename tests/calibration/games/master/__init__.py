"""Master Labyrinth: kit, art and sheets."""
