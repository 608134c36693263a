"""Synthetic reveals with ground truth, enrolled from rendered pictures."""
