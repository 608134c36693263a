"""A small table, its application and a screen connected to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_socketio import SocketIO, SocketIOTestClient

from companion.games.wicked.components import PLAYER_COLOURS
from companion.table.views import SeatView
from tests.web.small_table import SmallTable
from web import create_app
from web.people.request_guards import PAGE_HEADER

SEATS = tuple(
    SeatView(name, colour)
    for name, colour in zip(("Ada", "Bruno", "Chie", "Dolores"), PLAYER_COLOURS, strict=False)
)


@pytest.fixture(name="table")
def _table() -> SmallTable:
    return SmallTable(simulated=True, seed=7)


@pytest.fixture(name="app")
def _app(table: SmallTable) -> Flask:
    return create_app(table, secret="for tests only")


class Connect(Protocol):
    """Connects a screen."""

    def __call__(self, address: str = "127.0.0.1", browser: FlaskClient | None = None) -> SocketIOTestClient:
        """Come from this address, or in this browser with its cookies."""


@pytest.fixture(name="screen")
def _screen(app: Flask) -> Iterator[Connect]:
    """Connects as many screens as a test wants; those of the serving machine itself are hosts."""
    screens: list[SocketIOTestClient] = []

    def connect(address: str = "127.0.0.1", browser: FlaskClient | None = None) -> SocketIOTestClient:
        socketio: SocketIO = app.extensions["socketio"]
        screens.append(socketio.test_client(app, flask_test_client=browser or browser_at(app, address)))
        return screens[-1]

    yield connect
    for one in screens:
        if one.is_connected():
            one.disconnect()


OWN = {PAGE_HEADER: "1", "Origin": "http://localhost"}
"""Headers of a request by the companion's own page."""


def browser_at(app: Flask, address: str) -> FlaskClient:
    """A browser of its own on the machine of this address."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client


def last_view(screen: SocketIOTestClient) -> dict[str, Any]:
    """Return the view that the screen received last."""
    messages = [message["args"][0] for message in screen.get_received() if message["name"] == "table"]
    latest: dict[str, Any] = messages[-1]
    return latest
