"""Looking back at saved games: lists, moves, past states, and taking a game elsewhere."""

from __future__ import annotations

import io
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.master.game import MASTER
from companion.games.master.moves import Stay, UseWand
from companion.games.master.rules.setup import MasterSetup
from companion.games.wicked import final_scores
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Seat, Session
from companion.table.history.past_games import PastGames
from companion.table.history.saved_games import SavedGames
from companion.table.views import Refused, SeatView

SEATS = (Seat("Ada", "purple"), Seat("Bo", "green"), Seat("Cy", "red"))
MOVE = Reveal((Hand(1), Hand(2), Hand(0)))


@pytest.fixture(name="saved")
def _saved(tmp_path: Path) -> SavedGames:
    (tmp_path / "games").mkdir()
    return SavedGames(tmp_path / "games")


@pytest.fixture(name="past")
def _past(saved: SavedGames) -> PastGames:
    return PastGames(saved)


@pytest.fixture(name="playing")
def _playing(saved: SavedGames) -> Iterator[Session]:
    session = Session.create(saved.folder / "friday.journal", WICKED, SEATS, WickedSetup(STANDIN, 5))
    yield session
    session.close()


def finished(saved: SavedGames, name: str = "done") -> Session:
    rng = random.Random(2)
    with Session.create(saved.folder / f"{name}.journal", WICKED, SEATS, WickedSetup(STANDIN, 2)) as session:
        while session.state.phase != "over":
            session.play(random_move(session.state, rng))
    return session


def test_a_list_tells_players_times_and_who_won(past: PastGames, saved: SavedGames, playing: Session) -> None:
    over = finished(saved)
    listed = {game.id: game for game in past.games()}
    winners = tuple(score.player for score in final_scores(over.state) if score.place == 1)
    assert listed["done"].winners == winners
    assert listed["done"].stage.phase == "over"
    assert [seat.name for seat in listed["friday"].seats] == ["Ada", "Bo", "Cy"]
    assert (listed["friday"].winners, listed["friday"].entries) == ((), 1)
    assert listed["friday"].started == playing.started.time.isoformat()


def test_a_story_has_the_moves_that_count_as_they_were_corrected(past: PastGames, playing: Session) -> None:
    playing.play(MOVE, source="camera", evidence=b"picture")
    playing.play(MOVE)
    playing.undo()
    playing.revise(2, Reveal((Hand(2), Hand(2), Hand(0))))
    playing.play(MOVE)
    story = past.game("friday")
    assert [(step.place, step.number, step.corrected, step.evidence, step.source) for step in story.steps] == [
        (1, 2, True, True, "camera"),
        (2, 6, False, False, "hand"),
    ]
    assert "Ada 2, Bo 2" in story.steps[0].text
    assert (story.steps[0].player, story.steps[0].round) == (None, 1)
    assert (story.taken_back, story.game.entries) == (1, 6)
    playing.undo(entry=5)
    assert [step.corrected for step in past.game("friday").steps] == [False, False]
    assert past.evidence("friday", 2) == b"picture"
    assert past.evidence("friday", 6) is None


def test_every_moment_is_what_stood_then_and_the_pile_stays_hidden(past: PastGames, saved: SavedGames) -> None:
    finished(saved)
    with saved.open("done", read_only=True) as session:
        steps = session.steps
    beginning = past.state_after("done", 0)
    assert beginning.view.pile is None
    assert steps[0].before.pile is not None
    for place in (1, 7, len(steps)):
        moment = past.state_after("done", place)
        assert moment.view.players == steps[place - 1].after.players
        assert moment.scores == WICKED.final_scores(steps[place - 1].after)


def test_a_game_that_goes_on_is_seen_as_it_stands_now(past: PastGames, playing: Session) -> None:
    playing.play(MOVE)
    assert len(past.game("friday").steps) == 1
    playing.play(MOVE)
    assert len(past.game("friday").steps) == 2
    assert past.state_after("friday", 2).view.corridor == 2


