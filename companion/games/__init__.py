"""Games that the companion knows, one package each."""
