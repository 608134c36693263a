"""Fits how readings of the maze err: `python -m tests.bench.turns.fit_turns` prints `FITTED` of
`companion.adapters.master.evidence.reader_error_rates`.

Tables come from `python -m tests.bench.turns.pictured_turns`, of looks that are not held out. Rates and powers are
those of maximum likelihood given what truly lies there; the qualities of the tokens' pictures are a mixture,
fitted by expectation maximisation (Dempster, Laird and Rubin, 1977).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.optimize import minimize

from companion.adapters.master.evidence.board_likelihoods import (
    SHAPES,
    SPARE,
    Floats,
    log_numbers,
    log_openings,
    log_places,
    log_shapes,
    oriented,
    places_with_wizards,
    presence,
)
from companion.adapters.master.evidence.reader_error_rates import FITTED, ReaderErrorRates, TokenQuality
from companion.games.master.components import FIXED, PLACES, TOKENS
from tests.bench.turns.pictured_turns import PicturedTable, kept
from tests.companion.adapters.master.laid_table import LaidTable
from vision.games.master.readings import MazeReading, TokenReading

_QUALITIES: Final = 3
"""Qualities of tokens' pictures."""
_ROUNDS: Final = 60
"""Rounds of expectation maximisation."""
_FLOOR_CASES: Final = 0.2
"""Made-up cases that are read wrongly though the reading is certain, for every floor."""
_PRIOR: Final = 1.0
"""Made-up cases of each outcome that are added to every rate: none is 0 or 1 on finite data."""


@dataclass(frozen=True)
class Example:
    """What lies on a table, and one whole reading of it, turned as the table lies."""

    table: LaidTable
    reading: MazeReading


def examples(tables: Iterable[PicturedTable]) -> Iterator[Example]:
    """Yield the whole readings of tables."""
    for one in tables:
        for reading in one.readings:
            if reading.state == "board" and len(reading.tiles) == PLACES:
                yield Example(one.table, oriented(reading, one.table.maze))


@dataclass(frozen=True)
class Disc:
    """A token on a place of the board, and the disc that was reported there."""

    number: int
    below: bool
    """Whether a wizard stands there."""
    reported: TokenReading | None


def discs(example: Example) -> list[Disc]:
    """Return the tokens of a table that nothing covers."""
    reported = {disc.place: disc for disc in sorted(example.reading.tokens, key=lambda disc: disc.confidence)}
    standing = set(example.table.wizards.values())
    return [
        Disc(number, place in standing, reported.get(place))
        for number, place in example.table.tokens.items()
        if place is not None and place not in example.reading.covered
    ]


def false_discs(example: Example) -> tuple[list[TokenReading], int]:
    """Return the discs that were reported where no token lies, and the number of such places."""
    lying = set(example.table.tokens.values())
    wrong = [disc for disc in example.reading.tokens if disc.place is not None and disc.place not in lying]
    return wrong, PLACES - len(lying - {None})


def fit_tiles(read: Sequence[Example], errors: ReaderErrorRates, *, below: bool) -> ReaderErrorRates:
    """Fit floor and power of the loose tiles' openings. below: of those on which a wizard is read."""
    tiles = [
        (tile.probabilities, truth)
        for one in read
        for place, (tile, truth) in enumerate(zip(one.reading.tiles, one.table.tiles, strict=True))
        if place not in FIXED
        and place not in one.reading.covered
        and (place in places_with_wizards(one.reading)) == below
    ]

    def now(values: Floats) -> ReaderErrorRates:
        floor, power = _rate(values[0]), float(np.exp(values[1]))
        if below:
            return replace(errors, hidden_tile=floor, hidden_tile_power=power)
        return replace(errors, tile=floor, tile_power=power)

    def loss(values: Floats) -> float:
        likelihoods = [log_openings(p, now(values), below=below)[truth] for p, truth in tiles]
        return _floor_loss(_rate(values[0]), len(tiles)) - float(np.mean(likelihoods))

    floor = errors.hidden_tile if below else errors.tile
    power = errors.hidden_tile_power if below else errors.tile_power
    name = "tiles under wizards" if below else "tiles"
    return now(_minimised(loss, [_logit(floor), np.log(power)], name))


