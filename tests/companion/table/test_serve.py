"""The serve command's plain lines, and the deck that a table has enrolled."""

from __future__ import annotations

import socket
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from calibration.cards.deck import EnrolledDeck
from calibration.profile import TableProfile
from calibration.seats import Seating
from calibration.simulated_profile_mark import is_simulated, write_mark
from companion.adapters.wicked.deck_for_rules import deck_of
from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.cli import main
from companion.cli.frame_source import NEW_PROFILE, camera_feed, newest_profile
from companion.cli.web_listener import start_listening
from companion.games.wicked.standin_deck import STANDIN
from companion.session.file_lock import acquire_lock
from companion.table import SavedGames, Table
from companion.table.enrolment.service import EnrolmentService
from companion.table.reading.readers_from_profile import readers_for
from companion.table.views import SeatView
from tests.companion.table.enrolment.enrolled import little_profile
from tests.waiting import eventually
from tests.web.small_table import SmallTable
from web import create_app


@pytest.fixture(name="home", autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


def test_a_port_in_use_is_reported_in_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["serve", "--host", "127.0.0.1", "--port", str(port)])
    assert result.exit_code == 3
    assert f"Port {port} cannot be used" in result.output
    assert result.exit_code == 3
    assert len(result.output.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--camera", "0"], 2, "--profile"),
        (["--camera", "0", "--profile", "no*such:name"], 3, "cannot be"),
        (["--camera", "no-film.mp4", "--profile", "new"], 3, "There is no video file"),
        (["--camera", "0", "--profile", "x", "--seed", "3"], 2, "--seed"),
    ],
)
def test_options_that_cannot_work_are_refused_before_anything_starts(
    options: list[str], code: int, words: str
) -> None:
    result = CliRunner().invoke(main, ["serve", *options])
    assert result.exit_code == code
    assert words in result.output


def test_a_home_of_an_unknown_user_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", "~nobody-of-this-name/x")
    for words in (
        ["serve"],
        ["game", "list"],
        ["snap", "--camera", "phone", "-o", "a.jpg"],
        ["count", "-p", "x", "y"],
    ):
        result = CliRunner().invoke(main, words)
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr == "There is no home folder for ~nobody-of-this-name/x: give the whole path.\n"


def test_the_simulated_table_overwrites_no_real_one(home: Path) -> None:
    little_profile().save("kitchen")
    before = {path: path.read_bytes() for path in (home / "profiles" / "kitchen").iterdir() if path.is_file()}
    result = CliRunner().invoke(main, ["serve", "--host", "127.0.0.1", "--port", "0", "--profile", "kitchen"])
    assert result.exit_code == 3
    assert result.output.strip().startswith("kitchen is a real table's profile")
    assert len(result.output.strip().splitlines()) == 1
    assert {path: path.read_bytes() for path in before} == before


def test_a_real_table_set_up_under_a_simulated_ones_name_is_never_overwritten(home: Path) -> None:
    folder = TableProfile(4).save("kitchen", simulated=True)
    write_mark(folder, "a digest")
    words = ["serve", "--host", "127.0.0.1", "--port", "0", "--profile", "kitchen"]
    refused = CliRunner().invoke(main, [*words, "--camera", "0"])
    assert refused.exit_code == 3
    assert refused.output.startswith("kitchen is a profile of the simulated table")
    assert len(refused.output.strip().splitlines()) == 1
    flat = ["calibrate", "--profile", "kitchen", "--flat", "2.0", "--seats", "4"]
    assert CliRunner().invoke(main, flat).exit_code == 0
    refused = CliRunner().invoke(main, words)
    assert refused.exit_code == 3
    assert refused.output.startswith("kitchen is a real table's profile")
    assert newest_profile() == "kitchen"


def test_what_is_enrolled_at_the_simulated_table_stays_simulated(tmp_path: Path) -> None:
    folder = TableProfile(4).save("simulated", simulated=True)
    write_mark(folder, "a digest")
    with closing(Table(SavedGames(tmp_path / "games"), STANDIN)) as table:
        service = EnrolmentService(table, "simulated", readers_for)
        service.keep_seating(Seating((0.0, 80.0, 200.0, 290.0)))
        service.enrol_printed_boards()
    assert is_simulated(folder)
    assert newest_profile() == NEW_PROFILE


@pytest.mark.slow
def test_a_table_that_is_not_found_yet_is_served_so_that_its_page_can_find_it() -> None:
    TableProfile(seats=4, deck=deck_from_art(STANDIN)).save("bare")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        options = ["--camera", "0", "--profile", "bare", "--host", "127.0.0.1", "--port", port]
        result = CliRunner().invoke(main, ["serve", *options])
    assert result.output.startswith("The table is not calibrated yet. Open the page")
    assert f"Port {port} cannot be used" in result.output
    assert result.exit_code == 3


