"""Metrics: verdicts on readings compared with the ground truth, and the calibration of confidences. No I/O."""
