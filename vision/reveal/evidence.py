"""What speaks for a box in a hand being a piece, and for one more piece that hides below it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detector import CLOSE_PX_PER_MM
from vision.reveal.held import Held
from vision.reveal.kinds import REST

TRAITS = (
    "offset", "twice", "score", "score_squared", "covered", "bare", "near", "bare_near", "far", "clutter", "best",
    "clutter_best", "unlike_rest", "like",
)  # fmt: skip
"""What a box is told to be a piece by: each a number of a `Calibration`, which weighs it."""
HIDING = ("hides", "hides_large", "hides_larger", "hides_looks")
"""What a piece is told to hide another by."""

_SKIN_ENOUGH, _NO_SKIN = 0.55, 0.25
"""With so much skin round it, a box may well be a piece in the hand; with the second or less it lies beside it."""
_NEAR_PX = 28 * CLOSE_PX_PER_MM
"""Boxes are near each other whose middles are no further apart."""
_PLAINLY = 40.0
"""Colours (log likelihood) never tell more than this."""
_UNKNOWN_UNLIKE, _UNKNOWN_SIZE = 1.5, 0.15
"""What is supposed where nobody has asked for colours or sizes: what is usual for a piece."""
_UNKNOWN_LIKE = (3.4, 2.1)
"""What is supposed where nobody has asked for looks: the usual for the detector's score, a line of its logit."""
_LIKE_MOST = 7.0
"""Looks (log odds) never tell more than this."""
_UNKNOWN_MORE, _MORE = -4.5, (-7.0, 1.5)
"""What is supposed of how many more it looks as if a piece hid (log), and the bounds of that."""
_SIGN_RARER = 14.0
"""So much likelier (log) a box's colours must be a sign's than a search piece's to ask for a sign's size."""
_FOUND = 0.4
"""Boxes are as large as the median of those in the hand with a higher score, or larger, or smaller."""
_SIZES = (-1.0, 2.0)
_SELDOM, _MOSTLY = 1e-4, 0.97
"""Bounds of the probability that a piece hides another."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How what is seen becomes probabilities; fitted on made-up hands that the detector was not trained with.

    A box is a piece with probability logistic(offset + the sum of these, each times what is seen): `twice` when it
    was looked for more than once; `score`, the logit of the detector's, and its square; `covered`, the share of it
    that a stronger box covers; `bare`, 0..1, that there is no skin round it; `near`, how many other pieces are
    likely near it, and both multiplied; `far`, cm from the middle of the hand; `clutter`, how many other boxes are
    likely none; `best`, the highest score of another box, and both multiplied; `unlike_rest`, how much likelier
    (log, in twenties) its colours are a piece's than what else is seen in the hand; `like`, how much likelier (log)
    than none it is a piece by its looks.

    A piece hides another with probability logistic(hides + hides_large·a + hides_larger·b + hides_looks·c): a, how
    much larger (log) its box is than the smallest rectangle round its likeliest kind as enrolled; b, than the
    median in the hand; c, how many (log) it hides by its looks. What is hidden is a sign that is not seen
    hidden_sign times as often as a search piece; in every hand another is hidden with probability `missed`,
    whatever is seen.
    temper < 1 makes the answer less sure than the counting; colours: how much their likelihood counts for a kind;
    like_sign: how much that of looks for a sign in place of a search piece, and sign what is added to it (log);
    print, no_print: how much it counts for a sign that its print plainly shows at a piece, or that none does (log).
    """

    offset: float = 0.9
    twice: float = 0.4
    score: float = 2.4
    score_squared: float = 0.0
    covered: float = 1.5
    bare: float = -2.6
    near: float = 0.7
    bare_near: float = 0.0
    far: float = -0.4
    clutter: float = -0.45
    best: float = 0.0
    clutter_best: float = 0.0
    unlike_rest: float = 0.9
    like: float = 0.5
    hides: float = -4.8
    hides_large: float = 2.5
    hides_larger: float = 2.8
    hides_looks: float = 0.0
    hidden_sign: float = 0.4
    missed: float = 0.001
    temper: float = 0.82
    colours: float = 0.1
    like_sign: float = 0.7
    sign: float = 1.5
    print: float = 2.0
    no_print: float = -3.5


CALIBRATION_FILE = Path(__file__).parent / "counting.json"


@cache
def calibrated() -> Calibration:
    """Give the fitted calibration."""
    return Calibration(**json.loads(CALIBRATION_FILE.read_text("utf-8")))


def reality(held: Sequence[Held], calibration: Calibration) -> NDArray[np.float64]:
    """Give for each box of a hand the probability that it is a piece at all, (boxes)."""
    evidence = traits(held) @ _weights(calibration, TRAITS)
    return np.asarray(1.0 / (1.0 + np.exp(-evidence)), np.float64)


