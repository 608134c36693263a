"""Log-likelihoods of tiles, tokens and wizards, from one or more readings of the same still board. Pure.

Errors in pictures of one still scene are correlated, so log-likelihoods are averaged over the readings, not added.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.adapters.master.evidence.reader_error_rates import FITTED, ReaderErrorRates, TokenQuality
from companion.games.master.components import FIXED, LOOSE, PLACES, SIZE, TOKENS
from companion.games.master.maze import Maze, letters, rotated, shape
from vision.games.master.objects.board_orientation import turned_openings, turned_place, turned_wizard
from vision.games.master.readings import MazeReading, TileReading, TokenReading

Floats = NDArray[np.float64]

SPARE: Final = PLACES
"""Index of the spare tile in arrays by place: a token or wizard may be left on it."""
NONE: Final = len(TOKENS)
"""Index of "no token" in arrays by token."""

ORIENTED: Final = 8.0
"""Log-likelihood ratio of the orientation that a reading reports to each other orientation."""
_MIN_STANDING: Final = 0.5
"""Confidence above which a wizard counts as standing where it is read."""
_BY_CHANCE: Final = 0.05
"""Sum of the probabilities of a wizard's places below which it counts as not found."""
SHAPES: Final = tuple(shape(value) for value in range(16))
"""Shape of a tile (`TB`, `TR` or `TRL`) by its openings as four bits; "" for openings that no tile has."""
BITS: Final = {letters(value): value for value in range(16) if SHAPES[value]}
"""Four bits of each of the ten possible openings, by their letters, such as `TRL`."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Log-likelihoods of the tiles, tokens and wizards on the board.

    Arrays by place have 49 places, then the spare where stated; arrays by token have 21 tokens, then "no token".
    """

    tiles: Floats
    """For each place and each openings (four bits) of its tile, shape (49, 16); 0 for fixed tiles."""
    spare: Floats
    """For each openings of the spare, shape (16,); equal for all rotations of a shape."""
    qualities: Floats
    """Log-prior of each class of pictures (`TokenQuality`), shape (q,)."""
    tokens: Floats
    """For each class of pictures, place or spare, and token or none, without a wizard there; shape (q, 50, 22)."""
    tokens_below: Floats
    """As `tokens`, with a wizard there."""
    wizards: Floats
    """For the wizard of each seat and each place or the spare, shape (seats, 50)."""

    @property
    def clear_picture_tokens(self) -> Floats:
        """The array of `tokens` for the class of pictures with the fewest errors, shape (50, 22)."""
        best: Floats = self.tokens[0]
        return best

    def wizard_scores(self, should: Sequence[int], seat: int, other: int | None = None) -> Floats:
        """Return log-likelihoods of the places of all wizards, where one or two of them may stand anywhere.

        should: place of each wizard, by seat, used for all others. seat, other: seats of those that may stand
        anywhere. Returns shape (50,), by the place of `seat`'s wizard; with `other`, (50, 50) by the places of
        both.
        """
        free = (seat, other)
        rest = sum(self.wizards[one, place] for one, place in enumerate(should) if one not in free)
        first = self.wizards[seat]
        scores: Floats = rest + (first if other is None else first[:, None] + self.wizards[other])
        return scores

    def board_score(self, maze: Maze) -> float:
        """Return the log-likelihood of all tiles of a maze, the spare included."""
        return float(self.tiles[np.arange(PLACES), maze.tiles()].sum() + self.spare[maze.spare])

    @property
    def best_board_score(self) -> float:
        """The log-likelihood of the likeliest openings of every tile, even if the box lacks such tiles."""
        return float(self.tiles.max(axis=1).sum() + self.spare.max())


