"""docs/protocol.md lists exactly the events with their fields, refusals, messages and routes that the code has."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from flask import Flask
from flask_socketio import SocketIO

from companion.table.views import CameraState, Refused
from tests.web.small_table import SmallTable
from vision.cameras.phone import PhoneLink
from web import create_app
from web.channel.commands import Command
from web.channel.role_filtered_messages import Publication
from web.channel.router import CommandRouter
from web.people.access_control import AccessView
from web.people.request_guards import roles_of
from web.people.roles import HOST, PLAYER, ROLES, Role

PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")
CONNECTION_EVENTS = {"connect", "disconnect"}


def section(heading: str) -> str:
    """Return the text below a heading, up to the next one of the same or a higher level."""
    level = heading.split()[0]
    found = re.search(rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{len(level)}}} |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, f"docs/protocol.md has no heading {heading}"
    return found[1]


def first_cells(text: str) -> set[str]:
    """Return the words in backticks in the first column of a section's tables."""
    return {
        word for row in re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE) for word in re.findall(r"`([^`]+)`", row)
    }


def without_converters(rule: str) -> str:
    """Return a route's rule with `<name>` instead of `<int:name>`."""
    return re.sub(r"<\w+:", "<", rule)


@pytest.fixture(name="app", scope="module")
def _app() -> Flask:
    return create_app(SmallTable(), secret="for tests only", phone=PhoneLink("https://192.168.1.5:8000/camera"))


def test_every_event_of_a_page_is_listed_and_no_other(app: Flask) -> None:
    socketio: SocketIO = app.extensions["socketio"]
    headings = ("### Game", "### Joining", "### Set-up", "### Scoring without a game")
    listed = set().union(*(first_cells(section(heading)) for heading in headings))
    assert listed == set(socketio.server.handlers["/"]) - CONNECTION_EVENTS


def test_every_field_of_an_event_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: dict[str, type[Command]] = {}
    register = CommandRouter.on

    def record(router: CommandRouter, event: str, kind: type[Command], *roles: Role) -> object:
        kinds[event] = kind
        return register(router, event, kind, *roles)

    monkeypatch.setattr(CommandRouter, "on", record)
    create_app(SmallTable(), secret="for tests only", phone=PhoneLink("https://192.168.1.5:8000/camera"))
    rows = re.findall(r"^\| (`[a-z_]+`[^|]*) \|([^|]*)\|", section("## Events from a page"), re.MULTILINE)
    listed = {event: cell for events, cell in rows for event in re.findall(r"`(\w+)`", events)}
    listed["revise"] = listed["revise"].replace("the same", listed["preview_revision"])
    for event, kind in kinds.items():
        words = set(re.findall(r"\w+", listed[event].replace("G", "game at")))
        assert set(kind.model_fields) <= words, event


def test_every_refusal_code_is_listed_and_no_other() -> None:
    codes = section("## Events from a page").split("### Game")[0]
    assert first_cells(codes) == {*get_args(get_type_hints(Refused.__init__)["code"]), "failed"}


def test_every_field_of_the_published_messages_is_listed() -> None:
    rows = section("## Messages to a page").splitlines()
    for event, message in (("table", Publication), ("door", AccessView)):
        (row,) = (row for row in rows if row.startswith(f"| `{event}` |"))
        listed = re.findall(r"`(\w+)`", row.split("|")[2].split(";")[0])
        assert listed == [field.name for field in fields(message)]


def test_every_state_of_the_camera_is_listed_and_no_other() -> None:
    listed = re.search(r"`camera\.state`: (.*?)\.", section("## Messages to a page"), re.DOTALL)
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed[1])) == set(get_args(CameraState))


def test_every_route_is_listed_with_its_roles_and_no_other(app: Flask) -> None:
    listed: dict[str, frozenset[str]] = {}
    for cell, role in re.findall(r"^\| (`[^|]*) \| ([^|]*) \|", section("## Routes"), re.MULTILINE):
        roles = {"all": ROLES, "host": (HOST,), "host, player": (HOST, PLAYER)}[re.sub(r" \(.*?\)", "", role)]
        listed |= {route: frozenset(roles) for route in re.findall(r"`([^`]+)`", cell)}
    served = {
        f"{method} {without_converters(rule.rule)}": roles_of(app, rule.endpoint)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert listed == served
