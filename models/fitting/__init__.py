"""Fits of shipped probabilities to synthetic data that is used neither for training nor for evaluation."""
