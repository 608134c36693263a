"""Training of the piece/sign classifier, which compares a detection with a table's enrolled kinds."""
