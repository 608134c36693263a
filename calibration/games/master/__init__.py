<<<<<<< HEAD
"""Master Labyrinth: what is in the box, as the camera and the printer need it."""
=======
"""Master Labyrinth: its kit, its art and its printable sheets."""
>>>>>>> sheets
