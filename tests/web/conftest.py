"""A small table, its application and a screen connected to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_socketio import SocketIO, SocketIOTestClient

from companion.games.wicked.components import PLAYER_COLOURS
from companion.table.views import SeatView
from tests.web.small_table import SmallTable
from web import create_app

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
    """A fixture's function that connects a screen."""

    def __call__(self, address: str = "127.0.0.1", browser: FlaskClient | None = None) -> SocketIOTestClient:
        """Return a screen that connects from this address, or in this browser with its cookies."""


@pytest.fixture(name="screen")
def _screen(app: Flask) -> Iterator[Connect]:
    """Return a function that connects screens; one on the serving machine is host."""
    screens: list[SocketIOTestClient] = []

    def connect(address: str = "127.0.0.1", browser: FlaskClient | None = None) -> SocketIOTestClient:
        socketio: SocketIO = app.extensions["socketio"]
        screens.append(socketio.test_client(app, flask_test_client=browser or browser_at(app, address)))
        return screens[-1]

    yield connect
    for one in screens:
        if one.is_connected():
            one.disconnect()


def browser_at(app: Flask, address: str) -> FlaskClient:
    """Return a new browser at this address."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client
