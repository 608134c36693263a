"""The network that tells pieces, signs and what is neither apart by how like a table's kinds they look."""
