"""Consistency check of the sizes of enrolled specimens."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from calibration.pieces.samples import PieceSamples
from calibration.translatable import say

MAX_LENGTH_RATIO = 1.6
"""Largest ratio of the longest to the shortest specimen of a kind; a piece on edge is as long as one lying flat."""
MAX_SIBLING_RATIO = 1.5
"""Largest ratio of a kind's length to the median of its group: the kinds with the same name before the colon."""
_MIN_SIBLINGS = 3
"""Fewest other kinds of a group with which a kind is compared."""


def size_problems(pieces: Mapping[str, PieceSamples], only: str | None = None) -> tuple[str, ...]:
    """Return a warning for each kind whose specimens differ greatly in size from each other or from similar kinds.

    only: the kind to check; all kinds when None.
    """
    lines = [_problem_within_kind(kind, pieces[kind]) for kind in pieces if only in (None, kind)]
    lines += [_problem_among_group(kind, pieces) for kind in pieces if only in (None, kind)]
    return tuple(line for line in lines if line is not None)


def _problem_within_kind(kind: str, samples: PieceSamples) -> str | None:
    """Return a warning where the specimens of a kind differ greatly in size, else None."""
    sizes = sorted(specimen.size_mm for specimen in samples.specimens)
    shortest, longest = sizes[0], sizes[-1]
    if longest[0] <= MAX_LENGTH_RATIO * shortest[0]:
        return None
    return say(
        "The samples of {kind} differ greatly in size, from {shortest} to {longest} mm: check their outlines, and "
        "enrol the kind again if one is cut off or contains more than one piece.",
        kind=kind,
        shortest=_size_text(shortest),
        longest=_size_text(longest),
    )


def _problem_among_group(kind: str, pieces: Mapping[str, PieceSamples]) -> str | None:
    """Return a warning where a kind is much larger or smaller than the others of its group, else None."""
    family = kind.partition(":")[0]
    siblings = [other for other in pieces if other != kind and other.partition(":")[0] == family]
    if len(siblings) < _MIN_SIBLINGS:
        return None
    own, typical = pieces[kind].size_mm, np.median([pieces[other].size_mm for other in siblings], axis=0)
    ratio = own[0] / float(typical[0])
    if 1 / MAX_SIBLING_RATIO <= ratio <= MAX_SIBLING_RATIO:
        return None
    siblings_mm = _size_text((float(typical[0]), float(typical[1])))
    if ratio > 1:
        return say(
            "{kind} was measured much larger than the other kinds of its group, {own} against {others} mm: if that "
            "is wrong, enrol it again.",
            kind=kind,
            own=_size_text(own),
            others=siblings_mm,
        )
    return say(
        "{kind} was measured much smaller than the other kinds of its group, {own} against {others} mm: if that is "
        "wrong, enrol it again.",
        kind=kind,
        own=_size_text(own),
        others=siblings_mm,
    )


def _size_text(size_mm: tuple[float, float]) -> str:
    return f"{size_mm[0]:.0f}×{size_mm[1]:.0f}"