def hidden(held: Sequence[Held], calibration: Calibration) -> NDArray[np.float64]:
    """Give for each box of a hand the probability that it hides another piece, if it is one, (boxes)."""
    evidence = hiding(held) @ _weights(calibration, HIDING)
    return np.clip(1.0 / (1.0 + np.exp(-evidence)), _SELDOM, _MOSTLY)


def traits(held: Sequence[Held]) -> NDArray[np.float64]:
    """Give for each box of a hand what `TRAITS` name, (boxes, traits)."""
    scores = np.array([piece.score for piece in held])
    clutter = (1.0 - scores).sum() - (1.0 - scores)
    skin = np.array([piece.skin for piece in held])
    bare = np.clip((_SKIN_ENOUGH - skin) / (_SKIN_ENOUGH - _NO_SKIN), 0.0, 1.0)
    near, best, logits = _near(held), _best_other(scores), np.array([_logit(score) for score in scores])
    return np.column_stack(
        [
            np.ones(len(held)),
            [float(piece.looks > 1) for piece in held],
            logits,
            logits**2,
            [piece.covered for piece in held],
            bare,
            near,
            bare * near,
            [piece.off_mm / 10.0 for piece in held],
            clutter,
            best,
            clutter * best,
            [_unlike_rest(piece) for piece in held],
            [_like(piece) for piece in held],
        ]
    )


def hiding(held: Sequence[Held]) -> NDArray[np.float64]:
    """Give for each box of a hand what `HIDING` names, (boxes, 4)."""
    areas = np.log(_sides(held)).sum(axis=1)
    found = areas[[piece.score > _FOUND for piece in held]]
    larger = areas - np.median(found) if len(found) else np.zeros(len(held))
    large, looks = [larger_than_kind(piece) for piece in held], [_looks_hiding(piece) for piece in held]
    return np.column_stack([np.ones(len(held)), large, np.clip(larger, *_SIZES), looks])


def larger_than_kind(piece: Held) -> float:
    """Tell how much larger (log) a box is than its likeliest kind as enrolled; what is usual where nobody asked."""
    if not piece.larger:
        return _UNKNOWN_SIZE
    fits = {
        kind: piece.kinds.get(kind, -math.inf) - (_SIGN_RARER if kind.startswith("sign:") else 0.0)
        for kind in piece.larger
    }
    return min(_SIZES[1], max(_SIZES[0], piece.larger[max(fits, key=lambda kind: fits[kind])]))


def _best_other(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the highest score beside each box's own, 0 where there is no other, (boxes)."""
    others = np.tile(scores, (len(scores), 1))
    np.fill_diagonal(others, 0.0)
    return np.asarray(others.max(axis=1, initial=0.0), np.float64)


def _near(held: Sequence[Held]) -> NDArray[np.float64]:
    """Tell how many other pieces are likely near each box of a hand, (boxes)."""
    scores = np.array([piece.score for piece in held])
    middles = np.array([piece.in_crop[:2] for piece in held]).reshape(-1, 2) + _sides(held) / 2
    apart = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1))
    return np.asarray(np.where(apart < _NEAR_PX, scores[None], 0.0).sum(axis=1) - scores, np.float64)


def _weights(calibration: Calibration, names: Sequence[str]) -> NDArray[np.float64]:
    return np.array([getattr(calibration, name) for name in names], np.float64)


def _sides(held: Sequence[Held]) -> NDArray[np.float64]:
    return np.maximum(np.array([piece.in_crop[2:] for piece in held], np.float64).reshape(-1, 2), 1.0)


def _unlike_rest(piece: Held) -> float:
    if REST not in piece.kinds:
        return _UNKNOWN_UNLIKE
    best = max((fit for kind, fit in piece.kinds.items() if kind != REST), default=piece.kinds[REST])
    return min(_PLAINLY, max(-_PLAINLY, best - piece.kinds[REST])) / 20.0


def _like(piece: Held) -> float:
    usual, slope = _UNKNOWN_LIKE
    like = usual + slope * _logit(piece.score) if piece.like_piece is None else piece.like_piece
    return min(_LIKE_MOST, max(-_LIKE_MOST, like))


def _logit(score: float) -> float:
    score = min(1 - 1e-3, max(1e-3, score))
    return math.log(score / (1.0 - score))


def _looks_hiding(piece: Held) -> float:
    more = _UNKNOWN_MORE if piece.like_more is None else piece.like_more
    return min(_MORE[1], max(_MORE[0], more))
