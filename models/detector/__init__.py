"""Training of the networks that detect hands, pieces, tokens and cards, on crops of synthetic scenes."""