@pytest.mark.parametrize(
    ("profile", "first_line"),
    [
        ("first-table", "There is no profile first-table yet, so it is created. Open the page"),
        ("found", "No card is enrolled yet: do that on this page first. Open the page and choose Camera."),
    ],
)
def test_missing_enrolment_is_reported_and_the_page_is_served(profile: str, first_line: str) -> None:
    replace(little_profile(), deck=None).save("found")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        options = ["--camera", "0", "--profile", profile, "--host", "127.0.0.1", "--port", port]
        result = CliRunner().invoke(main, ["serve", *options])
    assert result.output.splitlines()[0].startswith(first_line)
    assert f"Port {port} cannot be used" in result.output


@pytest.mark.slow
def test_the_enrolled_stand_in_deck_is_the_rules_own_deck() -> None:
    enrolled = deck_from_art(STANDIN)
    assert deck_of(enrolled) == STANDIN


def test_a_deck_with_too_few_cards_is_reported_in_one_line() -> None:
    with pytest.raises(ValueError, match="corridor cards"):
        deck_of(EnrolledDeck("a few", {}))


def test_the_console_shows_the_codes_and_where_they_are_typed(capsys: pytest.CaptureFixture[str]) -> None:
    app = create_app(SmallTable())
    listener = start_listening(app, "127.0.0.1", 0, tls=False)
    access = app.extensions["access"]
    listener.announce_codes(access)
    first_line = capsys.readouterr().out
    assert f"Join page: {access.table_code}" in first_line
    assert f"{access.host_code[:4]}-{access.host_code[4:]}" in first_line
    assert access.find_addresses() == ()  # 127.0.0.1 keeps it to this machine
    listener.server.server_close()


def test_the_console_names_the_address_that_is_listened_on(capsys: pytest.CaptureFixture[str]) -> None:
    for host, local in {"127.0.0.1": "localhost", "127.0.0.2": "127.0.0.2"}.items():
        listener = start_listening(create_app(SmallTable()), host, 0, tls=False)
        listener.announce()
        listener.server.server_close()
        assert f"The table page: http://{local}:{listener.server.port}\n" in capsys.readouterr().out


def test_invitations_name_the_networks_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(SmallTable())
    listener = start_listening(app, "0.0.0.0", 0, tls=False)
    access = app.extensions["access"]
    listener.announce_codes(access)
    browser = app.test_client()
    seen = []
    for networks in ((), ("192.168.7.5",), ("10.0.0.3", "192.168.7.5")):
        monkeypatch.setattr("web.serving.network_addresses.network_addresses", lambda found=networks: found)
        seen.append((browser.get("/join/qr.svg").status_code, access.find_addresses()))
    port = listener.server.port
    assert seen == [
        (404, ()),
        (200, (f"http://192.168.7.5:{port}",)),
        (200, (f"http://10.0.0.3:{port}", f"http://192.168.7.5:{port}")),
    ]
    listener.server.server_close()


def test_behind_a_proxy_the_given_address_is_the_invitation() -> None:
    listener = start_listening(create_app(SmallTable()), "127.0.0.1", 0, False, "https://table.example")
    assert listener.addresses() == ("https://table.example",)
    assert listener.phone_page() == "https://table.example/camera"
    listener.server.server_close()


@pytest.mark.parametrize("text", ["table.example", "ftp://table.example", "https://table.example/game", "https://"])
def test_an_address_that_is_no_page_s_is_refused_in_one_line(text: str) -> None:
    result = CliRunner().invoke(main, ["serve", "--public-address", text])
    assert result.exit_code == 2
    assert "Write it like https://table.example." in result.output


def test_where_nothing_can_be_kept_one_line_says_so(home: Path) -> None:
    (home / "web").write_text("in the way")
    result = CliRunner().invoke(main, ["serve", "--host", "127.0.0.1", "--port", "0"])
    assert result.exit_code == 3
    assert "Nothing can be saved in" in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_a_second_companion_on_one_folder_is_refused_in_one_line(home: Path) -> None:
    with closing(acquire_lock(home / "companion")):
        result = CliRunner().invoke(main, ["serve", "--host", "127.0.0.1", "--port", "0"])
    assert result.exit_code == 3
    assert "Another companion on this computer" in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_a_camera_s_table_begins_with_its_components_and_starts_a_game(tmp_path: Path) -> None:
    TableProfile(seats=4, deck=deck_from_art(STANDIN)).save("home")
    components, _ = camera_feed("0", "home", "wicked", (1280, 720), True, None)
    assert components == STANDIN
    with closing(Table(SavedGames(tmp_path / "games"), components)) as table:
        table.start_game([SeatView(name, name) for name in ("purple", "green", "red")])
        assert table.view.game is not None


def test_a_game_whose_board_finds_itself_needs_neither_profile_nor_sheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    components, make = camera_feed("0", None, "master", (1280, 720), True, None)
    assert "calibrat" not in capsys.readouterr().out
    with closing(Table(SavedGames(tmp_path / "games"), components, game="master")) as table:
        table.start_game([SeatView("Ada", "red"), SeatView("Bruno", "blue")])
        assert table.view.game is not None
        assert table.view.game.stage.phase == "board"
        feed = make(table)
        feed.start()
        try:
            eventually(lambda: table.view.camera.state == "no_camera")
        finally:
            feed.close()
    with pytest.raises(click.UsageError, match="--profile"):
        camera_feed("0", None, "wicked", (1280, 720), True, None)
