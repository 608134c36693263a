"""Master Labyrinth: its kit, its art and its printable sheets."""
