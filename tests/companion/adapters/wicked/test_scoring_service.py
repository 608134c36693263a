"""Boards scored from pictures, read in the background, beside whatever else is going on at the table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from calibration.files.picture_files import decode_picture
from calibration.profile import TableProfile
from companion.adapters.wicked.scoring.service import LARGEST_PICTURE, ScoringService
from companion.adapters.wicked.scoring.view_model import ScoringView
from companion.games.wicked.components import PLAYER_COLOURS
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.enrolment.service import EnrolmentService
from companion.table.reading.readers_from_profile import readers_for
from companion.table.views import Refused, SeatView
from tests.companion.adapters.wicked import scored
from tests.companion.adapters.wicked.services import services_of
from tests.companion.cli.laid import TABLE, truth
from tests.vision.boards import enrolled
from tests.waiting import eventually
from vision.cameras.frame import Image
from vision.games.wicked import board_reader
from vision.games.wicked.board_reader import BoardReader

pytestmark = pytest.mark.slow


@pytest.fixture(name="make_service")
def _make_service(tmp_path: Path) -> Iterator[Callable[..., ScoringService]]:
    """Makes scoring services in one folder, for a table with this profile and this camera picture."""
    services: list[ScoringService] = []
    table = Table(SavedGames(tmp_path / "games"), STANDIN)

    def make(profile: TableProfile | None = None, picture: Image | None = None) -> ScoringService:
        enrolment = None
        if profile is not None:
            profile.save(tmp_path / "profile")
            enrolment = EnrolmentService(table, tmp_path / "profile", readers_for)
        services.append(
            ScoringService(
                tmp_path / "scored", lambda: enrolment.saved_profile() if enrolment else None, lambda: picture
            )
        )
        return services[-1]

    yield make
    for one in services:
        one.close()
    table.close()


def idle_view(scoring: ScoringService, until: Callable[[ScoringView], object] | None = None) -> ScoringView:
    """Wait until the pictures are read; return the view."""
    views: list[ScoringView] = []

    def is_read() -> object:
        views.append(view := scoring.view)
        return not view.doing and (view.said or view.sure) and (until is None or until(view))

    eventually(is_read)
    return views[-1]


def test_one_picture_of_the_whole_table_scores_as_the_engine_does(
    make_service: Callable[..., ScoringService],
) -> None:
    scoring = make_service(enrolled.profile(), scored.whole_table())
    scoring.set_players(3)
    scoring.read_camera()
    assert scoring.view.doing == "Reading the picture…"
    view = idle_view(scoring)
    assert view.sure, view
    expected = truth(TABLE)
    for board, score in zip(view.boards, view.scores, strict=True):
        assert board.colour == board.name
        assert (score.total, score.place) == (expected[board.name].total, expected[board.name].place)
    assert view.line.startswith(f"Wolf wins with {expected['purple'].total} points.")
    for board in view.boards:
        evidence = scoring.picture(board.picture)
        assert evidence is not None
        assert decode_picture(evidence).shape[1] == 960
    again = make_service(enrolled.profile()).view
    assert (again.boards, again.scores, again.sure) == (view.boards, view.scores, True)


def test_doubts_hold_the_winner_back_and_a_picture_counts_once(
    make_service: Callable[..., ScoringService], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[TableProfile] = []

    def make_reader(profile: TableProfile) -> BoardReader:
        made.append(profile)
        return BoardReader(profile)

    monkeypatch.setattr(board_reader, "BoardReader", make_reader)
    scoring = make_service(enrolled.profile())
    scoring.set_players(3)
    scoring.add_picture(scored.as_jpeg(scored.with_a_strange_token()))
    view = idle_view(scoring)
    (board,) = view.boards
    assert "middle:3" in [doubt.about for doubt in board.doubts]
    assert view.said.startswith("The purple board was read.")

    scoring.add_picture(scored.as_jpeg(scored.whole_table()))
    view = idle_view(scoring, lambda view: len(view.boards) == 3)
    assert "The purple board is already added" in view.said
    assert (view.sure, view.missing) == (False, 0)
    assert view.line.startswith("The winner is not certain")

    scoring.add_picture(scored.as_jpeg(scored.by_phone(TABLE[0])), board.id)
    view = idle_view(scoring, lambda view: view.boards[0].id != board.id)
    assert [one.name for one in view.boards] == ["purple", "red", "black"]
    assert view.sure
    assert len(made) == 1, "the reader is made once for all pictures"
    assert scoring.picture(board.picture) is None


def test_pictures_of_nothing_are_refused_in_words(make_service: Callable[..., ScoringService]) -> None:
    scoring = make_service(enrolled.profile())
    scoring.set_players(3)
    scoring.add_picture(scored.nothing())
    view = idle_view(scoring)
    assert (view.refused, view.boards) == (True, ())
    assert "No enrolled board was found" in view.said
    said = view.said
    scoring.add_picture(scored.foreign())
    view = idle_view(scoring)
    assert (view.refused, view.boards, view.said) == (True, (), said)
    torn = scored.nothing()
    with pytest.raises(Refused, match="The picture is cut off"):
        scoring.add_picture(torn[: len(torn) // 2])
    with pytest.raises(Refused, match="not a picture"):
        scoring.add_picture(b"GIF89a")
    with pytest.raises(Refused, match="at most 24 MB"):
        scoring.add_picture(bytes(LARGEST_PICTURE + 1))
    with pytest.raises(Refused, match="not sending pictures"):
        scoring.read_camera()
    with pytest.raises(Refused, match="was removed"):
        scoring.add_picture(scored.nothing(), "b99")


def test_what_is_read_for_boards_that_were_let_go_is_let_go_too(
    make_service: Callable[..., ScoringService],
) -> None:
    scoring = make_service(enrolled.profile(), scored.whole_table())
    scoring.set_players(3)
    scoring.read_camera()
    scoring.clear()
    scoring.set_players(4)
    eventually(lambda: not scoring.view.doing)
    view = scoring.view
    assert (view.doing, view.boards, view.said, view.players) == ("", (), "", 4)


@pytest.mark.parametrize(
    ("profile", "why"),
    [(None, "still|being set up"), (TableProfile(4), "No boards are enrolled yet")],
)
def test_without_boards_that_are_known_pictures_are_refused_and_hands_are_enough(
    make_service: Callable[..., ScoringService], profile: TableProfile | None, why: str
) -> None:
    scoring = make_service(profile)
    scoring.set_players(3)
    assert scoring.watch().unread
    with pytest.raises(Refused, match=why):
        scoring.add_picture(scored.nothing())
    for colour in PLAYER_COLOURS[:3]:
        scoring.begin_by_hand(colour)
    for board in scoring.view.boards:
        scoring.set_token(board.id, "high", 0, "red")
        scoring.confirm(board.id, "board:0")
    scoring.set_count(scoring.view.boards[1].id, "impurity", 2)
    scoring.set_achieved(scoring.view.boards[2].id, 1, True)
    view = scoring.view
    assert view.sure
    assert [score.total for score in view.scores] == [5, 3, 20]


def test_a_game_that_is_played_is_not_touched(tmp_path: Path) -> None:
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    table.start_game([SeatView(name, colour) for name, colour in zip("ABC", PLAYER_COLOURS, strict=False)])
    before = table.view
    services_of(table).scoring.set_players(3)
    services_of(table).scoring.begin_by_hand("red")
    services_of(table).scoring.clear()
    assert table.view is before
    table.close()


def test_where_nothing_can_be_kept_nothing_changes(
    make_service: Callable[..., ScoringService], tmp_path: Path
) -> None:
    scoring = make_service()
    (tmp_path / "scored").write_text("a file where the folder should be")
    with pytest.raises(Refused, match="cannot be saved"):
        scoring.set_players(3)
    assert scoring.view.players is None


def test_where_the_boards_cannot_be_cleared_the_waiting_pictures_are_still_read(
    make_service: Callable[..., ScoringService], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()

    def make_reader(profile: TableProfile) -> BoardReader:
        released.wait(60)
        return BoardReader(profile)

    monkeypatch.setattr(board_reader, "BoardReader", make_reader)
    scoring = make_service(enrolled.profile(), scored.whole_table())
    scoring.set_players(3)
    scoring.read_camera()
    (tmp_path / "scored").rename(tmp_path / "elsewhere")
    (tmp_path / "scored").write_text("a file where the folder should be")
    with pytest.raises(Refused, match="cannot be saved"):
        scoring.clear()
    (tmp_path / "scored").unlink()
    released.set()
    view = idle_view(scoring)
    assert (view.players, len(view.boards)) == (3, 3)
