"""Playing, undoing and correcting: what counts is always what replaying the journal gives."""

from __future__ import annotations

import random
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.game import IllegalMove
from companion.games.wicked import apply, legal
from companion.games.wicked import new_game as pure_game
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.moves import ChooseColours, Hand, Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.session import (
    Change,
    JournalError,
    NoSuchEntry,
    Played,
    Seat,
    Session,
    SessionError,
    StaleMove,
    Undone,
)
from tests.companion.session.conftest import SEATS, NewGame


def reveal(*searches: int) -> Reveal:
    return Reveal(tuple(Hand(search) for search in searches))


def play_randomly(session: Session, moves: int, seed: int = 1) -> None:
    rng = random.Random(seed)
    for _ in range(moves):
        session.play(random_move(session.state, rng))


def test_a_new_game_stands_at_number_one_with_its_seats_and_its_deal(new_game: NewGame) -> None:
    session = new_game()
    assert (session.number, session.id, session.seats) == (1, "friday", SEATS)
    assert session.state == pure_game(["purple", "green", "red"], STANDIN, 5)


def test_a_game_without_a_seed_waits_for_the_cards_of_a_real_table(new_game: NewGame) -> None:
    assert new_game(seed=None).state.phase == "deal"


BAD_SEATS = [
    [],
    SEATS[:2],
    [*SEATS[:2], Seat("Cy", "green")],
    [*SEATS[:2], Seat(" ", "red")],
    [*SEATS[:2], Seat("x" * 41, "red")],
    [*SEATS[:2], Seat("two\nlines", "red")],
]


