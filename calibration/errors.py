"""Errors of a picture, a sheet or a profile; each message states in one line what is wrong and what to do."""

from __future__ import annotations


class TeachError(Exception):
    """Base of the errors about unusable input of a calibration or enrolment step; nothing has changed."""


class PictureError(TeachError):
    """A file that is no usable picture."""


class SheetError(TeachError):
    """A picture to which no table plane can be fitted."""


class SeatingError(TeachError, ValueError):
    """Invalid directions of seats round a table."""


class ProfileError(TeachError):
    """A table profile that is missing, damaged or from a newer version."""


class EnrolError(TeachError):
    """A picture from which a piece or card cannot be enrolled."""
