"""The detector of hands, pieces, tokens and cards: made-up scenes, data set, training, export."""
