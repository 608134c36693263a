"""Log-likelihoods of tiles, tokens and wizards, from one or more readings of the same still board. Pure.

Pictures of one still scene show the same board, so their errors are correlated: their log-likelihoods are averaged,
not added. `companion.adapters.master.evidence.reading_errors` holds the rates at which readings err.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.adapters.master.evidence.reading_errors import FITTED, ReadingErrors, TokenQuality
from companion.games.master.components import FIXED, LOOSE, PLACES, SIZE, TOKENS
from companion.games.master.maze import Maze, letters, rotated, shape
from vision.games.master.objects.orientation import turned_openings, turned_place, turned_wizard
from vision.games.master.readings import MazeReading, TileReading, TokenReading

Floats = NDArray[np.float64]

SPARE: Final = PLACES
"""Index of the spare tile where places are listed; things may be left on it."""
NONE: Final = len(TOKENS)
"""Index of "no token" where tokens are listed."""

ORIENTED: Final = 8.0
"""Log-likelihood ratio for the orientation that a reading names over each other one."""
_STANDS: Final = 0.5
"""Confidence from which a wizard is taken to stand where it is read."""
SHAPES: Final = tuple(shape(value) for value in range(16))
"""The tile of the box by its openings; "" for impossible ones."""
BITS: Final = {letters(value): value for value in range(16) if SHAPES[value]}
"""The ten possible openings."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Log-likelihoods of what lies and stands on the board."""

    tiles: Floats
    """Of the openings (four bits) of the tile on each place, shape (49, 16); 0 for fixed tiles."""
    spare: Floats
    """Of the openings of the spare, shape (16,): the same for all rotations of a tile."""
    qualities: Floats
    """Log-prior of each quality of the tokens' pictures, shape (q,)."""
    tokens: Floats
    """Of each token, or none, on each place or the spare, for each quality, shape (q, 50, 22)."""
    tokens_below: Floats
    """The same where a wizard stands."""
    wizards: Floats
    """Of each place or the spare for the wizard of each seat, shape (seats, 50)."""

    @property
    def any_tokens(self) -> Floats:
        """Log-likelihood of each token, or none, on each place or the spare in the best quality, shape (50, 22)."""
        best: Floats = self.tokens[0]
        return best

    def wizard_scores(self, should: Sequence[int], seat: int, other: int | None = None) -> Floats:
        """Return the log-likelihood of every place of one or two wizards while the others stand where they should.

        should: place of each seat's wizard. Shape (50,), by the seat's place; with another seat (50, 50).
        """
        free = (seat, other)
        rest = sum(self.wizards[one, place] for one, place in enumerate(should) if one not in free)
        first = self.wizards[seat]
        scores: Floats = rest + (first if other is None else first[:, None] + self.wizards[other])
        return scores

    def board_score(self, maze: Maze) -> float:
        """Return the log-likelihood of a maze with its spare."""
        return float(self.tiles[np.arange(PLACES), maze.tiles()].sum() + self.spare[maze.spare])

    @property
    def best_board_score(self) -> float:
        """The greatest log-likelihood of any tiles, also of impossible ones."""
        return float(self.tiles.max(axis=1).sum() + self.spare.max())


def evidence(
    readings: Sequence[MazeReading],
    colours: Sequence[str],
    expected: Maze | None = None,
    errors: ReadingErrors = FITTED,
) -> Evidence | None:
    """Return what readings of a whole board show; None without any. colours: of the wizards in play, by seat.

    expected: the board before, by which a reading is turned that does not show how the board lies. errors: of the
    reader.
    """
    whole = [
        oriented(reading, expected)
        for reading in readings
        if reading.state == "board" and len(reading.tiles) == PLACES
    ]
    if not whole:
        return None
    tokens = [[_tokens(reading, errors, one, one.missed) for one in errors.qualities] for reading in whole]
    below = [[_tokens(reading, errors, one, one.missed_below) for one in errors.qualities] for reading in whole]
    return Evidence(
        tiles=np.mean([_tiles(reading, errors) for reading in whole], axis=0),
        spare=np.mean([_spare(reading.spare, errors) for reading in whole], axis=0),
        qualities=np.log([one.share for one in errors.qualities]),
        tokens=np.mean(tokens, axis=0),
        tokens_below=np.mean(below, axis=0),
        wizards=np.mean([_wizards(reading, colours, errors) for reading in whole], axis=0),
    )


