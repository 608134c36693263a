"""Master Labyrinth: what is in the box, as the camera and the printer need it."""
