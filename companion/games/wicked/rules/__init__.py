"""The rules: which moves are legal in a state and the state that each leads to. Pure."""
