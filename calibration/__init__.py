"""Calibration and enrolment of a table: printable sheets, camera pose, enrolled pieces, cards and boards."""
