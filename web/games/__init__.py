"""The events and routes that each game adds to the web server, one package per game."""
