"""Training of the detectors of hands, pieces, tokens and cards: synthetic scenes, data set, training, export."""
