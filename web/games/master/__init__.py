"""What Master Labyrinth adds to the web server."""
