"""Bots see to their souls on the boards; what they do there is what is looked for in what the camera offers."""

from __future__ import annotations

import random

from companion.director.processing import Boards
from companion.games.wicked import State, apply
from companion.games.wicked.bots import random_choice
from companion.games.wicked.moves import FinishSoul, Promote
from companion.referee.souls import propose_souls
from companion.table.board_judging import souls_told
from tests.companion.games.wicked.scenarios import board, play, soul_phase
from tests.companion.referee.board_readings import table

NAMES = ("Ada", "Bruno", "Chie")


def processed(state: State, seed: int = 1) -> Boards:
    """Let everybody do anything until all are done."""
    rng = random.Random(seed)
    boards = Boards(5, state, state)
    while boards.unfinished:
        seat = rng.choice(boards.unfinished)
        boards = boards.after(random_choice(boards.state, seat, rng))
    return boards


def test_the_phase_goes_on_on_the_boards_until_all_are_done() -> None:
    boards = processed(soul_phase(board("rrrb", promotion=1)))
    assert boards.state.phase == "soul"
    assert all(player.finished and not player.promotion for player in boards.state.players)
    state = boards.begun
    for move in boards.moves:
        state = apply(state, move)
    assert state.phase == "lay"
    assert boards.is_true_of(state)


def test_the_true_choice_is_found_among_those_that_the_camera_offers() -> None:
    for seed in range(20):
        boards = processed(soul_phase(board("rrrbgg/gg", promotion=1, colour_change=1)), seed)
        proposal = propose_souls(boards.begun, NAMES, table(boards.state.players))
        assert boards.choices(souls_told(proposal)) == (0, 0, 0)


def test_choices_that_lead_to_other_boards_are_not_true() -> None:
    begun = soul_phase(board("rrr"))
    boards = processed(begun)
    other = play(begun, "0 done", "1 done").players
    proposal = propose_souls(begun, NAMES, table((other[0], *boards.state.players[1:])))
    promoted = any(isinstance(move, Promote) for move in boards.moves)
    assert promoted
    assert boards.choices(souls_told(proposal))[0] is None


def test_what_a_visitor_taps_meanwhile_counts_and_the_others_boards_stay() -> None:
    begun = soul_phase(board("rrr"))
    boards = Boards(5, begun, begun).after(FinishSoul(1))
    tapped = play(begun, "0 promote red low")
    after = boards.rebased(6, tapped)
    assert after.number == 6
    assert after.state.players[0] == tapped.players[0]
    assert after.state.players[1].finished
    assert after.moves == (FinishSoul(1),)
