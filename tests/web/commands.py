"""Commands as a screen sends them."""

from __future__ import annotations

from typing import Any

from flask_socketio import SocketIOTestClient

from tests.web.small_table import SmallTable


def say(screen: SocketIOTestClient, event: str, payload: Any = None) -> dict[str, Any]:
    answer: dict[str, Any] = screen.emit(event, payload, callback=True)
    return answer


def now(table: SmallTable) -> dict[str, Any]:
    game = table.view.game
    assert game is not None
    return {"game": game.id, "at": game.number}


def reveal(*search: int) -> dict[str, Any]:
    return {"type": "reveal", "hands": [{"search": number, "witch": 0, "soul": 0} for number in search]}
