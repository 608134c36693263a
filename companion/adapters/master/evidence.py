"""Log-likelihoods of tiles, tokens and wizards, from one or more readings of the same still board. Pure.

Pictures of one still scene show the same board, so their errors are correlated: their log-likelihoods are averaged,
not added. Every probability has a floor, the rate of readings that are wrong though they are certain.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.master.components import FIXED, LOOSE, PLACES, SIZE, TOKENS
from companion.games.master.maze import Maze, letters, rotated, shape
from vision.games.master.objects.orientation import turned_openings, turned_place
from vision.games.master.readings import MazeReading, TileReading, TokenReading, WizardReading

Floats = NDArray[np.float64]

SPARE: Final = PLACES
"""Index of the spare tile where places are listed; things may be left on it."""
NONE: Final = len(TOKENS)
"""Index of "no token" where tokens are listed."""

TILE_ERROR: Final = 1e-4
"""Probability that a tile is read wrongly though the reading is certain."""
SPARE_ERROR: Final = 1e-2
"""The same for the shape of the spare, which may be confused with other things on the table."""
TOKEN_ERROR: Final = 0.05
"""The same for the number on a disc: another print than the enrolled one errs again and again."""
TOKEN_MISSED: Final = 3e-3
"""Probability that a disc is not detected."""
TOKEN_MISSED_BELOW: Final = 0.95
"""The same for a disc on whose place a wizard stands: of 39 in synthetic pictures 1 was detected."""
TOKEN_FALSE: Final = 1e-3
"""Probability that a disc is detected on a tile without one."""
WIZARD_BESIDE: Final = 5e-4
"""Probability that a wizard is read on a place beside its own though the reading is certain."""
WIZARD_ERROR: Final = 1e-4
"""Probability that it is read anywhere else."""
ORIENTED: Final = 8.0
"""Log-likelihood ratio for the orientation that a reading names over each other one."""
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
    tokens: Floats
    """Of each token, or none, on each place or the spare, shape (50, 22)."""
    tokens_below: Floats
    """The same where a wizard stands."""
    wizards: Floats
    """Of each place or the spare for the wizard of each seat, shape (seats, 50)."""

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
    readings: Sequence[MazeReading], colours: Sequence[str], expected: Maze | None = None
) -> Evidence | None:
    """Return what readings of a whole board show; None without any. colours: of the wizards in play, by seat.

    expected: the board before, by which a reading is turned that does not show how the board lies.
    """
    whole = [
        turned(reading, _quarter_turns(reading, expected))
        for reading in readings
        if reading.state == "board" and len(reading.tiles) == PLACES
    ]
    if not whole:
        return None
    below = [_tokens(reading, TOKEN_MISSED_BELOW) for reading in whole]
    return Evidence(
        tiles=np.mean([_tiles(reading) for reading in whole], axis=0),
        spare=np.mean([_spare(reading.spare) for reading in whole], axis=0),
        tokens=np.mean([_tokens(reading, TOKEN_MISSED) for reading in whole], axis=0),
        tokens_below=np.mean(below, axis=0),
        wizards=np.mean([_wizards(reading.wizards, colours) for reading in whole], axis=0),
    )


def _quarter_turns(reading: MazeReading, expected: Maze | None) -> int:
    """Return the clockwise quarter turns after which a reading fits the expected board best."""
    if expected is None:
        return 0
    scores, tiles = _tiles(reading), expected.tiles()

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
        wizards=tuple(
            replace(
                wizard,
                place=there(wizard.place),
                places={there(place): probability for place, probability in wizard.places.items()},
            )
            for wizard in reading.wizards
        ),
        covered=frozenset(turned_place(place, quarters) for place in reading.covered),
        under_wizards=frozenset(there(place) for place in reading.under_wizards),
    )


def _turned_tile(tile: TileReading, quarters: int) -> TileReading:
    probabilities = {turned_openings(each, quarters): p for each, p in tile.probabilities.items()}
    return replace(tile, openings=turned_openings(tile.openings, quarters), probabilities=probabilities)


def _tiles(reading: MazeReading) -> Floats:
    scores = np.zeros((PLACES, 16))
    for place, tile in enumerate(reading.tiles):
        if place not in FIXED and place not in reading.covered:
            scores[place] = _log_openings(tile.probabilities)
    return scores


def _log_openings(probabilities: Mapping[str, float]) -> Floats:
    """Return the log-likelihood of each of the sixteen openings."""
    known = [0.0] * 16
    for openings, probability in probabilities.items():
        known[BITS[openings]] += probability
    return np.log((1.0 - TILE_ERROR) * np.array(known) + TILE_ERROR / len(BITS))


def _spare(reading: TileReading | None) -> Floats:
    if reading is None:
        return np.zeros(16)
    shapes: dict[str, float] = {}
    for openings, probability in reading.probabilities.items():
        tile = SHAPES[BITS[openings]]
        shapes[tile] = shapes.get(tile, 0.0) + probability
    scores = [(1.0 - SPARE_ERROR) * shapes.get(tile, 0.0) + SPARE_ERROR / 3.0 for tile in SHAPES]
    return np.log(scores)


def _tokens(reading: MazeReading, missed: float) -> Floats:
    """Return the log-likelihood of each token on each place; missed: probability that a disc is not detected."""
    scores = np.full((PLACES + 1, len(TOKENS) + 1), math.log(missed))
    scores[:, NONE] = math.log(1.0 - TOKEN_FALSE)
    discs: dict[int, TokenReading] = {}
    for disc in sorted(reading.tokens, key=lambda disc: disc.confidence):
        discs[SPARE if disc.place is None else disc.place] = disc
    for place, disc in discs.items():
        numbers = np.array([disc.probabilities.get(number, 0.0) for number in TOKENS])
        known = min(1.0, float(numbers.sum()))
        scores[place, :NONE] = np.log((1.0 - TOKEN_ERROR) * numbers + TOKEN_ERROR / len(TOKENS))
        scores[place, NONE] = math.log((1.0 - TOKEN_FALSE) * (1.0 - known) + TOKEN_FALSE)
    scores[[place for place in reading.covered if place < PLACES]] = 0.0
    return scores


def _wizards(wizards: Sequence[WizardReading], colours: Sequence[str]) -> Floats:
    """Return the log-likelihood of each place or the spare for the wizard of each colour, shape (seats, 50)."""
    places = np.zeros((len(colours), PLACES + 1))
    for wizard in wizards:
        if wizard.colour in colours:
            row = places[colours.index(wizard.colour)]
            for place, probability in wizard.places.items():
                row[SPARE if place is None else place] += probability
    unseen = np.maximum(0.0, 1.0 - places.sum(axis=1, keepdims=True))
    known = 1.0 - WIZARD_BESIDE - WIZARD_ERROR
    likelihoods = known * places + (WIZARD_ERROR + unseen) / (PLACES + 1)
    beside = np.pad(places[:, :PLACES].reshape(-1, SIZE, SIZE), ((0, 0), (1, 1), (1, 1)))
    near = beside[:, :-2, 1:-1] + beside[:, 2:, 1:-1] + beside[:, 1:-1, :-2] + beside[:, 1:-1, 2:]
    likelihoods[:, :PLACES] += WIZARD_BESIDE / 4.0 * near.reshape(-1, PLACES)
    scores: Floats = np.log(likelihoods)
    return scores