@pytest.mark.parametrize("id", ["nothing", "../friday", "", "a" * 200, "friday.journal"])
def test_a_game_that_is_not_there_is_refused_in_one_line(past: PastGames, playing: Session, id: str) -> None:
    for ask in (past.game, lambda name: past.state_after(name, 0), lambda name: past.evidence(name, 1)):
        with pytest.raises(Refused, match="no saved game of that name"):
            ask(id)


@pytest.mark.parametrize("place", [-1, 1, 10_000])
def test_a_move_that_is_not_there_is_refused(past: PastGames, playing: Session, place: int) -> None:
    with pytest.raises(Refused, match="no such move"):
        past.state_after("friday", place)


def test_a_game_travels_in_one_file(past: PastGames, playing: Session, tmp_path: Path) -> None:
    playing.play(MOVE)
    file = io.BytesIO()
    past.export("friday", file)
    there = PastGames(SavedGames(tmp_path / "elsewhere"))
    assert there.import_game(io.BytesIO(file.getvalue())) == "friday"
    assert there.state_after("friday", 1) == past.state_after("friday", 1)
    with pytest.raises(Refused, match="here already"):
        there.import_game(io.BytesIO(file.getvalue()))
    with pytest.raises(Refused, match="not an exported game"):
        there.import_game(io.BytesIO(b"nothing"))
    assert len(there.games()) == 1


def test_looking_back_writes_nothing(past: PastGames, saved: SavedGames) -> None:
    path = finished(saved).path
    before = path.read_bytes(), path.stat().st_mtime_ns
    past.games()
    past.game("done")
    past.state_after("done", 3)
    past.export("done", io.BytesIO())
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


@pytest.mark.slow
def test_a_game_that_was_read_while_a_move_was_written_is_not_stale(past: PastGames, playing: Session) -> None:
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            past.game("friday")

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for _ in range(40):
            playing.play(MOVE)
            assert past.game("friday").game.entries == playing.number
            playing.undo()
            assert past.game("friday").game.entries == playing.number
    finally:
        over.set()
        reader.join()


def test_demonstrations_are_not_among_the_saved_games(past: PastGames, saved: SavedGames, playing: Session) -> None:
    seats = tuple(SeatView(seat.name, seat.figure) for seat in SEATS)
    saved.create_game(WICKED, seats, WickedSetup(STANDIN, 5), "demo").close()
    assert [game.id for game in past.games()] == ["friday"]


def test_a_demonstration_that_is_imported_is_a_saved_game(past: PastGames, saved: SavedGames) -> None:
    seats = tuple(SeatView(seat.name, seat.figure) for seat in SEATS)
    with saved.create_game(WICKED, seats, WickedSetup(STANDIN, 5), "demo") as session:
        file = io.BytesIO()
        past.export(session.id, file)
    imported = past.import_game(io.BytesIO(file.getvalue()))
    assert [game.id for game in past.games()] == [imported]
    assert saved.entry_mode_of(imported) == "hand"
    with pytest.raises(Refused, match="here already"):
        past.import_game(io.BytesIO(file.getvalue()))


def test_a_step_that_begins_a_round_is_listed_in_it_though_the_last_one_might_have_been_prolonged(
    past: PastGames, saved: SavedGames
) -> None:
    seats = (Seat("Ada", "red"), Seat("Bo", "brown"))
    with Session.create(saved.folder / "wands.journal", MASTER, seats, MasterSetup(3)) as session:

        def turn() -> None:
            shifts = (
                move for move in MASTER.legal_moves(session.state, session.state.mover) if move.type == "shift"
            )
            session.play(next(shifts))
            session.play(Stay(session.state.mover))

        turn()
        turn()
        session.play(UseWand(1))
        turn()
        turn()
        turn()
    rounds = [step.round for step in past.game("wands").steps]
    assert rounds == [1] * 7 + [2] * 4
