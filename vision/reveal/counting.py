"""From boxes to probabilities: how many pieces of each kind lie in a hand."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.readings import Counts
from vision.reveal.held import Held
from vision.reveal.kinds import REST

_MOST_SEARCH, _MOST_SIGN = 10, 1
"""No hand is read to hold more: of a sign, nobody has two."""
_MOST_COLOUR = 9.0
"""Colours never count for or against a kind by more than this (log)."""
_RARE_SIGN = 0.25
"""Prior of a sign against a search piece."""
_TOUCH_PX = 2.0
"""Pieces touch whose boxes in the crop are no further apart."""
_CLEAR, _NOTHING = 0.999, 0.05
"""A box is surely a piece from the first on, surely none below the second; between them one look is not enough."""
_NEVER = 1e-6
"""What is less likely is not even told."""
_SKIN_ENOUGH, _NO_SKIN = 0.55, 0.25
"""With so much skin round it, a box may well be a piece in the hand; with the second or less it lies beside it."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How scores become probabilities; fitted on made-up hands that the detector was not trained with.

    A box is a piece with probability logistic(scale·logit(score) + offset + covered·share); a hand of n pieces, of
    which t touch others, hides (missed + missed_touching·t) more on average, and each sign with hidden_sign·t;
    temper < 1 makes the answer less sure than the counting; colours: how much the likelihood of colours counts;
    unlike_rest: at most so much (log) do they count for a piece against what is none;
    bare: how much it counts against a box when there is no skin round it (log); print, no_print: how much it counts
    for a sign when a bit of its print plainly shows at a piece, and when none does (log).
    """

    scale: float = 2.9
    offset: float = 3.2
    covered: float = -3.7
    missed: float = 0.005
    missed_touching: float = 0.03
    hidden_sign: float = 0.01
    temper: float = 0.83
    colours: float = 0.14
    unlike_rest: float = 1.0
    bare: float = 9.0
    print: float = 2.0
    no_print: float = -2.5


CALIBRATION_FILE = Path(__file__).parent / "counting.json"


@cache
def calibrated() -> Calibration:
    """Give the fitted calibration."""
    return Calibration(**json.loads(CALIBRATION_FILE.read_text("utf-8")))


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One possible content of a hand and its probability."""

    counts: Counts
    probability: float


def hypotheses(
    held: Sequence[Held],
    searches: Sequence[str],
    signs: Sequence[str],
    limits: Counts | None,
    calibration: Calibration,
) -> tuple[Hypothesis, ...]:
    """Give what a hand may hold, likeliest first: search pieces of one colour, and signs.

    searches, signs: the kinds that can be there; limits: the most of each kind, all that is enrolled when None.
    Probabilities are over what is legal and sum to one.
    """
    searched = searches or ("",)
    weights, tables = _counts(held, searched, signs, calibration)
    legal = tables * _legal(searched, signs, limits)
    shares = np.exp(np.maximum(-60.0, weights - weights.max()))
    chances = np.where(legal > _NEVER, legal, 0.0) * shares.reshape(-1, *(1,) * (legal.ndim - 1))
    # No search piece at all is the same, whatever their colour would be.
    chances[0, 0] = chances[:, 0].sum(axis=0)
    chances[1:, 0] = 0.0
    cells = np.argwhere(chances)
    if not len(cells):
        return (Hypothesis({}, 1.0),)
    tempered = chances[tuple(cells.T)] ** calibration.temper
    probabilities = tempered / tempered.sum()
    ranked = np.argsort(-probabilities, kind="stable")
    return tuple(
        Hypothesis({kind: n for kind, n in zip((searched[search], *signs), counts, strict=True) if n}, probability)
        for (search, *counts), probability in zip(
            cells[ranked].tolist(), probabilities[ranked].tolist(), strict=True
        )
    )


def reality(held: Held, calibration: Calibration) -> float:
    """Give the probability that a box is a piece at all."""
    score = min(max(held.score, 1e-4), 1 - 1e-4)
    evidence = calibration.scale * math.log(score / (1 - score)) + calibration.offset
    bare = min(1.0, max(0.0, (_SKIN_ENOUGH - held.skin) / (_SKIN_ENOUGH - _NO_SKIN)))
    return 1 / (1 + math.exp(calibration.bare * bare - evidence - calibration.covered * held.covered))


def clear(held: Sequence[Held], calibration: Calibration) -> bool:
    """Tell whether boxes alone, of whatever kind, leave no doubt of how many pieces there are.

    Each surely is a piece or is none, and no two touch: a third may hide between them.
    """
    real = [reality(piece, calibration) for piece in held]
    sure = all(chance > _CLEAR or chance < _NOTHING for chance in real)
    return sure and not bool((_beside(held, calibration) > 0.5).any())


def kind_shares(
    held: Sequence[Held], search: str, signs: Sequence[str], calibration: Calibration
) -> tuple[dict[str, float], ...]:
    """Share each box among the kinds it can be in a hand of this search colour, and REST, by score and colours."""
    _, shares = _shares(held, (search,), signs, calibration)
    return tuple(dict(zip((search, *signs, REST), row, strict=True)) for row in shares[:, 0].tolist())


