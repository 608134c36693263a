"""Impurity on boards that differs from the journal's: which witch's sign was opened at another corridor."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.adapters.wicked.boards.witch_sign_corrections import MOST_OFFERED, sign_corrections
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import PLAYER_COLOURS
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.moves import Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedPlayer, WickedState
from companion.session import Change, Played, Revised, Revision, Seat, Stage, Started, Timeline
from tests.companion.adapters.wicked.board_readings import read, table
from tests.companion.adapters.wicked.soul_phase import (
    SoulPhaseSession,
    lying_otherwise,
    soul_phase_session,
)
from tests.companion.director.rehearsal import AtOnce
from tests.refusals import refused
from vision.games.wicked.readings import BoardsReading

NAMES = ("Ada", "Bruno", "Chie")
_NOW = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture(name="session")
def _session(tmp_path: Path) -> Iterator[SoulPhaseSession]:
    session = soul_phase_session(tmp_path, AtOnce())
    yield session
    session.table.close()


def played(seed: int, until: Callable[[WickedState], bool]) -> Timeline:
    """Play three random players until then."""
    seats = tuple(Seat(name, colour) for name, colour in zip(NAMES, PLAYER_COLOURS, strict=False))
    timeline = Timeline.begin(
        WICKED, Started(1, _NOW, Stage("deal", 1), "wicked", seats, WickedSetup(STANDIN, seed), "test")
    )
    rng = random.Random(seed)
    while not until(timeline.state):
        entry = Played(
            len(timeline.entries) + 1, _NOW, WICKED.stage(timeline.state), random_move(timeline.state, rng), "hand"
        )
        timeline = timeline.after(entry)
    return timeline


def corrected(timeline: Timeline, revision: Revision) -> Timeline:
    first, *also = revision.changes
    number = len(timeline.entries) + 1
    return timeline.after(Revised(number, _NOW, WICKED.stage(timeline.state), first.entry, first.move, tuple(also)))


def with_signs(reveal: Reveal, seat: int, number: int) -> Reveal:
    return Reveal(
        tuple(replace(hand, witch=number) if one == seat else hand for one, hand in enumerate(reveal.hands))
    )


def misread(timeline: Timeline, rng: random.Random) -> Timeline:
    """Have somebody's sign opened at another corridor of its round than it was."""
    reveals = [(step, step.move) for step in timeline.steps if isinstance(step.move, Reveal)]
    seat = rng.randrange(len(NAMES))
    opened, here = rng.choice([(step, move) for step, move in reveals if move.hands[seat].witch])
    in_round = [one for one in reveals if one[0].before.round == opened.before.round]
    other, there = rng.choice([one for one in in_round if one[0] is not opened])
    changes = (
        Change(opened.number, with_signs(here, seat, 0)),
        Change(other.number, with_signs(there, seat, 1)),
    )
    return corrected(timeline, Revision(changes))


def impurity(state: WickedState) -> list[int]:
    return [player.impurity for player in state.players]


def at_the_end(state: WickedState) -> bool:
    return state.phase == "over"


@pytest.mark.parametrize("seed", range(12))
def test_a_sign_that_was_entered_at_the_wrong_corridor_is_found(seed: int) -> None:
    lying = played(seed, at_the_end)
    kept = misread(lying, random.Random(seed))
    found = sign_corrections(kept, NAMES, table(lying.state.players))
    if impurity(kept.state) == impurity(lying.state):
        assert found == ()
    for one in found:
        assert corrected(kept, one.revision).state.players == lying.state.players
        assert one.text.endswith(".")


def test_what_was_misread_is_mostly_offered() -> None:
    offered = several = 0
    for seed in range(12):
        lying = played(seed, at_the_end)
        kept = misread(lying, random.Random(seed))
        if impurity(kept.state) != impurity(lying.state):
            several += 1
            offered += bool(sign_corrections(kept, NAMES, table(lying.state.players)))
    assert several >= 6
    assert offered >= several // 2