def oriented(reading: MazeReading, expected: Maze | None) -> MazeReading:
    """Return a whole reading turned as the expected board lies, if any."""
    return turned(reading, _quarter_turns(reading, expected))


def _quarter_turns(reading: MazeReading, expected: Maze | None) -> int:
    """Return the clockwise quarter turns after which a reading fits the expected board best."""
    if expected is None:
        return 0
    scores, tiles = _tiles(reading, FITTED), expected.tiles()

    def score(quarters: int) -> float:
        prior = ORIENTED if reading.oriented and quarters == 0 else 0.0
        turned_tiles = [rotated(tiles[turned_place(place, quarters)], -quarters) for place in LOOSE]
        return prior + float(scores[list(LOOSE), turned_tiles].sum())

    return max(range(4), key=score)


def turned(reading: MazeReading, quarters: int) -> MazeReading:
    """Return a reading with places and openings turned clockwise by quarter turns; boxes and corners stay."""
    if not quarters:
        return reading

    def there(place: int | None) -> int | None:
        return None if place is None else turned_place(place, quarters)

    tiles = {turned_place(place, quarters): tile for place, tile in enumerate(reading.tiles)}
    return replace(
        reading,
        tiles=tuple(_turned_tile(tile, quarters) for _, tile in sorted(tiles.items())),
        tokens=tuple(replace(disc, place=there(disc.place)) for disc in reading.tokens),
        wizards=tuple(turned_wizard(one, quarters) for one in reading.wizards),
        possible_wizards=tuple(turned_wizard(one, quarters) for one in reading.possible_wizards),
        covered=frozenset(turned_place(place, quarters) for place in reading.covered),
        under_wizards=frozenset(there(place) for place in reading.under_wizards),
    )


def _turned_tile(tile: TileReading, quarters: int) -> TileReading:
    probabilities = {turned_openings(each, quarters): p for each, p in tile.probabilities.items()}
    return replace(tile, openings=turned_openings(tile.openings, quarters), probabilities=probabilities)


def _tiles(reading: MazeReading, errors: ReadingErrors) -> Floats:
    scores, hidden = np.zeros((PLACES, 16)), places_below(reading)
    for place, tile in enumerate(reading.tiles):
        if place not in FIXED and place not in reading.covered:
            scores[place] = log_openings(tile.probabilities, errors, below=place in hidden)
    return scores


def places_below(reading: MazeReading) -> set[int | None]:
    """Return the places on which a wizard is read."""
    return {wizard.place for wizard in reading.wizards if wizard.confidence > _STANDS}


def log_openings(probabilities: Mapping[str, float], errors: ReadingErrors, *, below: bool) -> Floats:
    """Return the log-likelihood of each of the sixteen openings of a loose tile. below: whether under a wizard."""
    known = np.zeros(16)
    for openings, probability in probabilities.items():
        known[BITS[openings]] += probability
    floor = errors.hidden_tile if below else errors.tile
    power = errors.hidden_tile_power if below else errors.tile_power
    scores: Floats = np.log((1.0 - floor) * _raised(known, power) + floor / len(BITS))
    return scores


def _raised(probabilities: Floats, power: float) -> Floats:
    """Return probabilities raised to a power; they still add up to 1."""
    raised = probabilities**power
    shares: Floats = raised / max(float(raised.sum()), 1e-300)
    return shares


def _spare(reading: TileReading | None, errors: ReadingErrors) -> Floats:
    return np.zeros(16) if reading is None else log_shapes(reading.probabilities, errors)


