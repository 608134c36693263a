"""Proposes a whole soul phase from a reading of all boards. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from calibration.wording import Line, counted, say
from companion.adapters.wicked.boards.audit import Difference, audit, spells
from companion.adapters.wicked.boards.interpretations import (
    Interpretation,
    boards_by_seat,
    foreign,
    interpretations,
    reopened,
)
from companion.games.wicked import apply, describe
from companion.games.wicked.adviser import advise_player, reachable, valuation_for
from companion.games.wicked.adviser.reachability import NearbyBoard, Reachability, misread_in_words, misread_line
from companion.games.wicked.components import ORACLES_DEALT
from companion.games.wicked.moves import Move
from companion.games.wicked.state import Player, State
from vision.games.wicked.readings import BoardExpectation, BoardReading, BoardsReading

_MOST_CHOICES = 5
"""Choices offered to each player."""


@dataclass(frozen=True, slots=True)
class SoulChoice:
    """Moves that lead from the journal's board of a player to the one that was read."""

    moves: tuple[Move, ...]
    lines: tuple[Line, ...]
    """Each move as a line."""
    misread: tuple[Line, ...] = ()
    """What the camera would have misread if these moves are true."""


@dataclass(frozen=True, slots=True)
class SeatSouls:
    """The proposal for one player."""

    seat: int
    choices: tuple[SoulChoice, ...]
    """Likeliest first; none where no moves fit, one without moves where the player has finished already."""
    doubts: tuple[str, ...] = ()
    """Questions for the player."""


@dataclass(frozen=True, slots=True)
class SoulProposal:
    """The proposal for all players, by seat."""

    seats: tuple[SeatSouls, ...]
    problems: tuple[str, ...] = ()
    """Problems of the picture as a whole."""

    @property
    def certain(self) -> bool:
        """Whether every first choice may be entered without confirmation."""
        return not self.problems and all(seat.choices and not seat.doubts for seat in self.seats)

    def moves(self, choices: Sequence[int | None]) -> tuple[Move, ...]:
        """Return the moves of the chosen choices, by seat; None leaves a player's journal as it is.

        Raises IndexError for a choice that does not exist.
        """
        chosen = zip(self.seats, choices, strict=True)
        return tuple(move for seat, choice in chosen if choice is not None for move in seat.choices[choice].moves)

    @property
    def likeliest(self) -> tuple[int | None, ...]:
        """The index of each player's first choice, None where there is none."""
        return tuple(0 if seat.choices else None for seat in self.seats)


def board_expectation(state: State) -> BoardExpectation:
    """Return what lies beside boards in a state: one board a player, with two oracle cards of each kind."""
    dealt = None if state.phase == "deal" else ORACLES_DEALT
    players = len(state.players)
    return BoardExpectation(players, dealt, dealt, players)


def propose_souls(state: State, names: Sequence[str], reading: BoardsReading) -> SoulProposal | None:
    """Propose the shortest sequences of soul actions that lead to the boards as read (W9 to W15).

    names: by seat. A doubtful part is settled by the rules where only one interpretation is reachable from the
    board before; otherwise it becomes a question. The end of the phase is certain only for players who can improve
    nothing more: others may still be thinking. None outside the soul phase, or while no board was found.
    """
    if state.phase != "soul" or not reading.boards:
        return None
    boards = boards_by_seat(state, reading)
    differences = audit(state, names, reading)
    seats = tuple(
        _without_board(seat, name) if seat not in boards else _seat(state, seat, names, boards[seat], differences)
        for seat, name in enumerate(names)
    )
    return SoulProposal(seats, reading.problems)


def possible_interpretations(
    before: Player, found: Sequence[Interpretation], state: State, seat: int
) -> tuple[tuple[Interpretation, Reachability], ...]:
    """Return the interpretations of a board that are, or may be, reachable from the one before."""
    tried = [(way, reachable(before, way.player, state.deck, seat, nearest=False)) for way in found]
    return tuple((way, reached) for way, reached in tried if reached.reachable is not False)


def _without_board(seat: int, name: str) -> SeatSouls:
    doubt = say("{name}: the board is not seen. Show it, or enter these souls by hand.", name=name)
    return SeatSouls(seat, (), (doubt,))


def _seat(
    state: State, seat: int, names: Sequence[str], board: BoardReading, differences: Sequence[Difference]
) -> SeatSouls:
    before, name = state.players[seat], names[seat]
    doubts: list[str] = list(_doubts(name, before, board))
    found = interpretations(board, before, state.deck)
    if before.finished:
        if not any(way.player.has_same_board_as(before) for way in found):
            doubts += [difference.text for difference in differences if difference.seat == seat]
        return SeatSouls(seat, (SoulChoice((), ()),), tuple(doubts))
    if not found:
        return SeatSouls(seat, (), tuple(doubts or [_unclear(name)]))
    possible = possible_interpretations(before, found, state, seat)
    if not possible:
        reached = reachable(before, found[0].player, state.deck, seat)
        doubts.append(say("{name}: {line}", name=name, line=misread_line(reached)))
        return SeatSouls(seat, tuple(_nearby(state, seat, names, near) for near in reached.nearest), tuple(doubts))
    choices = tuple(
        _choice(state, names, reached.moves) for _, reached in possible[:_MOST_CHOICES] if reached.reachable
    )
    if len(possible) > 1 or not choices:
        doubts += _part_questions(name, board) or [_unclear(name)]
    else:
        done = replace(possible[0][0].player, finished=False)
        if advise_player(done, state.deck, seat, valuation_for(state.round)).moves:
            # What else there is stays unsaid: hints are the host's choice.
            doubts.append(say("{name}: is that all?", name=name))
    return SeatSouls(seat, choices, tuple(doubts))


def _doubts(name: str, before: Player, board: BoardReading) -> Iterator[Line]:
    """Yield the questions about a board that the rules cannot settle."""
    for reason in board.whole:
        yield say("{name}: {line}", name=name, line=reason)
    for space in board.spaces:
        if space.pieces:
            yield say("{name}: {things} still on the board. Not used?", name=name, things=spells(space))
        elif space.reason:
            yield say("{name}: look at the spell spaces: {why}.", name=name, why=space.reason)
    for card in reopened(board, before):
        yield say("{name}: oracle {card} was achieved before, but is seen open now.", name=name, card=card)
    for card in foreign(board, before):
        yield say("{name}: the camera sees card {card} there, which is another player's.", name=name, card=card)
    if board.impurity.points != before.impurity:
        yield counted(
            board.impurity.points,
            "{name}: the camera sees {n} impurity; the journal has {kept}.",
            "{name}: the camera sees {n} impurity; the journal has {kept}.",
            name=name,
            kept=before.impurity,
        )


def _part_questions(name: str, board: BoardReading) -> list[Line]:
    """Return the questions about doubtful parts that the rules allow in several ways."""
    return [say("{name}: {line}", name=name, line=reason) for reason in board.reasons if reason not in board.whole]


def _unclear(name: str) -> Line:
    return say("{name}: too much of the board is unclear. Clear it, or enter these souls by hand.", name=name)


def _nearby(state: State, seat: int, names: Sequence[str], near: NearbyBoard) -> SoulChoice:
    choice = _choice(state, names, near.moves)
    return replace(choice, misread=tuple(misread_in_words(one) for one in near.misread))


def _choice(state: State, names: Sequence[str], moves: Sequence[Move]) -> SoulChoice:
    lines = []
    for move in moves:
        lines.append(describe(state, move, names))
        state = apply(state, move)
    return SoulChoice(tuple(moves), tuple(lines))