def evidence(
    readings: Sequence[MazeReading],
    colours: Sequence[str],
    expected: Maze | None = None,
    errors: ReaderErrorRates = FITTED,
) -> Evidence | None:
    """Return the evidence from those readings that show the whole board; None if none does.

    colours: of the wizards in play, by seat. expected: board before the turn; each reading is rotated by quarter
    turns to fit it, mostly by none if it shows the board's orientation; None leaves readings as they are. errors:
    error rates of the reader.
    """
    whole = [oriented(reading, expected) for reading in readings if _is_whole(reading)]
    if not whole:
        return None
    tokens = [
        [_token_likelihoods(reading, errors, one, one.missed) for one in errors.qualities] for reading in whole
    ]
    below = [
        [_token_likelihoods(reading, errors, one, one.missed_below) for one in errors.qualities]
        for reading in whole
    ]
    return Evidence(
        tiles=np.mean([_tile_likelihoods(reading, errors) for reading in whole], axis=0),
        spare=np.mean([_spare_likelihoods(reading.spare, errors) for reading in whole], axis=0),
        qualities=np.log([one.share for one in errors.qualities]),
        tokens=np.mean(tokens, axis=0),
        tokens_below=np.mean(below, axis=0),
        wizards=np.mean([_wizard_likelihoods(reading, colours, errors) for reading in whole], axis=0),
    )


def most_are_whole(readings: Sequence[MazeReading]) -> bool:
    """Return whether more than half of the readings show the whole board."""
    return 2 * sum(map(_is_whole, readings)) > len(readings)


def unread_reason(readings: Sequence[MazeReading]) -> str:
    """Return the first reason why a reading does not show the whole board; empty where none has one."""
    return next((one.reason for one in readings if one.reason and not _is_whole(one)), "")


def _is_whole(reading: MazeReading) -> bool:
    return reading.state == "board" and len(reading.tiles) == PLACES


def oriented(reading: MazeReading, expected: Maze | None) -> MazeReading:
    """Return a reading of a whole board, rotated by quarter turns to fit the expected board best.

    It is unchanged if `expected` is None.
    """
    return turned(reading, _quarter_turns(reading, expected))


def _quarter_turns(reading: MazeReading, expected: Maze | None) -> int:
    """Return the number of clockwise quarter turns by which a reading fits the expected board best."""
    if expected is None:
        return 0
    scores, tiles = _tile_likelihoods(reading, FITTED), expected.tiles()

    def score(quarters: int) -> float:
        prior = ORIENTED if reading.oriented and quarters == 0 else 0.0
        turned_tiles = [rotated(tiles[turned_place(place, quarters)], -quarters) for place in LOOSE]
        return prior + float(scores[list(LOOSE), turned_tiles].sum())

    return max(range(4), key=score)


def turned(reading: MazeReading, quarters: int) -> MazeReading:
    """Return a reading with places and openings rotated by clockwise quarter turns.

    Boxes and corners, in pixels, stay the same.
    """
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


def _tile_likelihoods(reading: MazeReading, errors: ReaderErrorRates) -> Floats:
    """Return one reading's log-likelihood of each openings (four bits) on each place, shape (49, 16).

    It is 0 for fixed and for covered tiles.
    """
    scores, hidden = np.zeros((PLACES, 16)), places_with_wizards(reading)
    for place, tile in enumerate(reading.tiles):
        if place not in FIXED and place not in reading.covered:
            scores[place] = log_openings(tile.probabilities, errors, below=place in hidden)
    return scores


def places_with_wizards(reading: MazeReading) -> set[int | None]:
    """Return the places on which a wizard is read; None stands for the spare tile."""
    return {wizard.place for wizard in reading.wizards if wizard.confidence > _MIN_STANDING}


def log_openings(probabilities: Mapping[str, float], errors: ReaderErrorRates, *, below: bool) -> Floats:
    """Return the log-likelihood of each of the 16 values of a loose tile's openings (four bits), shape (16,).

    probabilities: as read, by the openings' letters. below: whether a wizard stands on the tile.
    """
    known = np.zeros(16)
    for openings, probability in probabilities.items():
        known[BITS[openings]] += probability
    floor = errors.hidden_tile if below else errors.tile
    power = errors.hidden_tile_power if below else errors.tile_power
    scores: Floats = np.log((1.0 - floor) * _raised(known, power) + floor / len(BITS))
    return scores


