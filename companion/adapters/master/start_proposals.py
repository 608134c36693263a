"""From readings of the board as it was laid to `LayBoard` (M1), with the numbers in the box as prior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.translatable import Line, say
from companion.adapters.master.evidence.board_evidence import BITS, NONE, SPARE, Evidence, Floats, evidence
from companion.adapters.master.evidence.stated_components import with_statements
from companion.adapters.master.questions import which_tile, which_token
from companion.games.master.components import LOOSE, PLACES, TOKEN_PLACES, TOKENS
from companion.games.master.moves import LayBoard, Move
from companion.games.master.state import MasterState
from companion.games.master.text.move_descriptions import place_name
from companion.referee.finding import Finding
from companion.referee.proposal import Choice, Doubt, Proposal, Question
from companion.table.adapter import Statement
from vision.games.master.field.tiles.tile_shapes import OPENINGS, posterior
from vision.games.master.objects.tokens.number_assignment import assignment_marginals
from vision.games.master.readings import MazeReading

SURE: Final = 0.98
"""Minimum probability of a tile or token that is not asked about."""
LAID: Final = 18
"""Discs on the board from which it counts as laid: before, people are still laying it."""
ASTRAY: Final = 3.0
"""Log-likelihood ratio of a thing where it must not be from which it is named."""
_WORTH: Final = 0.01
"""Minimum probability of openings or a number that are offered as an answer."""
_CHOICES: Final = 3
"""Answers to a question."""
_NAMED: Final = 3
"""Doubts that are named at once."""
_NO_NUMBER: Final = 20.0
"""Log-likelihood below the best number at which a disc would have none."""
_SETTLED: Final = 0.999
"""Probability from which openings or numbers are settled together."""
_SPARE_TILE: Final = len(LOOSE)
"""Index of the spare behind the loose tiles of the board."""


@dataclass(frozen=True, eq=False)
class _Laid:
    """A board that agrees with the numbers in the box."""

    tiles: tuple[int, ...]
    """Index of the openings of each loose tile, the spare last."""
    tokens: tuple[int, ...]
    """Index of the number on each place of `TOKEN_PLACES`."""

    def move(self) -> LayBoard:
        openings = [OPENINGS[tile] for tile in self.tiles]
        numbers = tuple(TOKENS[index] for index in self.tokens)
        return LayBoard(tuple(openings[:_SPARE_TILE]), openings[_SPARE_TILE], numbers)


def propose_board(
    state: MasterState, names: Sequence[str], readings: Sequence[MazeReading], statements: Sequence[Statement] = ()
) -> Finding[Move]:
    """Return what readings of one still scene mean before the board is laid.

    names: by seat. statements: what people stated to lie there.
    """

    def evidence_of(read: Sequence[MazeReading]) -> Evidence | None:
        return evidence([one for one in read if one.oriented], [player.colour for player in state.players])

    seen = evidence_of(readings)
    if seen is None:
        if any(one.state == "board" for one in readings):
            return Finding(
                unread=say(
                    "The start rings are not seen, so how the board lies is unknown. Stand each wizard on its ring."
                )
            )
        return Finding(unread=next((one.reason for one in readings if one.reason), ""))
    seen = with_statements(seen, statements, evidence_of)
    if np.count_nonzero(seen.any_tokens[:PLACES, :NONE].max(axis=1) > seen.any_tokens[:PLACES, NONE]) < LAID:
        return Finding(supersedes=True)
    tiles, tokens = _tile_likelihoods(seen), _token_likelihoods(seen)
    by_tile, by_place = posterior(np.exp(tiles))[0], _token_posterior(tokens)
    laid = _Laid(_settled_tiles(tiles), _settled_tokens(tokens))
    chosen_tiles = by_tile[np.arange(len(by_tile)), laid.tiles]
    chosen_tiles[_SPARE_TILE] = _spare_shape(by_tile[_SPARE_TILE], laid.tiles[_SPARE_TILE])
    chosen_tokens = by_place[np.arange(len(by_place)), laid.tokens]
    unsure = [
        *((float(p), index, True) for index, p in enumerate(chosen_tiles) if p < SURE),
        *((float(p), index, False) for index, p in enumerate(chosen_tokens) if p < SURE),
    ]
    doubts = [*_astray(state, names, seen), *(_doubt(index, tile) for _, index, tile in sorted(unsure))]
    boards = [laid]
    if unsure:
        _, index, is_tile = min(unsure)
        boards += _alternatives(laid, tiles, tokens, by_tile if is_tile else by_place, index, is_tile)
    whole = float(np.prod(chosen_tiles) * np.prod(chosen_tokens))
    choices = tuple(Choice((board.move(),), whole if board is laid else 1.0 - whole) for board in boards[:_CHOICES])
    return Finding(Proposal((Question(None, choices, tuple(doubts[:_NAMED])),)))


def _tile_likelihoods(seen: Evidence) -> Floats:
    """Return the log-likelihood of the ten openings of each loose tile, the spare last; shape (34, 10)."""
    columns = [BITS[openings] for openings in OPENINGS]
    rows = np.vstack([seen.tiles[list(LOOSE)], seen.spare])
    found: Floats = rows[:, columns]
    return found


def _token_likelihoods(seen: Evidence) -> Floats:
    """Return the log-likelihood of each number on each place of `TOKEN_PLACES`; shape (21, 21)."""
    found: Floats = seen.any_tokens[list(TOKEN_PLACES), :NONE]
    return found


def _token_posterior(likelihoods: Floats) -> Floats:
    return assignment_marginals(likelihoods, likelihoods.max(axis=1) - _NO_NUMBER)


def _settled_tiles(likelihoods: Floats, index: int | None = None, openings: int = 0) -> tuple[int, ...]:
    """Return openings that agree with the numbers in the box, the surest ones first; one tile may be given."""
    known = likelihoods.copy()
    if index is not None:
        _settle(known, index, openings)
    settled: set[int] = set() if index is None else {index}
    while len(settled) < len(known):
        probabilities = posterior(np.exp(known))[0]
        best = probabilities.max(axis=1)
        best[list(settled)] = -1.0
        sure = np.flatnonzero(best >= min(_SETTLED, best.max()))
        for tile in sure.tolist():
            _settle(known, tile, int(probabilities[tile].argmax()))
            settled.add(tile)
    return tuple(int(row.argmax()) for row in known)


def _settled_tokens(likelihoods: Floats, index: int | None = None, number: int = 0) -> tuple[int, ...]:
    """Return one number for each place, each once, the surest ones first; that of one place may be given."""
    known = likelihoods.copy()
    left = set(range(len(known)))
    if index is not None:
        _settle_number(known, index, number)
        left.remove(index)
    while left:
        probabilities = _token_posterior(known)
        place = max(left, key=lambda one: float(probabilities[one].max()))
        _settle_number(known, place, int(probabilities[place].argmax()))
        left.remove(place)
    return tuple(int(row.argmax()) for row in known)


def _settle(likelihoods: Floats, row: int, column: int) -> None:
    likelihoods[row] = -20.0
    likelihoods[row, column] = 0.0


def _settle_number(likelihoods: Floats, place: int, number: int) -> None:
    likelihoods[:, number] = -20.0
    _settle(likelihoods, place, number)


def _spare_shape(probabilities: Floats, openings: int) -> float:
    """Return the probability of the spare's shape: it may lie in any rotation."""
    letters = len(OPENINGS[openings])
    straight = OPENINGS[openings] in ("TB", "RL")
    same = [
        column
        for column, other in enumerate(OPENINGS)
        if len(other) == letters and (other in ("TB", "RL")) == straight
    ]
    return float(probabilities[same].sum())


