"""Fit the weights behind shipped probabilities to synthetic data that serves neither training nor evaluation."""
