"""Reads and writes files safely: pictures of untrusted sources, crash-safe writes, limits of zip archives."""
