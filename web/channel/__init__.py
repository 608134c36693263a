"""The live channel (Socket.IO): events from screens, their commands, and messages to screens."""
