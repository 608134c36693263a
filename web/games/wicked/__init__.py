"""The Wicked Labyrinth on the server: advice, boards, scoring and drawings."""
