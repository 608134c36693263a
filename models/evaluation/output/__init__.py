"""Output: tables for readers, files for programs, and pictures of errors."""
