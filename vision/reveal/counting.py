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

from vision.boxes import shared
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
    top = float(weights.max())
    entries: dict[tuple[tuple[str, int], ...], float] = {}
    for search, weight, counted in zip(searched, weights.tolist(), tables, strict=True):
        share = math.exp(max(-60.0, weight - top))
        table = _legal(counted, search, signs, limits)
        for index in np.argwhere(table > 1e-6):
            counts = {search: int(index[0])} | {sign: int(n) for sign, n in zip(signs, index[1:], strict=True)}
            key = tuple((kind, n) for kind, n in counts.items() if n)
            entries[key] = entries.get(key, 0.0) + share * float(table[tuple(index)])
    if not entries:
        return (Hypothesis({}, 1.0),)
    tempered = {key: value**calibration.temper for key, value in entries.items()}
    total = sum(tempered.values())
    ranked = sorted(tempered.items(), key=lambda entry: -entry[1])
    return tuple(Hypothesis(dict(key), value / total) for key, value in ranked)


def reality(held: Held, calibration: Calibration) -> float:
    """Give the probability that a box is a piece at all."""
    score = min(max(held.score, 1e-4), 1 - 1e-4)
    evidence = calibration.scale * math.log(score / (1 - score)) + calibration.offset
    bare = min(1.0, max(0.0, (_SKIN_ENOUGH - held.skin) / (_SKIN_ENOUGH - _NO_SKIN)))
    return 1 / (1 + math.exp(calibration.bare * bare - evidence - calibration.covered * held.covered))


def kind_shares(held: Held, search: str, signs: Sequence[str], calibration: Calibration) -> dict[str, float]:
    """Share a box among the kinds it can be in a hand of this search colour, and REST, by score and colours."""
    return _shares(_logs(held, search, signs, calibration))[1]


def _shares(logs: dict[str, float]) -> tuple[float, dict[str, float]]:
    """Give the log of the sum of what is told by its logs, and the share of each in it."""
    top = max(logs.values())
    weights = {kind: math.exp(value - top) for kind, value in logs.items()}
    total = sum(weights.values())
    return top + math.log(total), {kind: weight / total for kind, weight in weights.items()}


def _logs(held: Held, search: str, signs: Sequence[str], calibration: Calibration) -> dict[str, float]:
    """Give the log of prior times likelihood of each thing that a box can be."""
    real = reality(held, calibration)
    # Colours are never quite the enrolled ones: no box is struck out, or made sure, by them alone.
    likely = {kind: calibration.colours * value for kind, value in held.kinds.items()}
    best = max(likely.values(), default=0.0)
    floored = {kind: max(value, best - _MOST_COLOUR) for kind, value in likely.items()}
    share = 1.0 / (1.0 + _RARE_SIGN * len(signs))
    # A piece's colours in a box may be a neighbour's: they tell its kind, but hardly that there is one more.
    rest = max(floored.get(REST, -math.inf), best - (calibration.unlike_rest if held.kinds else 0.0))
    rest += held.covered * max(0.0, best - rest)
    logs = {REST: math.log(1.0 - real) + rest}
    if search:
        logs[search] = math.log(real * share) + floored.get(search, 0.0)
    for sign in signs:
        logs[sign] = math.log(real * share * _RARE_SIGN) + floored.get(sign, 0.0)
    return logs


def _counts(
    held: Sequence[Held], searches: Sequence[str], signs: Sequence[str], calibration: Calibration
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give how well each search colour explains the boxes (log), and how likely it makes each set of counts."""
    tables = np.zeros((len(searches), _MOST_SEARCH + 1, *(_MOST_SIGN + 1 for _ in signs)))
    tables.reshape(len(searches), -1)[:, 0] = 1.0

    def each(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values.reshape(-1, *(1,) * (tables.ndim - 1))

    weights, touching = np.zeros(len(searches)), np.zeros(len(searches))
    for piece, beside in zip(held, _beside(held, calibration), strict=True):
        told = [_shares(_logs(piece, search, signs, calibration)) for search in searches]
        weights += [fits for fits, _ in told]
        chances = np.array(
            [[shares[kind] if kind else 0.0 for kind in (search, *signs)]
             for search, (_, shares) in zip(searches, told, strict=True)]
        )  # fmt: skip
        touching += beside * chances.sum(axis=1)
        moved = tables * each(1.0 - chances.sum(axis=1))
        for kind in range(1 + len(signs)):
            moved += each(chances[:, kind]) * _shifted(tables, 1 + kind)
        tables = moved
    if searches[0]:
        rate = calibration.missed + calibration.missed_touching * touching
        hidden = [np.exp(-rate) * rate**n / math.factorial(n) for n in range(3)]
        tables = np.sum([each(chance) * _shifted(tables, 1, n) for n, chance in enumerate(hidden)], axis=0)
        below = np.exp(-calibration.hidden_sign * touching)
        for sign in range(len(signs)):
            tables = each(below) * tables + each(1.0 - below) * _shifted(tables, 2 + sign)
    tables = tables / tables.sum(axis=tuple(range(1, tables.ndim)), keepdims=True)
    for sign, name in enumerate(signs):
        plainest = [piece.print[name] for piece in held if name in piece.print]
        if plainest:
            shows = math.exp(calibration.no_print + (calibration.print - calibration.no_print) * max(plainest))
            np.moveaxis(tables, 2 + sign, 0)[1:] *= shows
    return weights, tables


def _beside(held: Sequence[Held], calibration: Calibration) -> list[float]:
    """Give for each box how likely it touches another piece: only such pieces hide any."""
    real = [reality(piece, calibration) for piece in held]
    return [
        max((real[k] for k, other in enumerate(held) if k != index and _touch(piece, other)), default=0.0)
        for index, piece in enumerate(held)
    ]


def _touch(one: Held, other: Held) -> bool:
    x, y, width, height = one.in_crop
    grown = (x - _TOUCH_PX, y - _TOUCH_PX, width + 2 * _TOUCH_PX, height + 2 * _TOUCH_PX)
    return shared(grown, other.in_crop) > 0.0


def _shifted(table: NDArray[np.float64], axis: int, by: int = 1) -> NDArray[np.float64]:
    """Move all counts of one kind up; what goes beyond the most stays there."""
    moved = np.zeros_like(table)
    here, there = np.moveaxis(table, axis, 0), np.moveaxis(moved, axis, 0)
    there[by:] = here[: len(here) - by]
    there[-1] += here[max(0, len(here) - by) :].sum(axis=0)
    return moved


def _legal(
    table: NDArray[np.float64], search: str, signs: Sequence[str], limits: Counts | None
) -> NDArray[np.float64]:
    """Strike out what cannot be there. Not normalised: what is struck out counts against this search colour."""
    if limits is None:
        return table
    legal = table
    for axis, kind in enumerate((search, *signs)):
        allowed = np.arange(table.shape[axis]) <= (limits.get(kind, 0) if kind else 0)
        shape = [1] * table.ndim
        shape[axis] = -1
        legal = legal * allowed.reshape(shape)
    return legal
