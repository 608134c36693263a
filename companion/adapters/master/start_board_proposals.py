"""Proposes the board at the start of a game (`LayBoard`, M1) from readings of it.

How many tiles of each shape and which tokens the box holds is the prior: no tile or token is proposed twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.translatable import Line, say
from companion.adapters.master.evidence.board_likelihoods import (
    BITS,
    NONE,
    SPARE,
    Evidence,
    Floats,
    evidence,
    most_are_whole,
    unread_reason,
)
from companion.adapters.master.evidence.player_statements import with_statements
from companion.adapters.master.questions import which_tile, which_token
from companion.games.master.components import LOOSE, PLACES, TOKEN_PLACES, TOKENS
from companion.games.master.moves import LayBoard, Move
from companion.games.master.state import MasterState
from companion.games.master.text.move_descriptions import place_name
from companion.referee.finding import Finding
from companion.referee.proposal import Choice, Doubt, Proposal, Question
from companion.table.game_adapter import Statement
from vision.games.master.field.tiles.shape_posterior import OPENINGS, SHAPE, posterior
from vision.games.master.objects.tokens.number_assignment import assignment_marginals
from vision.games.master.readings import MazeReading

SURE: Final = 0.98
"""Minimum probability at which a tile or token needs no confirmation."""
LAID: Final = 18
"""Minimum number of discs on a board that counts as completely laid; below it, people are still laying it."""
ASTRAY: Final = 3.0
"""Minimum log-likelihood ratio at which a token or wizard on a forbidden place is pointed out to the players."""
_MIN_ANSWER: Final = 0.01
"""Minimum probability of openings or of a number that is offered as an answer."""
_MOST_CHOICES: Final = 3
"""Maximum number of answers to a question."""
_MOST_DOUBTS: Final = 3
"""Maximum number of doubts that one question names."""
_NO_NUMBER: Final = 20.0
"""Log-likelihood of a disc without any number, below that of its best number."""
_SETTLED: Final = 0.999
"""Minimum probability at which several tiles are fixed in one pass; otherwise only the most probable one is."""
_SPARE_TILE: Final = len(LOOSE)
"""Index of the spare in lists of tiles: behind the loose tiles on the board."""


@dataclass(frozen=True, eq=False)
class _Fitted:
    """Values of all tiles, or of all token places, that agree with the box."""

    values: tuple[int, ...]
    """Index into `OPENINGS` for each loose tile, the spare last; or into `TOKENS` for each of `TOKEN_PLACES`."""
    probability: float
    """Probability that all of them are right."""


@dataclass(frozen=True, eq=False)
class _Laid:
    """A possible board that uses exactly the tiles and tokens in the box."""

    tiles: _Fitted
    """The loose tiles and the spare."""
    tokens: _Fitted
    """The tokens."""

    @property
    def probability(self) -> float:
        """Probability that this is the board."""
        return self.tiles.probability * self.tokens.probability

    def move(self) -> LayBoard:
        """Return the move that enters this board in the journal."""
        openings = [OPENINGS[tile] for tile in self.tiles.values]
        numbers = tuple(TOKENS[index] for index in self.tokens.values)
        return LayBoard(tuple(openings[:_SPARE_TILE]), openings[_SPARE_TILE], numbers)


def propose_board(
    state: MasterState, names: Sequence[str], readings: Sequence[MazeReading], statements: Sequence[Statement] = ()
) -> Finding[Move]:
    """Return the board that readings show, with questions about uncertain tiles and tokens; or why there is none.

    Nothing is proposed while people are still laying it, or unless most readings show the whole board. readings: of
    several pictures of one still scene. names: by seat. statements: what people stated to lie on the table.
    """

    def evidence_of(read: Sequence[MazeReading]) -> Evidence | None:
        return evidence([one for one in read if one.oriented], [player.colour for player in state.players])

    if not most_are_whole(readings):
        return Finding(unread=unread_reason(readings))
    seen = evidence_of(readings)
    if seen is None:
        return Finding(
            unread=say(
                "The start rings are not seen, so how the board lies is unknown. Stand each wizard on its ring."
            )
        )
    seen = with_statements(seen, statements, evidence_of)
    if (
        np.count_nonzero(
            seen.clear_picture_tokens[:PLACES, :NONE].max(axis=1) > seen.clear_picture_tokens[:PLACES, NONE]
        )
        < LAID
    ):
        return Finding(supersedes=True)
    tiles, tokens = _tile_likelihoods(seen), _token_likelihoods(seen)
    by_tile, by_place = _tile_posterior(tiles), _token_posterior(tokens)
    laid = _Laid(_fitted_tiles(tiles), _fitted_tokens(tokens))
    chosen_tiles = by_tile[np.arange(len(by_tile)), laid.tiles.values]
    chosen_tokens = by_place[np.arange(len(by_place)), laid.tokens.values]
    unsure = [
        *((float(p), index, True) for index, p in enumerate(chosen_tiles) if p < SURE),
        *((float(p), index, False) for index, p in enumerate(chosen_tokens) if p < SURE),
    ]
    doubts = [*_misplaced(state, names, seen), *(_doubt(index, tile) for _, index, tile in sorted(unsure))]
    boards = [laid]
    if unsure:
        _, index, is_tile = min(unsure)
        boards += _alternatives(laid, tiles, tokens, by_tile if is_tile else by_place, index, is_tile)
        boards.sort(key=lambda board: -board.probability)
    choices = tuple(Choice((board.move(),), board.probability) for board in boards[:_MOST_CHOICES])
    return Finding(Proposal((Question(None, choices, tuple(doubts[:_MOST_DOUBTS])),)))


def _tile_likelihoods(seen: Evidence) -> Floats:
    """Return the log-likelihood of each of the ten openings of each loose tile, the spare last; (34, 10)."""
    columns = [BITS[openings] for openings in OPENINGS]
    rows = np.vstack([seen.tiles[list(LOOSE)], seen.spare])
    found: Floats = rows[:, columns]
    return found


def _token_likelihoods(seen: Evidence) -> Floats:
    """Return the log-likelihood of each number on each place of `TOKEN_PLACES`; shape (21, 21)."""
    found: Floats = seen.clear_picture_tokens[list(TOKEN_PLACES), :NONE]
    return found


def _tile_posterior(likelihoods: Floats) -> Floats:
    """Return the probability of each of `OPENINGS` of each loose tile, the spare last; shape (34, 10).

    Of the spare only the shape counts: the first rotation of a shape has the probability of all of them.
    likelihoods: logarithms, of the same shape.
    """
    probabilities = posterior(np.exp(likelihoods))[0]
    by_shape = np.bincount(SHAPE, probabilities[_SPARE_TILE])
    probabilities[_SPARE_TILE] = 0.0
    probabilities[_SPARE_TILE, np.unique(SHAPE, return_index=True)[1]] = by_shape
    return probabilities


def _token_posterior(likelihoods: Floats) -> Floats:
    """Return the probability of each number on each token place if each occurs once; (21 places, 21 numbers).

    likelihoods: log-likelihoods of the same shape.
    """
    return assignment_marginals(likelihoods, likelihoods.max(axis=1) - _NO_NUMBER)


def _fitted_tiles(likelihoods: Floats, index: int | None = None, openings: int = 0) -> _Fitted:
    """Return likely openings of all loose tiles for which the box holds the tiles.

    The most certain tiles are fixed first. index, openings: a tile that is fixed before all others, and its
    openings, both as indices.
    """
    known, settled, probability = likelihoods.copy(), set[int](), 1.0
    while len(settled) < len(known):
        probabilities = _tile_posterior(known)
        best = probabilities.max(axis=1)
        best[list(settled)] = -1.0
        sure = np.flatnonzero(best >= min(_SETTLED, best.max())).tolist()
        fixed = {tile: int(probabilities[tile].argmax()) for tile in sure}
        if index is not None and not settled:
            fixed = {index: openings}
        for tile, value in fixed.items():
            probability *= float(probabilities[tile, value])
            _make_certain(known, tile, value)
            settled.add(tile)
    return _Fitted(tuple(int(row.argmax()) for row in known), probability)


def _fitted_tokens(likelihoods: Floats, index: int | None = None, number: int = 0) -> _Fitted:
    """Return a likely, different number for each token place.

    The most certain places are fixed first. index, number: a place that is fixed before all others, and its number,
    both as indices.
    """
    known, left, probability = likelihoods.copy(), set(range(len(likelihoods))), 1.0
    while left:
        probabilities = _token_posterior(known)
        place = max(left, key=lambda one: float(probabilities[one].max()))
        value = int(probabilities[place].argmax())
        if index is not None and len(left) == len(known):
            place, value = index, number
        probability *= float(probabilities[place, value])
        _make_number_certain(known, place, value)
        left.remove(place)
    return _Fitted(tuple(int(row.argmax()) for row in known), probability)


def _make_certain(likelihoods: Floats, row: int, column: int) -> None:
    """Set a row of log-likelihoods, in place, so that only one column is possible."""
    likelihoods[row] = -20.0
    likelihoods[row, column] = 0.0


def _make_number_certain(likelihoods: Floats, place: int, number: int) -> None:
    """Set log-likelihoods, in place, so that a number is certain at a place and impossible elsewhere.

    place, number: indices.
    """
    likelihoods[:, number] = -20.0
    _make_certain(likelihoods, place, number)


def _alternatives(
    laid: _Laid, tiles: Floats, tokens: Floats, probabilities: Floats, index: int, is_tile: bool
) -> list[_Laid]:
    """Return boards with other likely values of one uncertain tile or token.

    The other tiles, or tokens, are fitted to that value. laid: the board to differ from. tiles, tokens:
    log-likelihoods. probabilities: of the openings or numbers at each index. index, is_tile: the uncertain tile or
    token place.
    """
    chosen = (laid.tiles if is_tile else laid.tokens).values[index]
    others = [value for value in np.flatnonzero(probabilities[index] >= _MIN_ANSWER).tolist() if value != chosen]
    if is_tile:
        return [_Laid(_fitted_tiles(tiles, index, value), laid.tokens) for value in others]
    return [_Laid(laid.tiles, _fitted_tokens(tokens, index, value)) for value in others]


def _doubt(index: int, is_tile: bool) -> Doubt:
    if not is_tile:
        place = TOKEN_PLACES[index]
        return Doubt(None, which_token(place), (place,))
    if index == _SPARE_TILE:
        return Doubt(None, which_tile(None))
    return Doubt(None, which_tile(LOOSE[index]), (LOOSE[index],))


def _misplaced(state: MasterState, names: Sequence[str], seen: Evidence) -> list[Doubt]:
    """Return a doubt for each wizard off its start ring and each token off the token places. names: by seat."""
    doubts = []
    for seat, start in enumerate(state.wizards):
        scores = seen.wizard_scores(state.wizards, seat)
        best = int(scores.argmax())
        if best != start and scores[best] > scores[start] + ASTRAY:
            doubts.append(Doubt(seat, _begins_on(names[seat], start), (start,)))
    for place in range(PLACES + 1):
        row = seen.clear_picture_tokens[place]
        if place not in TOKEN_PLACES and row[:NONE].max() > row[NONE] + ASTRAY:
            number = TOKENS[int(row[:NONE].argmax())]
            doubts.append(Doubt(None, _lies_outside(number), () if place == SPARE else (place,)))
    return doubts


def _begins_on(name: str, start: int) -> Line:
    return say("{name}'s wizard begins on {place}. Stand it there.", name=name, place=place_name(start))


def _lies_outside(number: int) -> Line:
    return say(
        "Token {number} lies outside the inner places, or on a start ring. Lay it on an empty inner place.",
        number=number,
    )