def test_where_all_agrees_or_it_is_unknown_nothing_is_offered() -> None:
    lying = played(0, at_the_end)
    kept = misread(lying, random.Random(0))
    seen = table(lying.state.players)
    assert sign_corrections(kept, NAMES, seen) != ()
    assert sign_corrections(lying, NAMES, seen) == ()
    assert sign_corrections(kept, NAMES, BoardsReading(seen.boards[:2])) == ()
    first = seen.boards[0]
    unsure = replace(first, impurity=replace(first.impurity, reason="hard to tell"))
    assert sign_corrections(kept, NAMES, BoardsReading((unsure, *seen.boards[1:]))) == ()
    covered = replace(first, whole=("Something covers a part of this board.",))
    assert sign_corrections(kept, NAMES, BoardsReading((covered, *seen.boards[1:]))) == ()


def test_impurity_that_no_sign_explains_is_left_to_whoever_looks() -> None:
    lying = played(0, at_the_end)
    much = tuple(replace(player, impurity=player.impurity + 9) for player in lying.state.players)
    assert sign_corrections(lying, NAMES, table(much)) == ()


def test_in_mid_round_a_sign_may_still_be_hidden() -> None:
    def after_three(state: WickedState) -> bool:
        return state.phase == "search" and state.corridor == 3

    for seed in range(60):
        kept = played(seed, after_three)
        reveals = [(step, step.move) for step in kept.steps if isinstance(step.move, Reveal)]
        for seat, (step, move) in ((seat, one) for one in reveals for seat in range(3)):
            if not move.hands[seat].witch:
                continue
            hidden = corrected(kept, Revision((Change(step.number, with_signs(move, seat, 0)),)))
            if impurity(hidden.state) == impurity(kept.state):
                continue
            offered = sign_corrections(kept, NAMES, table(hidden.state.players))
            if any("has not opened the witch's sign yet" in one.text for one in offered):
                back = sign_corrections(hidden, NAMES, table(kept.state.players))
                assert any(corrected(hidden, one.revision).state == kept.state for one in back)
                return
    raise AssertionError("no such position was found")


def test_too_many_that_would_do_are_not_offered() -> None:
    counts = []
    for seed in range(30):
        lying = played(seed, at_the_end)
        kept = misread(lying, random.Random(seed + 100))
        counts.append(len(sign_corrections(kept, NAMES, table(lying.state.players))))
    assert max(counts) <= MOST_OFFERED


def test_a_board_that_belongs_to_nobody_changes_nothing() -> None:
    lying = played(0, at_the_end)
    kept = misread(lying, random.Random(0))
    stranger = read(WickedPlayer("yellow", lying.state.players[0].held))
    seen = table(lying.state.players)
    assert sign_corrections(kept, NAMES, replace(seen, boards=(*seen.boards, stranger))) == sign_corrections(
        kept, NAMES, seen
    )


@pytest.mark.parametrize("phase", ["soul", "over"])
def test_impurity_is_corrected_at_one_tap_where_one_sign_explains_it(session: SoulPhaseSession, phase: str) -> None:
    seen = lying_otherwise(session, phase)
    at, view = session.game.number, session.view
    assert 1 <= len(view.corrections) <= MOST_OFFERED
    assert all(one.text.endswith(".") and one.entries for one in view.corrections)
    with refused("bad_request"):
        session.table.proposals.correct(view.id, len(view.corrections), at)
    with refused("stale"):
        session.table.proposals.correct("another", 0, at)
    session.table.proposals.correct(view.id, 0, at)
    assert [player.impurity for player in session.game.state.players] == [player.impurity for player in seen]
    assert session.game.state.phase == phase
    assert session.view.corrections == ()
    if phase == "over":
        assert session.view.differences == ()
    session.table.undo(session.game.number)
    assert session.view.corrections != ()
