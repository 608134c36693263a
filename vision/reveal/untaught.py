"""Pieces of kinds that were never taught: seen as pieces, though no colours tell what they are.

A black piece cannot be taught on a black table, but in a hand it is plain to see. It is counted by its shape alone,
and the reading is doubtful: that nothing lies there would be wrong without a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.kinds import PIECE_KINDS, in_hands
from vision.readings import Counts
from vision.reveal.evidence import Calibration, reality
from vision.reveal.held import Held
from vision.reveal.kinds import REST

AT_MOST = 0.6
"""No answer is surer in which something may be of a kind that was never taught."""
_THERE = 0.2
"""What is likelier a piece than this, colours aside, has to be explained."""
_UNLIKE, _ANYTHING = -40.0, -27.0
"""Colours (log likelihood) that hardly one piece in a hundred has of its own kind, and what they are of a kind of
which no colours are known."""


def untaught(taught: Sequence[str], limits: Counts | None) -> tuple[str, ...]:
    """Name the kinds that a hand may hold and that were never taught; without limits, all that players hold."""
    missing = (kind for kind in PIECE_KINDS if in_hands(kind) and kind not in taught)
    return tuple(kind for kind in missing if limits is None or limits.get(kind, 0) > 0)


def by_shape(held: Sequence[Held], missing: Sequence[str]) -> tuple[Held, ...]:
    """Give the boxes of a hand without the colours that tell pieces from skin: any may be of these kinds."""
    return tuple(
        replace(
            piece,
            kinds={
                **{kind: fit for kind, fit in piece.kinds.items() if kind != REST},
                **dict.fromkeys(missing, _ANYTHING),
            },
            larger={}, like_piece=None, like_sign={}, like_more=None,
        )
        for piece in held
    )  # fmt: skip


def unexplained(
    held: Sequence[Held], shapes: Sequence[Held], possible: Sequence[str], calibration: Calibration
) -> bool:
    """Tell whether a hand shows a piece that none of the taught kinds explains.

    shapes: the same boxes `by_shape`, none where all kinds were taught; possible: the taught ones of this hand.
    """
    if not shapes:
        return False
    told = reality(held, calibration)
    fits = np.array([max((one.kinds.get(kind, _UNLIKE) for kind in possible), default=-np.inf) for one in held])
    strange = (told < 0.5) | (fits < _UNLIKE)
    return bool((strange & (reality(shapes, calibration) > _THERE)).any())
