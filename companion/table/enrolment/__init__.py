"""Enrolment from a screen: choice of camera, calibration, pieces, cards, boards, and the check of a game's box."""