def fit_spare(read: Sequence[Example], errors: ReaderErrorRates) -> ReaderErrorRates:
    """Fit floor and power of the spare's shape."""
    spares = [(one.reading.spare.probabilities, one.table.spare) for one in read if one.reading.spare is not None]

    def loss(values: Floats) -> float:
        now = replace(errors, spare=_rate(values[0]), spare_power=float(np.exp(values[1])))
        likelihoods = [log_shapes(p, now)[truth] for p, truth in spares]
        return _floor_loss(now.spare, len(spares)) - float(np.mean(likelihoods))

    values = _minimised(loss, [_logit(errors.spare), np.log(errors.spare_power)], "spares")
    return replace(errors, spare=_rate(values[0]), spare_power=float(np.exp(values[1])))


def fit_wizards(read: Sequence[Example], errors: ReaderErrorRates) -> ReaderErrorRates:
    """Fit floors and power of the wizards' places."""
    wizards = []
    for one in read:
        seen = (*one.reading.wizards, *one.reading.possible_wizards)
        rows = {wizard.colour: wizard.places for wizard in seen}
        wizards += [
            (rows.get(colour, {}), SPARE if place is None else place) for colour, place in one.table.wizards.items()
        ]

    def now(values: Floats) -> ReaderErrorRates:
        return replace(
            errors,
            wizard=_rate(values[0]),
            beside=_rate(values[1]),
            wizard_power=float(np.exp(values[2])),
        )

    def loss(values: Floats) -> float:
        one = now(values)
        likelihoods = [log_places(places, one)[truth] for places, truth in wizards]
        prior = _floor_loss(one.wizard, len(wizards)) + _floor_loss(one.beside, len(wizards))
        return prior - float(np.mean(likelihoods))

    start = [_logit(errors.wizard), _logit(errors.beside), np.log(errors.wizard_power)]
    return now(_minimised(loss, start, "wizards"))


def fit_tokens(read: Sequence[Example], errors: ReaderErrorRates) -> ReaderErrorRates:
    """Fit presence, numbers and the qualities of pictures."""
    scenes = [discs(one) for one in read]
    wrong = [false_discs(one) for one in read]
    false, free = [disc for some, _ in wrong for disc in some], sum(places for _, places in wrong)
    errors = replace(errors, false=(len(false) + _PRIOR) / (free + 2 * _PRIOR))
    for _ in range(3):
        errors = _fit_presence(scenes, false, free, errors)
        errors = _fit_qualities(scenes, errors)
        errors = _fit_numbers(scenes, errors)
    return errors


def _fit_presence(
    scenes: Sequence[Sequence[Disc]], false: Sequence[TokenReading], free: int, errors: ReaderErrorRates
) -> ReaderErrorRates:
    """Fit how much more probable a report is with a token than without one, by logistic regression."""
    reported = [disc.reported for scene in scenes for disc in scene if disc.reported is not None]
    lying = sum(len(scene) for scene in scenes)
    slope = replace(errors, presence=(0.0, 1.0))
    odds = np.array([presence(disc.probabilities, slope) for disc in (*reported, *false)])
    signs = np.r_[np.ones(len(reported)), -np.ones(len(false))]
    # Reports with a token are as many as the qualities' rates say; the ratio is that of their densities.
    prior = np.log(len(reported) / lying) + np.log(lying / free)

    def loss(values: Floats) -> float:
        logits = prior + values[0] + values[1] * odds
        return float(np.logaddexp(0, -signs * logits).sum() + _PRIOR * (values[1] - 1.0) ** 2)

    offset, weight = _minimised(loss, list(errors.presence), "reported discs").tolist()
    return replace(errors, presence=(offset, max(0.0, weight)))


def _likelihoods(scene: Sequence[Disc], errors: ReaderErrorRates, quality: TokenQuality) -> float:
    """Return the log-likelihood of a picture's discs, apart from what all qualities share."""
    score = 0.0
    for disc in scene:
        missed = quality.missed_below if disc.below else quality.missed
        if disc.reported is None:
            score += float(np.log(missed))
        else:
            numbers = log_numbers(disc.reported.probabilities, errors, quality.unreadable)
            score += float(np.log(1.0 - missed) + numbers[TOKENS.index(disc.number)])
    return score


