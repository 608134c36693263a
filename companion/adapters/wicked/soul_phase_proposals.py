"""Proposes a whole soul phase from a reading of all boards. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from calibration.translatable import Line, counted, say
from companion.adapters.wicked.boards.journal_differences import (
    BoardDifference,
    another_players_oracle,
    audit,
    spells_in_words,
)
from companion.adapters.wicked.boards.possible_player_states import (
    Interpretation,
    boards_by_seat,
    cards_of_others,
    interpretations,
    reopened_cards,
)
from companion.games.wicked.adviser import advise_player, reachable, valuation_for
from companion.games.wicked.adviser.reachability import NearbyBoard, Reachability, misread_in_words, misread_line
from companion.games.wicked.components import ORACLES_DEALT, Deck
from companion.games.wicked.moves import Move
from companion.games.wicked.state import WickedPlayer, WickedState
from companion.games.wicked.text.words import oracle_in_words
from companion.referee.proposal import Choice, Doubt, Proposal, Question
from vision.games.wicked.readings import BoardExpectation, BoardReading, BoardsReading

_MOST_CHOICES = 5
"""Largest number of choices offered to each player."""


def board_expectation(state: WickedState) -> BoardExpectation:
    """Return what the board reader should find: a board per player, with two oracles of each kind once dealt."""
    dealt = None if state.phase == "deal" else ORACLES_DEALT
    players = len(state.players)
    return BoardExpectation(players, dealt, dealt, players)


def propose_souls(state: WickedState, names: Sequence[str], reading: BoardsReading) -> Proposal[Move] | None:
    """Return a proposal of the fewest soul actions that lead to the boards as read, one question per seat.

    names: by seat. Where the reading is doubtful, but only one of its interpretations is reachable from the
    previous board, that one is taken; otherwise a person is asked. A player who could still improve the board is
    asked whether that is all. None outside the soul phase, or while no board is found.
    """
    if state.phase != "soul" or not reading.boards:
        return None
    boards = boards_by_seat(state, reading)
    differences = audit(state, names, reading)
    seats = tuple(
        _without_board(seat, name) if seat not in boards else _seat(state, seat, name, boards[seat], differences)
        for seat, name in enumerate(names)
    )
    return Proposal(seats, reading.problems)


def possible_interpretations(
    before: WickedPlayer, found: Sequence[Interpretation], state: WickedState, seat: int
) -> tuple[tuple[Interpretation, Reachability], ...]:
    """Return the interpretations of a board that some actions may lead to, each with the search for these actions.

    Those that are proven unreachable are left out. before: the player as in the journal. found: all
    interpretations.
    """
    tried = [(way, reachable(before, way.player, state.deck, seat, nearest=False)) for way in found]
    return tuple((way, reached) for way, reached in tried if reached.reachable is not False)


def _without_board(seat: int, name: str) -> Question[Move]:
    doubt = say("{name}: the board is not seen. Show it, or enter these souls by hand.", name=name)
    return Question(seat, (), (Doubt(seat, doubt),))


def _seat(
    state: WickedState, seat: int, name: str, board: BoardReading, differences: Sequence[BoardDifference]
) -> Question[Move]:
    choices, doubts = _choices_and_questions(state, seat, name, board, differences)
    return Question(seat, choices, tuple(Doubt(seat, line) for line in doubts))


def _choices_and_questions(
    state: WickedState, seat: int, name: str, board: BoardReading, differences: Sequence[BoardDifference]
) -> tuple[tuple[Choice[Move], ...], Sequence[str]]:
    """Return the possible soul actions of one seat, likeliest first, and the questions about them.

    differences: of all boards from the journal.
    """
    before = state.players[seat]
    doubts: list[str] = list(_board_questions(state, seat, name, board))
    found = interpretations(board, before, state.deck)
    if before.finished:
        if not any(way.player.has_same_board_as(before) for way in found):
            doubts += [difference.text for difference in differences if difference.seat == seat]
        return (Choice(()),), doubts
    if not found:
        return (), doubts or [_unclear(name)]
    possible = possible_interpretations(before, found, state, seat)
    if not possible:
        reached = reachable(before, found[0].player, state.deck, seat)
        doubts.append(say("{name}: {line}", name=name, line=misread_line(reached, state.deck)))
        return tuple(_nearby_choice(near, state.deck) for near in reached.nearest), doubts
    total = math.fsum(way.chance for way, _ in possible)
    choices: tuple[Choice[Move], ...] = tuple(
        Choice(tuple(reached.moves), way.chance / total)
        for way, reached in possible[:_MOST_CHOICES]
        if reached.reachable
    )
    if len(possible) > 1 or not choices:
        doubts += _part_questions(name, board, [way for way, _ in possible]) or [_unclear(name)]
    else:
        done = replace(possible[0][0].player, finished=False)
        if advise_player(done, state.deck, seat, valuation_for(state.round)).moves:
            # What else there is stays unsaid: hints are the host's choice.
            doubts.append(say("{name}: is that all?", name=name))
    return choices, doubts


def _board_questions(state: WickedState, seat: int, name: str, board: BoardReading) -> Iterator[Line]:
    """Yield the questions about a board that the rules cannot answer. state: as in the journal."""
    before = state.players[seat]
    for reason in board.whole:
        yield say("{name}: {line}", name=name, line=reason)
    for space in board.spaces:
        if space.pieces:
            yield say("{name}: {things} still on the board. Not used?", name=name, things=spells_in_words(space))
        elif space.reason:
            yield say("{name}: look at the spell spaces: {why}.", name=name, why=space.reason)
    for card in reopened_cards(board, before):
        what = oracle_in_words(state.deck, card)
        yield say("{name}: the oracle ({card}) was achieved before, but is seen open now.", name=name, card=what)
    for card in cards_of_others(board, state, seat):
        yield another_players_oracle(name, state.deck, card)
    if board.impurity.points != before.impurity:
        yield counted(
            board.impurity.points,
            "{name}: the camera sees {n} impurity; the journal has {kept}.",
            "{name}: the camera sees {n} impurity; the journal has {kept}.",
            name=name,
            kept=before.impurity,
        )


def _part_questions(name: str, board: BoardReading, possible: Sequence[Interpretation]) -> list[Line]:
    """Return the questions about spots and cards in which possible interpretations differ; about all if in none."""
    doubtful = [spot for spot in board.spots if spot.reason]
    contents = zip(*(way.spots for way in possible), strict=True)
    differing = [spot.question for spot, tokens in zip(doubtful, contents, strict=True) if len(set(tokens)) > 1]
    settled = {spot.question for spot in doubtful} | {
        card.question
        for card in board.great
        if card.reason and len({card.card in way.player.great for way in possible}) == 1
    }
    others = [reason for reason in board.reasons if reason not in board.whole]
    asked = [*differing, *(reason for reason in others if reason not in settled)]
    return [say("{name}: {line}", name=name, line=reason) for reason in asked or others]


def _unclear(name: str) -> Line:
    return say("{name}: too much of the board is unclear. Clear it, or enter these souls by hand.", name=name)


def _nearby_choice(near: NearbyBoard, deck: Deck) -> Choice[Move]:
    """Return the actions that lead to a board similar to the reading, with the reading errors that it assumes."""
    return Choice(tuple(near.moves), misread=tuple(misread_in_words(one, deck) for one in near.misread))
