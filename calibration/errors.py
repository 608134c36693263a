"""Errors of a picture, a sheet or a profile; each message states in one line what is wrong and what to do."""

from __future__ import annotations


class CalibrationError(Exception):
    """Base of the errors about unusable input of a calibration or enrolment step; nothing has changed."""


class PictureError(CalibrationError):
    """A file that is no usable picture."""


class SheetError(CalibrationError):
    """A picture to which no table plane can be fitted."""


class SeatingError(CalibrationError, ValueError):
    """Invalid directions of seats round a table."""


class ProfileError(CalibrationError):
    """A table profile that is missing, damaged or from a newer version."""


class EnrolError(CalibrationError):
    """A picture from which a piece or card cannot be enrolled."""
