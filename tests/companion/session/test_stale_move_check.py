"""Two players who choose in the same soul phase do not wait for each other; everything else waits for its state."""

from __future__ import annotations

import random

import pytest

from companion.games.game import IllegalMove
from companion.games.wicked import legal
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.game import WICKED
from companion.games.wicked.moves import FinishSoul, Move
from companion.games.wicked.state import WickedState
from companion.session import Session, StaleMove
from companion.session.entries import Played
from companion.session.stale_move_check import only_others_since, owner_of_entry
from tests.companion.session.conftest import NewGame


def choices(state: WickedState, player: int) -> list[Move]:
    """What a player may do with their own board, finishing aside."""
    return [move for move in legal(state).for_player(player) if not isinstance(move, FinishSoul)]


@pytest.fixture(name="session")
def _session(new_game: NewGame) -> Session:
    """A game in whose soul phase players 0 and 1 may each do several things."""
    session, rng = new_game(), random.Random(3)
    while session.state.phase != "soul" or not all(len(choices(session.state, player)) > 1 for player in (0, 1)):
        assert session.state.phase != "over"
        session.play(random_move(session.state, rng))
    return session


def test_choices_of_two_players_for_the_same_state_both_count(session: Session) -> None:
    at, state = session.number, session.state
    for player in (0, 1, 2):
        session.play(legal(state).for_player(player)[0], at=at)
    assert session.number == at + 3
    assert [owner_of_entry(WICKED, session.entries, at + 1 + player) for player in range(3)] == [0, 1, 2]


def test_a_second_choice_of_the_same_player_for_the_same_state_is_stale(session: Session) -> None:
    """So a tap that is sent again, even to a companion that was restarted meanwhile, is never entered twice."""
    at, (one, other, *_) = session.number, choices(session.state, 0)
    session.play(one, at=at)
    for move in (one, other, FinishSoul(0)):
        with pytest.raises(StaleMove):
            session.play(move, at=at)
    session.play(choices(session.state, 1)[0], at=at)
    with pytest.raises(StaleMove):
        session.play(other, at=at)


def test_an_own_choice_is_taken_back_while_another_player_goes_on(session: Session) -> None:
    at, before = session.number, session.state.players[0]
    session.play(choices(session.state, 0)[0], at=at)
    session.play(choices(session.state, 1)[0], at=at)
    session.undo(at=at + 1, entry=at + 1)
    assert session.state.players[0] == before
    assert owner_of_entry(WICKED, session.entries, at + 3) == 0
    session.play(FinishSoul(2), at=at)
    with pytest.raises(StaleMove):
        session.undo(at=at + 3)  # whatever is the latest is not what it was


def test_nothing_of_the_whole_table_counts_for_an_older_state(session: Session) -> None:
    at, move = session.number, choices(session.state, 0)[0]
    session.play(choices(session.state, 1)[0], at=at)
    latest = next(entry for entry in reversed(session.entries[:at]) if isinstance(entry, Played))
    with pytest.raises(StaleMove):
        session.revise(latest.number, latest.move, at=at)
    session.undo(entry=session.number)
    session.undo()  # what led to this soul phase
    with pytest.raises(StaleMove):
        session.play(move, at=at)
    for beyond in (0, session.number + 1):
        with pytest.raises(StaleMove):
            session.play(move, at=beyond)
    assert not only_others_since(WICKED, session.entries, at, 0)


def test_a_choice_that_the_rules_refuse_by_now_is_refused(session: Session) -> None:
    at, state = session.number, session.state
    for player in (1, 2):
        session.play(FinishSoul(player), at=at)
    session.play(choices(session.state, 0)[0])
    session.play(FinishSoul(0))
    assert session.state.phase != "soul"
    with pytest.raises(StaleMove):
        session.play(choices(state, 0)[1], at=at)
    with pytest.raises(IllegalMove):
        session.play(FinishSoul(1), at=session.number)
