"""From boxes to probabilities: how many pieces of each kind lie in a hand."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.readings import Counts
from vision.reveal.evidence import Calibration, hidden, reality
from vision.reveal.held import Held, wood_of
from vision.reveal.kinds import REST

_MOST_SEARCH, _MOST_SIGN = 10, 1
"""No hand is read to hold more: of a sign, nobody has two."""
_MOST_COLOUR = 9.0
"""Colours never count for or against a kind by more than this (log)."""
_RARE_SIGN = 0.25
"""Prior of a sign against a search piece."""
_TOUCH_PX = 2.0
"""Pieces touch whose boxes in the crop are no further apart."""
_CLEAR, _NOTHING = 0.98, 0.05
"""A box is surely a piece from the first on, surely none below the second; between them one look is not enough."""
_NEVER = 1e-6
"""What is less likely is not even told."""
_WORTH_JOINING = 1e-3
"""Contents of one hand that are less likely are left out where two hands are added up."""
_MOST_OF_BOTH = {"search": _MOST_SEARCH, "sign": _MOST_SIGN}


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
    weights, tables = counts_by_colour(held, searched, signs, calibration)
    legal = tables * legal_counts(searched, signs, limits)
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


def joined(
    one: Sequence[Hypothesis], other: Sequence[Hypothesis], limits: Counts | None
) -> tuple[tuple[Hypothesis, ...], float]:
    """Return what two hands of one player may hold together, likeliest first, and how much of it is legal (0..1).

    Contents that break the limits, or that hold search pieces of two colours, are struck out of the answer.
    """
    chances: dict[frozenset[tuple[str, int]], float] = {}
    total = legal = 0.0
    for first, second in itertools.product(_worth_joining(one), _worth_joining(other)):
        both = Counter(first.counts) + Counter(second.counts)
        chance = first.probability * second.probability
        total += chance
        if _within(both, limits):
            legal += chance
            key = frozenset(both.items())
            chances[key] = chances.get(key, 0.0) + chance
    ranked = sorted(chances.items(), key=lambda pair: -pair[1])
    return tuple(Hypothesis(dict(counts), chance / legal) for counts, chance in ranked), legal / max(total, _NEVER)


def _worth_joining(ranked: Sequence[Hypothesis]) -> list[Hypothesis]:
    return [one for one in ranked if one.probability > _WORTH_JOINING]


def _within(counts: Counts, limits: Counts | None) -> bool:
    if sum(kind.startswith("search:") for kind in counts) > 1:
        return False
    return all(
        count <= (_MOST_OF_BOTH.get(kind.partition(":")[0], 0) if limits is None else limits.get(kind, 0))
        for kind, count in counts.items()
    )


def clear(held: Sequence[Held], calibration: Calibration) -> bool:
    """Tell whether boxes alone, of whatever kind, leave no doubt of how many pieces there are.

    Each surely is a piece or is none, and no two touch: a third may hide between them.
    """
    if not held:
        return True
    real = reality(held, calibration)
    sure = bool(((real > _CLEAR) | (real < _NOTHING)).all())
    return sure and not _touch(held, real)


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
    real = np.clip(reality(held, calibration), _NEVER, 1.0 - _NEVER).reshape(-1, 1)
    wood = wood_of(held)
    fits = np.array([_fits(piece, (*searches, *signs, REST), wood, calibration) for piece in held])
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


def _fits(piece: Held, kinds: Sequence[str], wood: str | None, calibration: Calibration) -> list[float]:
    """Give the log likelihood of a box's colours for each thing that it can be, of its looks for the signs.

    wood: the search piece that all boxes of the hand fit best, beside which signs were looked for. Whether it is
    anything at all has been told already (`vision.reveal.evidence`): here it is told what it is.
    """
    # Colours are never quite the enrolled ones: no box is struck out, or made sure, by them alone.
    likely = {kind: calibration.colours * value for kind, value in piece.kinds.items()}
    if wood is not None:
        for sign, more in piece.like_sign.items():
            likely[sign] = likely.get(wood, 0.0) + calibration.sign + calibration.like_sign * more
    best = max((fit for kind, fit in likely.items() if kind != REST), default=0.0)
    likely[REST] = best
    return [max(likely.get(kind, 0.0), best - _MOST_COLOUR) for kind in kinds]


def counts_by_colour(
    held: Sequence[Held], searches: Sequence[str], signs: Sequence[str], calibration: Calibration
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the log evidence of each search colour, (searches), and its distribution over counts.

    The distribution is (searches, counts of a search piece, of each sign) and sums to one for each colour.
    """
    shape = (_MOST_SEARCH + 1, *(_MOST_SIGN + 1 for _ in signs))
    more = _one_more(shape)
    tables = np.zeros((len(searches), math.prod(shape)))
    tables[:, 0] = 1.0
    fits, shares = _shares(held, searches, signs, calibration)
    pieces = shares[:, :, :-1].sum(axis=2)
    for rest, chances in zip(shares[:, :, -1:], shares[:, :, :-1], strict=True):
        tables = tables * rest + np.einsum("sk,ksc->sc", chances, tables @ more)
    if searches[0]:
        another = _one_hidden(shape, calibration.hidden_sign)
        below = np.vstack([hidden(held, calibration)[:, None] * pieces, np.full(len(searches), calibration.missed)])
        for hides in below[:, :, None]:
            tables = (1.0 - hides) * tables + hides * (tables @ another)
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


@cache
def _one_hidden(shape: tuple[int, ...], sign: float) -> NDArray[np.float64]:
    """Give the matrix (cells, cells) that moves a table of counts, flat, one up in what is hidden.

    sign: how often it is each sign of which there is not the most already, where it is once a search piece.
    """
    lacks = np.array([[sign * (count < _MOST_SIGN) for count in counts[1:]] for counts in np.ndindex(*shape)])
    weights = np.column_stack([np.ones(len(lacks)), lacks])
    shares = weights / weights.sum(axis=1, keepdims=True)
    return np.asarray(np.einsum("ck,kcd->cd", shares, _one_more(shape)), np.float64)


def _touch(held: Sequence[Held], real: NDArray[np.float64]) -> bool:
    """Tell whether any two boxes touch that are likely pieces: a third may hide between them."""
    boxes = np.array([piece.in_crop for piece, chance in zip(held, real, strict=True) if chance > 0.5])
    if len(boxes) < 2:
        return False
    ends = boxes[:, :2] + boxes[:, 2:]
    apart = np.maximum(boxes[:, None, :2] - ends[None], boxes[None, :, :2] - ends[:, None]).max(axis=2)
    np.fill_diagonal(apart, np.inf)
    return bool((apart < _TOUCH_PX).any())


def legal_counts(searches: Sequence[str], signs: Sequence[str], limits: Counts | None) -> NDArray[np.float64]:
    """Return 1 for counts within limits, else 0: (searches, counts of a search piece, of each sign)."""
    legal = np.ones((len(searches), _MOST_SEARCH + 1, *(_MOST_SIGN + 1 for _ in signs)))
    if limits is None:
        return legal
    for search, kind in enumerate(searches):
        legal[search, (limits.get(kind, 0) if kind else 0) + 1 :] = 0.0
    for axis, sign in enumerate(signs):
        legal.swapaxes(0, 2 + axis)[limits.get(sign, 0) + 1 :] = 0.0
    return legal