def _raised(probabilities: Floats, power: float) -> Floats:
    """Return probabilities raised to a power and normalised to a sum of 1."""
    raised = probabilities**power
    shares: Floats = raised / max(float(raised.sum()), 1e-300)
    return shares


def _spare_likelihoods(reading: TileReading | None, errors: ReaderErrorRates) -> Floats:
    return np.zeros(16) if reading is None else log_shapes(reading.probabilities, errors)


def log_shapes(probabilities: Mapping[str, float], errors: ReaderErrorRates) -> Floats:
    """Return the log-likelihood of each of the 16 values of the spare's openings (four bits), shape (16,).

    Only the shape counts: all rotations of it are equal. probabilities: as read, by the openings' letters.
    """
    shapes = dict.fromkeys(SHAPES[1:], 0.0)
    for openings, probability in probabilities.items():
        shapes[SHAPES[BITS[openings]]] += probability
    raised = {shape: probability**errors.spare_power for shape, probability in shapes.items()}
    total = sum(raised.values())
    return np.log([(1.0 - errors.spare) * raised.get(one, 0.0) / total + errors.spare / 3.0 for one in SHAPES])


def _token_likelihoods(
    reading: MazeReading, errors: ReaderErrorRates, quality: TokenQuality, missed: float
) -> Floats:
    """Return one reading's log-likelihood of each token, or none, on each place or the spare: shape (50, 22).

    quality: error rates of a class of pictures. missed: probability that a disc is not reported.
    """
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


def presence(probabilities: Mapping[int, float], errors: ReaderErrorRates) -> float:
    """Return the log-likelihood ratio of a token to no token where a disc was reported, whatever its number.

    probabilities: of each number, as read; their sum is the probability that the disc is a token.
    """
    known = min(0.999, max(0.001, sum(probabilities.values())))
    offset, weight = errors.presence
    return offset + weight * math.log(known / (1.0 - known))


def log_numbers(probabilities: Mapping[int, float], errors: ReaderErrorRates, unreadable: float) -> Floats:
    """Return the log-likelihood of each number of a reported disc relative to the mean over all; shape (21,).

    probabilities: of each number, as read. unreadable: probability that these are no evidence.
    """
    known = _raised(np.array([probabilities.get(number, 0.0) for number in TOKENS]), errors.number_power)
    return np.log((1.0 - unreadable) * len(TOKENS) * known + unreadable)


def _wizard_likelihoods(reading: MazeReading, colours: Sequence[str], errors: ReaderErrorRates) -> Floats:
    """Return one reading's log-likelihood of each place or the spare for each wizard, shape (seats, 50).

    colours: of the wizards, by seat.
    """
    rows: dict[str, Mapping[int | None, float]] = {
        one.colour: one.places for one in (*reading.wizards, *reading.possible_wizards)
    }
    return np.array([log_places(rows.get(colour, {}), errors) for colour in colours])


def log_places(probabilities: Mapping[int | None, float], errors: ReaderErrorRates) -> Floats:
    """Return the log-likelihood of each place or the spare for one wizard in play, shape (50,).

    probabilities: of each place (None: the spare), as read; empty if the wizard was not found. They are normalised,
    since a wizard in play stands somewhere even if it is not found, unless their sum is as small as by chance.
    """
    listed = np.zeros(PLACES + 1)
    for place, probability in probabilities.items():
        listed[SPARE if place is None else place] += probability
    found = listed.sum() >= _BY_CHANCE
    places = _raised(listed if found else np.ones_like(listed), errors.wizard_power)
    likelihoods = (1.0 - errors.beside - errors.wizard) * places + errors.wizard / (PLACES + 1)
    square = np.pad(places[:PLACES].reshape(SIZE, SIZE), 1)
    near = square[:-2, 1:-1] + square[2:, 1:-1] + square[1:-1, :-2] + square[1:-1, 2:]
    likelihoods[:PLACES] += errors.beside / 4.0 * near.ravel()
    scores: Floats = np.log(likelihoods)
    return scores
