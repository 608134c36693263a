"""Enrolment from a screen: camera, calibration, pieces, cards, boards, box check."""
