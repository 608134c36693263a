"""Master Labyrinth's routes: drawings, and the turns that players missed."""
