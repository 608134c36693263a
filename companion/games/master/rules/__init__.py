"""How a game begins, what each move leads to and which moves are legal."""
