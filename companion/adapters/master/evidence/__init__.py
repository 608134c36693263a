"""Evidence about the board at rest: log-likelihoods of readings, how readings err, and what people stated."""
