"""Bots move on the boards at the same time; the true choice is found among those that the camera offers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.adapters.wicked.bots.simulated_players import BOTS
from companion.adapters.wicked.bots.soul_phase import SOUL_PHASE
from companion.adapters.wicked.soul_phase_proposals import propose_souls
from companion.director.concurrent_bot_moves import MAX_UNREAD_SECONDS, ConcurrentPlay, TrueTable
from companion.games.wicked import WickedState, apply
from companion.games.wicked.bots.random_moves import random_choice
from companion.games.wicked.moves import FinishSoul, Move, Promote
from companion.referee.proposal import Proposal
from companion.table.views import ChoiceView, QuestionView
from tests.companion.adapters.wicked.board_readings import table
from tests.companion.adapters.wicked.soul_phase import SoulPhaseSession, exhausted, soul_phase_session
from tests.companion.director.rehearsal import AtOnce
from tests.companion.games.wicked.scenarios import board, play, soul_phase

NAMES = ("Ada", "Bruno", "Chie")


def shown(proposal: Proposal[Move] | None) -> tuple[QuestionView, ...]:
    """Return the questions of a proposal as screens get them, without lines."""
    assert proposal is not None
    return tuple(
        QuestionView(one.seat, tuple(ChoiceView(choice.moves, ()) for choice in one.choices))
        for one in proposal.questions
    )


def processed(state: WickedState, seed: int = 1) -> TrueTable:
    """Return the table after random moves of all players."""
    rng = random.Random(seed)
    boards = TrueTable(BOTS, SOUL_PHASE, 3, 5, state, state)
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
    assert boards.agrees_with(state)


def test_the_true_choice_is_found_among_those_that_the_camera_offers() -> None:
    for seed in range(20):
        boards = processed(soul_phase(board("rrrbgg/gg", promotion=1, colour_change=1)), seed)
        proposal = propose_souls(boards.begun, NAMES, table(boards.state.players))
        assert boards.choices(shown(proposal)) == (0, 0, 0)


def test_choices_that_lead_to_other_boards_are_not_true() -> None:
    begun = soul_phase(board("rrr"))
    boards = processed(begun)
    other = play(begun, "0 done", "1 done").players
    proposal = propose_souls(begun, NAMES, table((other[0], *boards.state.players[1:])))
    promoted = any(isinstance(move, Promote) for move in boards.moves)
    assert promoted
    assert boards.choices(shown(proposal))[0] is None


def test_what_a_visitor_taps_meanwhile_counts_and_the_others_boards_stay() -> None:
    begun = soul_phase(board("rrr"))
    boards = TrueTable(BOTS, SOUL_PHASE, 3, 5, begun, begun).after(FinishSoul(1))
    tapped = play(begun, "0 promote red low")
    after = boards.rebased(6, tapped)
    assert after.number == 6
    assert after.state.players[0] == tapped.players[0]
    assert after.state.players[1].finished
    assert after.moves == (FinishSoul(1),)


@pytest.fixture(name="session")
def _session(tmp_path: Path) -> Iterator[SoulPhaseSession]:
    session = soul_phase_session(tmp_path, AtOnce())
    yield session
    session.table.close()


def idle(session: SoulPhaseSession) -> ConcurrentPlay:
    """Return the play of a phase that all bots finish at once without another move."""
    concurrent = ConcurrentPlay(session.table, BOTS)
    concurrent.follow(session.game)
    assert concurrent.true is not None
    for seat in range(3):
        concurrent.true = concurrent.true.after(FinishSoul(seat))
    return concurrent


def test_a_phase_that_was_entered_wrongly_is_corrected_by_hand(session: SoulPhaseSession) -> None:
    concurrent = idle(session)
    before = [player.low for player in session.game.state.players]
    session.lay(exhausted(session.game.state))
    session.look(6.0)
    assert session.game.state.phase == "lay"
    assert concurrent.compare(session.game) is not None
    assert (concurrent.phases, concurrent.corrections) == (1, 1)
    assert session.game.state.phase == "lay"
    assert [player.low for player in session.game.state.players] == before
    assert concurrent.compare(session.game) is None


def test_boards_that_are_never_read_are_entered_by_hand(session: SoulPhaseSession) -> None:
    concurrent = idle(session)
    session.look(0.3)
    for seconds in (0.0, MAX_UNREAD_SECONDS - 1.0):
        concurrent.check_reading(session.table.view, 0.0, seconds)
    assert session.game.state.phase == "soul"
    concurrent.check_reading(session.table.view, 0.0, MAX_UNREAD_SECONDS + 1.0)
    assert session.game.state.phase == "lay"
    assert concurrent.unread == 1
    assert session.sources()[-3:] == ["hand"] * 3


def test_a_question_is_answered_with_what_is_true(session: SoulPhaseSession) -> None:
    concurrent = idle(session)
    assert concurrent.true is not None
    session.lay(concurrent.true.state.players)
    session.look(2.0)
    assert not session.proposal.certain
    for now in (0.0, 1.0, 2.0):
        concurrent.check_reading(session.table.view, now, now)
    assert session.game.state.phase == "lay"
    assert (concurrent.answers, concurrent.unread) == (1, 0)
    assert concurrent.compare(session.game) is None
    assert [move.type for move in concurrent.played] == ["finish_soul"] * 3
