"""Metrics: readings compared with the truth, and the calibration of confidences. No I/O."""
