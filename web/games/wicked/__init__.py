"""The Wicked Labyrinth's events and routes: advice, personal boards, scoring and drawings."""
