"""Exceptions of calibration and enrolment; each message states in one line what is wrong and what to do."""

from __future__ import annotations


class CalibrationError(Exception):
    """Base of all errors about unusable input; the profile is unchanged when one is raised."""


class PictureError(CalibrationError):
    """Raised for a file that is not a usable picture."""


class SheetError(CalibrationError):
    """Raised if no table plane can be fitted to the calibration sheet in a picture."""


class SeatingError(CalibrationError, ValueError):
    """Raised for invalid directions of seats round a table."""


class ProfileError(CalibrationError):
    """Raised for a table profile that is missing, damaged, incomplete or from a newer version."""


class EnrolError(CalibrationError):
    """Raised if a piece or card cannot be enrolled from a picture."""