def log_shapes(probabilities: Mapping[str, float], errors: ReadingErrors) -> Floats:
    """Return the log-likelihood of the shape of each of the sixteen openings of the spare."""
    shapes = dict.fromkeys(SHAPES[1:], 0.0)
    for openings, probability in probabilities.items():
        shapes[SHAPES[BITS[openings]]] += probability
    raised = {shape: probability**errors.spare_power for shape, probability in shapes.items()}
    total = sum(raised.values())
    return np.log([(1.0 - errors.spare) * raised.get(one, 0.0) / total + errors.spare / 3.0 for one in SHAPES])


def _tokens(reading: MazeReading, errors: ReadingErrors, quality: TokenQuality, missed: float) -> Floats:
    """Return the log-likelihood of each token on each place; missed: probability that a disc is not reported."""
    scores = np.full((PLACES + 1, len(TOKENS) + 1), math.log(missed))
    scores[:, NONE] = math.log(1.0 - errors.false)
    discs: dict[int, TokenReading] = {}
    for disc in sorted(reading.tokens, key=lambda disc: disc.confidence):
        discs[SPARE if disc.place is None else disc.place] = disc
    # Each number is read once at most: a disc that is none gets one that no other disc shows.
    others = len({disc.number for disc in discs.values()}) - 1
    for place, disc in discs.items():
        scores[place, NONE] = math.log(len(TOKENS) / max(1, len(TOKENS) - others))
        scores[place, :NONE] = math.log(1.0 - missed) + presence(disc.probabilities, errors)
        scores[place, :NONE] += log_numbers(disc.probabilities, errors, quality.unreadable)
    scores[[place for place in reading.covered if place < PLACES]] = 0.0
    return scores


def presence(probabilities: Mapping[int, float], errors: ReadingErrors) -> float:
    """Return the log-likelihood ratio of a reported disc to a tile without one, apart from its number."""
    known = min(0.999, max(0.001, sum(probabilities.values())))
    offset, weight = errors.presence
    return offset + weight * math.log(known / (1.0 - known))


def log_numbers(probabilities: Mapping[int, float], errors: ReadingErrors, unreadable: float) -> Floats:
    """Return the log-likelihood of each number of a disc, relative to that of any disc; shape (21,)."""
    known = _raised(np.array([probabilities.get(number, 0.0) for number in TOKENS]), errors.number_power)
    return np.log((1.0 - unreadable) * len(TOKENS) * known + unreadable)


def _wizards(reading: MazeReading, colours: Sequence[str], errors: ReadingErrors) -> Floats:
    """Return the log-likelihood of each place or the spare for the wizard of each colour, shape (seats, 50)."""
    rows: dict[str, Mapping[int | None, float]] = {
        one.colour: one.places for one in (*reading.wizards, *reading.possible_wizards)
    }
    return np.array([log_places(rows.get(colour, {}), errors) for colour in colours])


def log_places(probabilities: Mapping[int | None, float], errors: ReadingErrors) -> Floats:
    """Return the log-likelihood of each place or the spare for a wizard in play, shape (50,).

    The probability that it stands nowhere says that it was not seen, not where it is: only the shares of the places
    count. probabilities: empty where it was not seen at all.
    """
    listed = np.zeros(PLACES + 1)
    for place, probability in probabilities.items():
        listed[SPARE if place is None else place] += probability
    places = _raised(listed if listed.any() else np.ones_like(listed), errors.wizard_power)
    likelihoods = (1.0 - errors.beside - errors.wizard) * places + errors.wizard / (PLACES + 1)
    square = np.pad(places[:PLACES].reshape(SIZE, SIZE), 1)
    near = square[:-2, 1:-1] + square[2:, 1:-1] + square[1:-1, :-2] + square[1:-1, 2:]
    likelihoods[:PLACES] += errors.beside / 4.0 * near.ravel()
    scores: Floats = np.log(likelihoods)
    return scores
