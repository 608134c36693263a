"""Errors of a picture, a sheet or a profile; each message states in one line what is wrong and what to do."""

from __future__ import annotations


class TeachError(Exception):
    """Something that the table was shown cannot be used; nothing has changed."""


class PictureError(TeachError):
    """A file that is no usable picture."""


class SheetError(TeachError):
    """A picture from which the table plane cannot be found."""


class SeatingError(TeachError, ValueError):
    """Invalid directions of seats round a table."""


class ProfileError(TeachError):
    """A table profile that is missing, damaged or from a newer version."""


class EnrolError(TeachError):
    """A picture from which a piece or card cannot be learned."""
