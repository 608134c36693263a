"""Everybody's boards over the live channel: only hosts see, take or put them aside; nothing malformed counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask_socketio import SocketIOTestClient

from tests.companion.adapters.wicked.soul_phase import SoulPhaseSession, exhausted, soul_phase_session
from tests.companion.director.rehearsal import AtOnce
from tests.web.commands import say
from tests.web.conftest import Connect, browser_at, last_view
from tests.web.small_table import SmallTable
from web import create_app


@pytest.fixture(name="session")
def _session(tmp_path: Path) -> Iterator[SoulPhaseSession]:
    """A table in its soul phase, whose boards have just been read."""
    session = soul_phase_session(tmp_path, AtOnce())
    session.lay(exhausted(session.game.state))
    session.look(2.0)
    session.table.proposals.hold(session.proposal.id, session.game.number)
    yield session
    session.table.close()


@pytest.fixture(name="app")
def _app(session: SoulPhaseSession) -> Flask:
    return create_app(session.table, secret="for tests only")


@pytest.fixture(name="host")
def _host(screen: Connect) -> SocketIOTestClient:
    return screen()


@pytest.fixture(name="player")
def _player(app: Flask, session: SoulPhaseSession, screen: Connect) -> SocketIOTestClient:
    phone = screen("192.168.1.5")
    code = app.extensions["access"].table_code
    assert say(phone, "take_seat", {"code": code, "game": session.game.id, "seat": 1}) == {"ok": True}
    return phone


def about(session: SoulPhaseSession, **more: Any) -> dict[str, Any]:
    return {"game": session.game.id, "at": session.game.number, **more}


def proposed(session: SoulPhaseSession, **more: Any) -> dict[str, Any]:
    return about(session, proposal=session.proposal.id, **more)


def compared(session: SoulPhaseSession, **more: Any) -> dict[str, Any]:
    return about(session, comparison=session.view.id, **more)


def test_only_hosts_receive_what_the_camera_reads_on_boards(
    session: SoulPhaseSession, host: SocketIOTestClient, player: SocketIOTestClient
) -> None:
    say(host, "refresh", {})
    say(player, "refresh", {})
    shown, hidden = last_view(host), last_view(player)
    assert len(shown["proposal"]["questions"]) == 3
    assert shown["comparison"]["id"] == session.view.id
    assert (hidden["proposal"], hidden["comparison"]) == (None, None)


def test_a_host_takes_the_whole_soul_phase_at_once(session: SoulPhaseSession, host: SocketIOTestClient) -> None:
    assert say(host, "accept", proposed(session, choices=[0, 0, 0])) == {"ok": True}
    assert session.game.state.phase == "lay"


@pytest.mark.parametrize("event", ["read_table", "accept", "dismiss", "hold", "accept_correction"])
def test_players_take_nothing_and_put_nothing_aside(
    session: SoulPhaseSession, player: SocketIOTestClient, event: str
) -> None:
    wanted = {
        "read_table": {"on": True},
        "accept": proposed(session, choices=[0, 0, 0]),
        "accept_correction": compared(session, correction=0),
    }.get(event, proposed(session))
    assert say(player, event, wanted)["error"]["code"] == "not_allowed"
    assert session.game.state.phase == "soul"


NO_CHOICES = [[0, 0], [0] * 6, [0, 0, -1], [0, 0, 21], [0, 0, "0"], [0, 0, 0.5], [True, 0, 0], "000", None]


def test_choices_that_cannot_be_meant_are_refused(
    session: SoulPhaseSession, host: SocketIOTestClient, subtests: pytest.Subtests
) -> None:
    for choices in NO_CHOICES:
        with subtests.test(f"{choices!r:.60}"):
            assert say(host, "accept", proposed(session, choices=choices))["error"]["code"] == "bad_request"
            assert session.game.state.phase == "soul"


def test_a_correction_that_was_not_offered_is_refused(
    session: SoulPhaseSession, host: SocketIOTestClient, subtests: pytest.Subtests
) -> None:
    for correction in [0, -1, 4, "0", None, True]:
        with subtests.test(f"{correction!r:.60}"):
            number = session.game.number
            last_view = say(host, "accept_correction", compared(session, correction=correction))
            assert last_view["error"]["code"] == "bad_request"
            assert session.game.number == number


def test_a_tap_made_for_another_state_or_reading_is_refused(
    session: SoulPhaseSession, host: SocketIOTestClient
) -> None:
    for wrong in ({"at": session.game.number - 1}, {"game": "another"}, {"proposal": "another"}):
        taken = say(host, "accept", proposed(session, choices=[0, 0, 0]) | wrong)
        assert taken["error"]["code"] == "stale"
    assert session.game.state.phase == "soul"


def test_pictures_of_boards_are_for_hosts(app: Flask, session: SoulPhaseSession) -> None:
    keeps, looks_on = browser_at(app, "127.0.0.1"), browser_at(app, "192.168.1.7")
    for id in (session.proposal.id, session.view.id):
        whole, one = f"/api/proposal.jpg?of={id}", f"/api/proposal/0.jpg?of={id}"
        for address in (whole, one):
            assert keeps.get(address).data.startswith(b"\xff\xd8")
        assert looks_on.get(whole).status_code == 403
        assert looks_on.get(one).status_code == 204
        assert keeps.get(f"/api/proposal/9.jpg?of={id}").status_code == 204
    assert keeps.get("/api/proposal.jpg?of=another").status_code == 204


def test_a_table_that_cannot_read_boards_says_so() -> None:
    app = create_app(SmallTable(), secret="for tests only")
    screen = app.extensions["socketio"].test_client(app, flask_test_client=browser_at(app, "127.0.0.1"))
    assert say(screen, "read_table", {"on": True})["error"]["code"] == "not_now"
    screen.disconnect()
