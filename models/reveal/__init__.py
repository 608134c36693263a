"""Made-up reveals with known truth, and what the reveal reader learns from them."""
