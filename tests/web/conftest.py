"""A small table, its application and a screen connected to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
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


@pytest.fixture(name="screen")
def _screen(app: Flask) -> Iterator[Callable[[], SocketIOTestClient]]:
    """Connects as many screens as a test wants."""
    screens: list[SocketIOTestClient] = []

    def connect() -> SocketIOTestClient:
        socketio: SocketIO = app.extensions["socketio"]
        screens.append(socketio.test_client(app))
        return screens[-1]

    yield connect
    for one in screens:
        if one.is_connected():
            one.disconnect()


def told(screen: SocketIOTestClient) -> dict[str, Any]:
    """What the screen was told last."""
    messages = [message["args"][0] for message in screen.get_received() if message["name"] == "table"]
    latest: dict[str, Any] = messages[-1]
    return latest
