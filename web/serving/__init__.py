"""The HTTP server that runs the application: connection limits, deadlines, TLS and web sockets."""
