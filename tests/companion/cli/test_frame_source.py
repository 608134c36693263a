from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.profile import TableProfile
from companion.cli.errors import Unusable
from companion.cli.frame_source import NEW_PROFILE, SwitchableFeed, camera_feed, newest_profile, simulated_feed
from companion.director import simulated_table
from companion.table import Readers, SavedGames, Table
from companion.table.reading.readers_from_profile import readers_for
from companion.table.views import Refused, SeatView
from tests.waiting import LONGEST_WAIT, eventually


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    setup, _ = simulated_feed(None, 1, "wicked")
    made = Table(SavedGames(tmp_path / "games"), setup, game="wicked")
    yield made
    made.close()


@pytest.fixture
def feed(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SwitchableFeed]:
    """The feed of a simulated table that is not set up yet."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    made = SwitchableFeed(table, simulated_feed(None, 1, "wicked")[1])
    yield made
    made.close()


def test_the_simulated_table_changes_over_to_another_game(table: Table, feed: SwitchableFeed) -> None:
    table.start_game((SeatView("Ada", "red"), SeatView("Bruno", "green"), SeatView("Chie", "black")), "demo")
    feed.use("master", lambda: simulated_feed(None, 1, "master"))
    assert table.served == "master"
    assert table.director is not None
    table.director.show_me(lambda: None)
    game = table.view.game
    assert game is not None
    assert game.record.id == "master"
    assert [seat.figure for seat in game.seats] == ["red", "blue", "white"]
    assert game.state.maze is not None


def test_a_feed_that_cannot_be_used_leaves_the_table_as_it_is(table: Table, feed: SwitchableFeed) -> None:
    def find() -> object:
        raise Unusable("There is no camera 0.")

    director = table.director
    with pytest.raises(Refused, match=r"There is no camera 0\."):
        feed.use("master", find)  # type: ignore[arg-type]
    assert table.served == "wicked"
    assert table.director is director


def test_a_copied_profile_whose_name_no_command_accepts_is_never_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    TableProfile(4).save(tmp_path / "profiles" / "home (copy)")
    assert newest_profile() == NEW_PROFILE
    TableProfile(4).save("home")
    TableProfile(4).save(tmp_path / "profiles" / "home (copy)")
    assert newest_profile() == "home"


@pytest.mark.slow
def test_a_simulation_that_is_still_being_set_up_leaves_the_camera_its_table(
    table: Table, feed: SwitchableFeed, monkeypatch: pytest.MonkeyPatch
) -> None:
    preparing, changed_over = threading.Event(), threading.Event()

    def slowly(profile: TableProfile) -> Readers:
        preparing.set()
        changed_over.wait(LONGEST_WAIT)
        return readers_for(profile)

    monkeypatch.setattr(simulated_table, "readers_for", slowly)
    feed.use("master", lambda: simulated_feed(None, 1, "master"))
    feed.start()
    assert preparing.wait(LONGEST_WAIT)
    feed.use("master", lambda: camera_feed("0", "home", "master", (1280, 720), True, None))
    enrolment = table.enrolment
    changed_over.set()
    eventually(lambda: all(thread.name != "setting-up" for thread in threading.enumerate()))
    assert table.enrolment is enrolment
    assert enrolment is not None
    assert enrolment.profile == "home"