def _shares(
    held: Sequence[Held], searches: Sequence[str], signs: Sequence[str], calibration: Calibration
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Tell how well each search colour explains each box (log), and what share in it each thing has that it can be.

    The first is (boxes, searches); shares are (boxes, searches, things): the search piece, the signs, the rest.
    """
    real = np.array([reality(piece, calibration) for piece in held]).reshape(-1, 1)
    fits = np.array([_fits(piece, (*searches, *signs, REST), calibration) for piece in held])
    fits = fits.reshape(len(held), len(searches) + len(signs) + 1)
    share = 1.0 / (1.0 + _RARE_SIGN * len(signs))
    logs = np.empty((len(held), len(searches), len(signs) + 2))
    logs[:, :, 0] = np.log(real * share) + fits[:, : len(searches)] if searches[0] else -np.inf
    logs[:, :, 1:-1] = (np.log(real * share * _RARE_SIGN) + fits[:, len(searches) : -1])[:, None]
    logs[:, :, -1] = np.log(1.0 - real) + fits[:, -1:]
    top = logs.max(axis=2, keepdims=True)
    weights = np.exp(logs - top)
    total = weights.sum(axis=2, keepdims=True)
    return (top + np.log(total))[:, :, 0], weights / total


def _fits(piece: Held, kinds: Sequence[str], calibration: Calibration) -> list[float]:
    """Give the log likelihood of a box's colours for each thing that it can be; nothing is of no colour at all."""
    # Colours are never quite the enrolled ones: no box is struck out, or made sure, by them alone.
    likely = {kind: calibration.colours * value for kind, value in piece.kinds.items()}
    best = max(likely.values(), default=0.0)
    # A piece's colours in a box may be a neighbour's: they tell its kind, but hardly that there is one more.
    rest = max(likely.get(REST, -math.inf), best - (calibration.unlike_rest if likely else 0.0))
    likely[REST] = rest + piece.covered * max(0.0, best - rest)
    return [max(likely.get(kind, 0.0), best - _MOST_COLOUR) for kind in kinds]


def _counts(
    held: Sequence[Held], searches: Sequence[str], signs: Sequence[str], calibration: Calibration
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give how well each search colour explains the boxes (log), and how likely it makes each set of counts."""
    shape = (_MOST_SEARCH + 1, *(_MOST_SIGN + 1 for _ in signs))
    more = _one_more(shape)
    tables = np.zeros((len(searches), math.prod(shape)))
    tables[:, 0] = 1.0
    fits, shares = _shares(held, searches, signs, calibration)
    pieces = shares[:, :, :-1].sum(axis=2)
    for rest, chances in zip(shares[:, :, -1:], shares[:, :, :-1], strict=True):
        tables = tables * rest + np.einsum("sk,ksc->sc", chances, tables @ more)
    if searches[0]:
        touching = _beside(held, calibration) @ pieces
        rate = (calibration.missed + calibration.missed_touching * touching)[:, None]
        one = tables @ more[0]
        tables = np.exp(-rate) * (tables + rate * one + rate**2 / 2 * (one @ more[0]))
        below = np.exp(-calibration.hidden_sign * touching)[:, None]
        for sign in more[1:]:
            tables = below * tables + (1.0 - below) * (tables @ sign)
    tables /= tables.sum(axis=1, keepdims=True)
    tables = tables.reshape(len(searches), *shape)
    for sign, name in enumerate(signs):
        plainest = [piece.print[name] for piece in held if name in piece.print]
        if plainest:
            shows = math.exp(calibration.no_print + (calibration.print - calibration.no_print) * max(plainest))
            np.moveaxis(tables, 2 + sign, 0)[1:] *= shows
    return fits.sum(axis=0), tables


@cache
def _one_more(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Give matrices (kinds, cells, cells) that move a table of counts, flat, one up in each kind.

    What goes beyond the most of a kind stays there.
    """
    moved = np.zeros((len(shape), math.prod(shape), math.prod(shape)))
    for cell, counts in enumerate(np.ndindex(*shape)):
        for kind, count in enumerate(counts):
            there = (*counts[:kind], min(count + 1, shape[kind] - 1), *counts[kind + 1 :])
            moved[kind, cell, np.ravel_multi_index(there, shape)] = 1.0
    return moved


def _beside(held: Sequence[Held], calibration: Calibration) -> NDArray[np.float64]:
    """Give for each box how likely it touches another piece: only such pieces hide any."""
    real = np.array([reality(piece, calibration) for piece in held])
    boxes = np.array([piece.in_crop for piece in held]).reshape(-1, 4)
    ends = boxes[:, :2] + boxes[:, 2:]
    apart = np.maximum(boxes[:, None, :2] - ends[None], boxes[None, :, :2] - ends[:, None]).max(
        axis=2, initial=-1e9
    )
    touch = apart < _TOUCH_PX
    np.fill_diagonal(touch, val=False)
    return np.asarray(np.where(touch, real, 0.0).max(axis=1, initial=0.0), np.float64)


def _legal(searches: Sequence[str], signs: Sequence[str], limits: Counts | None) -> NDArray[np.float64]:
    """Tell what can be there, 1, and what cannot, 0: (searches, counts of a search piece, of each sign)."""
    legal = np.ones((len(searches), _MOST_SEARCH + 1, *(_MOST_SIGN + 1 for _ in signs)))
    if limits is None:
        return legal
    for search, kind in enumerate(searches):
        legal[search, (limits.get(kind, 0) if kind else 0) + 1 :] = 0.0
    for axis, sign in enumerate(signs):
        legal.swapaxes(0, 2 + axis)[limits.get(sign, 0) + 1 :] = 0.0
    return legal
