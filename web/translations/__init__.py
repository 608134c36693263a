"""What is said in other languages: one catalogue each, and what brings them up to date with the English texts."""