def _alternatives(
    laid: _Laid, tiles: Floats, tokens: Floats, probabilities: Floats, index: int, is_tile: bool
) -> list[_Laid]:
    """Return boards in which one doubtful tile or token is another one, and all else agrees with that."""
    chosen = (laid.tiles if is_tile else laid.tokens)[index]
    ranked = np.argsort(-probabilities[index]).tolist()
    others = [value for value in ranked if value != chosen and probabilities[index, value] >= _WORTH]
    if is_tile:
        return [_Laid(_settled_tiles(tiles, index, value), laid.tokens) for value in others]
    return [_Laid(laid.tiles, _settled_tokens(tokens, index, value)) for value in others]


def _doubt(index: int, is_tile: bool) -> Doubt:
    if not is_tile:
        place = TOKEN_PLACES[index]
        return Doubt(None, which_token(place), (place,))
    if index == _SPARE_TILE:
        return Doubt(None, which_tile(None))
    return Doubt(None, which_tile(LOOSE[index]), (LOOSE[index],))


def _astray(state: MasterState, names: Sequence[str], seen: Evidence) -> list[Doubt]:
    """Return what stands or lies where it must not at the start."""
    doubts = []
    for seat, start in enumerate(state.wizards):
        scores = seen.wizard_scores(state.wizards, seat)
        best = int(scores.argmax())
        if best != start and scores[best] > scores[start] + ASTRAY:
            doubts.append(Doubt(seat, _begins_on(names[seat], start), (start,)))
    for place in range(PLACES + 1):
        row = seen.any_tokens[place]
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
