"""Training of the piece/sign classifier, which compares a detected box with a table's enrolled kinds."""
