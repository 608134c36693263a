"""Colour models of loose pieces on or beside a board."""

from __future__ import annotations

from calibration.profile import TableProfile
from vision.kind_colours import KindColours, learn_kind


def piece_colour_models(profile: TableProfile) -> dict[str, KindColours]:
    """Return the colour model of each kind of piece enrolled in a profile."""
    return {kind: learn_kind(samples) for kind, samples in profile.pieces.items()}
