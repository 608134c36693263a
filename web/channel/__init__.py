"""The live channel: events, commands, access and what goes out to screens."""
