"""The HTTP server in front of the application: bounded connections, deadlines, TLS and web sockets."""
