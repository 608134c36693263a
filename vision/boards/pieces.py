"""Loose pieces on or beside a board: the colours of each kind in the colours of its light."""

from __future__ import annotations

from calibration.profile import TableProfile
from vision.reveal.kinds import KindColours, learn_kind


def models_of(profile: TableProfile) -> dict[str, KindColours]:
    """Learn the colours of all kinds that a profile knows."""
    return {kind: learn_kind(samples) for kind, samples in profile.pieces.items()}