def _fit_qualities(scenes: Sequence[Sequence[Disc]], errors: ReaderErrorRates) -> ReaderErrorRates:
    known = np.array(
        [
            [
                np.nan
                if disc.reported is None
                else np.exp(log_numbers(disc.reported.probabilities, errors, 0.0)[TOKENS.index(disc.number)])
                for disc in scene
            ]
            + [0.0] * (len(TOKENS) - len(scene))
            for scene in scenes
        ]
    )
    inside = np.array([[index < len(scene) for index in range(len(TOKENS))] for scene in scenes])
    below = np.array(
        [[disc.below for disc in scene] + [False] * (len(TOKENS) - len(scene)) for scene in scenes], bool
    )
    missing = np.isnan(known) & inside
    found = inside & ~missing
    qualities = errors.qualities
    for _ in range(_ROUNDS):
        logs = np.array(
            [[np.log(one.share) + _likelihoods(scene, errors, one) for one in qualities] for scene in scenes]
        )
        weights = np.exp(logs - np.logaddexp.reduce(logs, axis=1)[:, None])
        new = []
        for index, one in enumerate(qualities):
            weight = weights[:, index, None]

            def rate(hit: Floats, all_: Floats, prior: float = _PRIOR, weight: Floats = weight) -> float:
                return float(((weight * hit).sum() + prior * 0.5) / ((weight * all_).sum() + prior))

            guess = one.unreadable / ((1.0 - one.unreadable) * np.where(found, known, 1.0) + one.unreadable)
            new.append(
                TokenQuality(
                    share=float((weights[:, index].sum() + _PRIOR) / (len(scenes) + _QUALITIES * _PRIOR)),
                    missed=rate(missing & ~below, inside & ~below),
                    missed_below=rate(missing & below, inside & below),
                    unreadable=rate(found * guess, found),
                )
            )
        qualities = tuple(new)
    return replace(errors, qualities=tuple(sorted(qualities, key=lambda one: one.missed)))


def _fit_numbers(scenes: Sequence[Sequence[Disc]], errors: ReaderErrorRates) -> ReaderErrorRates:
    def loss(values: Floats) -> float:
        now = replace(errors, number_power=float(np.exp(values[0])))
        shares = np.log([one.share for one in now.qualities])
        logs = [[_likelihoods(scene, now, one) for one in now.qualities] for scene in scenes]
        return -float(np.logaddexp.reduce(shares + np.array(logs), axis=1).mean())

    values = _minimised(loss, [np.log(errors.number_power)], "numbers of a picture")
    return replace(errors, number_power=float(np.exp(values[0])))


def _floor_loss(floor: float, cases: int) -> float:
    """Return the loss of made-up cases that are read wrongly though the reading is certain, among others."""
    return -_FLOOR_CASES * float(np.log(floor) + np.log1p(-floor)) / cases


def _minimised(loss: Callable[[Floats], float], start: Sequence[float], name: str) -> Floats:
    best = minimize(loss, np.array(start), method="Nelder-Mead", options={"xatol": 1e-2, "fatol": 1e-6})
    print(f"{name}: loss {loss(np.array(start)):.5f} before, {best.fun:.5f} after")
    values: Floats = np.asarray(best.x, np.float64)
    return values


def _rate(value: float) -> float:
    return float(1.0 / (1.0 + np.exp(-np.clip(value, -10.0, 4.0))))


def _logit(rate: float) -> float:
    return float(np.log(rate / (1.0 - rate)))


def fit(read: Sequence[Example], errors: ReaderErrorRates = FITTED) -> ReaderErrorRates:
    """Return the error rates of a reader on examples. errors: where the search begins."""
    for below in (False, True):
        errors = fit_tiles(read, errors, below=below)
    for step in (fit_spare, fit_wizards, fit_tokens):
        errors = step(read, errors)
    return errors


def main() -> None:
    """Print the constants."""
    read = list(examples(kept()))
    print(f"{len(read)} readings, shapes {len(set(SHAPES)) - 1}")
    print(fit(read))


if __name__ == "__main__":
    main()
