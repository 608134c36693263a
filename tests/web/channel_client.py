"""Helpers for tests of the live channel: sending an event, and the payloads that most tests need."""

from __future__ import annotations

from typing import Any

from flask_socketio import SocketIOTestClient

from companion.table import Table
from companion.table.views import GameView
from tests.web.small_table import SmallTable


def send(screen: SocketIOTestClient, event: str, payload: Any = None) -> dict[str, Any]:
    """Send an event and return its answer."""
    answer: dict[str, Any] = screen.emit(event, payload, callback=True)
    return answer


def state_of(table: SmallTable) -> dict[str, Any]:
    """Return the fields by which a command names the present game and state."""
    game = table.view.game
    assert game is not None
    return {"game": game.id, "at": game.number}


def game_of(table: Table) -> GameView:
    """Return the running game of a table."""
    game = table.view.game
    assert game is not None
    return game


def reveal(*search: int) -> dict[str, Any]:
    """Return the move that reveals these numbers of search pieces, by seat."""
    return {"type": "reveal", "hands": [{"search": number, "witch": 0, "soul": 0} for number in search]}


def latest_view(screen: SocketIOTestClient) -> dict[str, Any]:
    """Return the last `table` message that a screen has received."""
    messages = [message["args"][0] for message in screen.get_received() if message["name"] == "table"]
    latest: dict[str, Any] = messages[-1]
    return latest
