"""Made-up reveals with known truth, taught in from rendered pictures."""