def test_seats_that_no_game_can_have_are_refused_and_leave_no_file(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for seats in BAD_SEATS:
        with subtests.test(f"{seats!r:.60}"):
            with pytest.raises(SessionError) as refusal:
                Session.create(tmp_path / "a.journal", WICKED, seats, WickedSetup(STANDIN))
            assert "\n" not in str(refusal.value)
            assert list(tmp_path.iterdir()) == []


def test_a_move_for_an_older_state_is_refused_and_changes_nothing(new_game: NewGame) -> None:
    session = new_game()
    session.play(reveal(1, 2, 0), at=1)
    before = (session.entries, session.state)
    for stale in (
        lambda: session.play(reveal(0, 0, 0), at=1),
        lambda: session.undo(at=1),
        lambda: session.revise(2, reveal(0, 0, 1), at=3),
    ):
        with pytest.raises(StaleMove, match="the game is at state 2"):
            stale()
    assert (session.entries, session.state) == before


def test_an_illegal_move_is_refused_and_changes_nothing(new_game: NewGame) -> None:
    session = new_game()
    state = session.state
    with pytest.raises(IllegalMove, match="only six left"):
        session.play(reveal(7, 0, 0))
    assert (session.number, session.state) == (1, state)
    assert session.play(reveal(1, 0, 0)) == 2


def test_moves_that_are_entered_together_are_written_together_or_not_at_all(
    new_game: NewGame,
) -> None:
    session = new_game()
    play_randomly(session, 2)
    entries, moves = session.entries, [step.move for step in session.steps]
    with pytest.raises(IllegalMove):
        session.play_all([*moves, Reveal(())], instead_of=(3, 2))
    assert session.entries == entries
    with sqlite3.connect(session.path) as limited:
        limited.execute(
            "CREATE TRIGGER full BEFORE INSERT ON entry WHEN NEW.number = 5 BEGIN SELECT raise(ABORT, 'full'); END"
        )
    with pytest.raises(JournalError):
        session.play_all(moves, instead_of=(3, 2))
    assert session.entries == entries
    assert len(session.bodies()) == 3
    with sqlite3.connect(session.path) as limited:
        limited.execute("DROP TRIGGER full")
    session.play_all(moves, instead_of=(3, 2))
    assert [step.move for step in session.steps] == moves
    assert session.number == len(entries) + 4
    session.close()
    with Session.open(session.path) as again:
        assert (again.entries, again.state) == (session.entries, session.state)


def test_undo_goes_back_move_by_move_to_the_start_and_then_says_so(new_game: NewGame) -> None:
    session = new_game()
    states = [session.state]
    for _ in range(6):
        play_randomly(session, 1)
        states.append(session.state)
    for state in reversed(states[:-1]):
        session.undo()
        assert session.state == state
    with pytest.raises(NoSuchEntry, match="nothing to undo"):
        session.undo()
    assert session.number == 13


def test_undoing_an_undo_brings_the_move_back(new_game: NewGame) -> None:
    session = new_game()
    play_randomly(session, 3)
    stood = session.state
    undo = session.undo()
    assert session.undo(entry=undo) == session.number
    assert session.state == stood
    with pytest.raises(NoSuchEntry, match=f"Entry {undo} is undone already"):
        session.undo(entry=undo)


def test_an_undo_that_is_taken_back_after_other_moves_is_refused_where_the_rules_forbid_it(
    new_game: NewGame,
) -> None:
    session = new_game()
    session.play(reveal(6, 0, 0))
    undo = session.undo()
    while session.state.phase != "soul":
        # Nobody but the last one ever reveals, so all six are still there at each corridor for Ada.
        play_randomly(session, 1)
    before = session.entries, session.state
    with pytest.raises(IllegalMove):
        session.undo(entry=undo)
    assert (session.entries, session.state) == before


@pytest.mark.parametrize("entry", [0, 1, 3, 99, -1])
def test_what_is_not_there_or_is_the_start_cannot_be_undone(new_game: NewGame, entry: int) -> None:
    session = new_game()
    play_randomly(session, 1)
    with pytest.raises(NoSuchEntry):
        session.undo(entry=entry)


def test_a_correction_changes_the_move_and_everything_after_it_stands(new_game: NewGame) -> None:
    session = new_game()
    session.play(reveal(1, 0, 0))
    later = [random_move(session.state, random.Random(3))]
    session.play(later[0])
    session.revise(2, reveal(1, 1, 0))
    start = pure_game(["purple", "green", "red"], STANDIN, 5)
    assert session.state == reduce(apply, later, apply(start, reveal(1, 1, 0)))
    assert [step.move for step in session.steps] == [reveal(1, 1, 0), *later]


def test_undo_after_a_correction_takes_the_correction_back(new_game: NewGame) -> None:
    session = new_game()
    session.play(reveal(1, 0, 0))
    stood = session.state
    session.revise(2, reveal(3, 0, 0))
    session.revise(2, reveal(4, 0, 0))
    session.undo()
    assert session.steps[0].move == reveal(3, 0, 0)
    session.undo()
    assert session.state == stood
    session.undo()
    assert session.steps == ()


def test_a_correction_two_entries_back_that_makes_a_later_move_illegal_is_refused_untouched(
    new_game: NewGame,
) -> None:
    session = new_game()
    session.play(reveal(1, 0, 0))
    while session.state.phase == "gain":
        session.play(legal(session.state).moves[0])
    session.play(reveal(5, 0, 0))
    latest = session.number
    before = (session.entries, session.state, session.steps)
    with pytest.raises(IllegalMove, match=r"Entry [0-9]+ would become illegal: .* only four left"):
        session.revise(2, reveal(2, 0, 0), at=latest)
    assert (session.entries, session.state, session.steps) == before
    session.close()
    with Session.open(session.path) as again:
        assert (again.entries, again.state) == before[:2]


def test_only_a_move_that_counts_can_be_corrected(new_game: NewGame) -> None:
    session = new_game()
    session.play(reveal(1, 0, 0))
    session.undo()
    for entry in (1, 2, 3, 4):
        with pytest.raises(NoSuchEntry, match="not a move that counts"):
            session.revise(entry, reveal(2, 0, 0))


def test_a_picture_stays_with_its_entry(new_game: NewGame) -> None:
    session = new_game()
    session.play(reveal(1, 0, 0), source="camera", evidence=b"\xff\xd8 a picture")
    session.undo()
    entry = session.entries[1]
    assert isinstance(entry, Played)
    assert (entry.source, entry.evidence) == ("camera", True)
    assert (session.evidence(1), session.evidence(2), session.evidence(3)) == (None, b"\xff\xd8 a picture", None)
    assert (session.evidence(0), session.evidence(10**22)) == (None, None)


def test_what_another_thread_does_between_is_stale_for_the_first(new_game: NewGame) -> None:
    session = new_game()

    def attempt(search: int) -> bool:
        try:
            session.play(reveal(search, 0, 0), at=1)
        except StaleMove:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        won = list(pool.map(attempt, range(1, 7)))
    assert won.count(True) == 1
    assert session.steps[0].move == reveal(won.index(True) + 1, 0, 0)


def test_peek_tells_who_plays_and_how_far_the_game_is(new_game: NewGame) -> None:
    session = new_game("tuesday")
    play_randomly(session, 5)
    session.undo()
    seen = Session.peek(session.path)
    assert (seen.id, seen.game, seen.seats, seen.number) == ("tuesday", "wicked", SEATS, 7)
    assert (seen.stage.phase, seen.stage.round, seen.stage.step) == (
        session.state.phase,
        session.state.round,
        session.state.corridor,
    )
    assert seen.started <= seen.latest


def test_going_through_the_game_again_shows_what_stood_after_each_entry(new_game: NewGame) -> None:
    session = new_game()
    stood = [session.state]
    for step in range(8):
        session.undo() if step == 5 else play_randomly(session, 1, seed=step)
        stood.append(session.state)
    assert [timeline.state for timeline in session.timelines()] == stood


@settings(max_examples=12)
@given(
    st.integers(0, 2**32),
    st.integers(3, 5),
    st.lists(st.sampled_from(["play"] * 8 + ["undo", "redo", "revise", "correct"]), max_size=90),
)
def test_whatever_is_entered_the_state_is_what_replaying_gives(seed: int, players: int, script: list[str]) -> None:
    rng = random.Random(seed)
    seats = [Seat(f"P{n}", colour) for n, colour in enumerate(("yellow", "black", "red", "green", "purple"))][
        :players
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "any.journal"
        with Session.create(path, WICKED, seats, WickedSetup(STANDIN, rng.choice([None, seed]))) as session:
            start = session.state
            for action in script:
                before = session.entries, session.state
                undos = [entry.number for entry in session.entries if isinstance(entry, Undone)]
                try:
                    if action == "undo":
                        session.undo()
                    elif action == "redo" and undos:
                        session.undo(entry=rng.choice(undos))
                    elif action == "revise" and session.steps:
                        step = rng.choice(session.steps)
                        session.revise(step.number, random_move(step.before, rng))
                    elif action == "correct" and session.steps:
                        step = rng.choice(session.steps)
                        preview = session.what_if([Change(step.number, random_move(step.before, rng))])
                        if preview.complete:
                            session.correct(preview.revision)
                            assert session.state == preview.state
                    elif session.state.phase != "over":
                        session.play(random_move(session.state, rng))
                except (IllegalMove, NoSuchEntry):
                    assert (session.entries, session.state) == before
                assert session.state == reduce(apply, [step.move for step in session.steps], start)
            stood = session.entries, session.state, session.steps
        with Session.open(path) as again:
            assert (again.entries, again.state, again.steps) == stood


def test_a_move_by_somebody_who_is_not_there_is_refused(new_game: NewGame) -> None:
    with pytest.raises(IllegalMove):
        new_game().play(ChooseColours(7, ("red",)))
