"""Correcting earlier moves over the live channel: shown first, guarded by the state number, made as shown."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask_socketio import SocketIOTestClient

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.web.conftest import SEATS, Connect


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    """A table whose game stands in its second round."""
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    table.start_game(SEATS)
    rng = random.Random(5)
    while (game := table.view.game) and game.state.round < 2:
        table.play(random_move(game.state, rng), game.number)
    yield table
    table.close()


@pytest.fixture(name="client")
def _client(screen: Connect) -> SocketIOTestClient:
    return screen()


def say(client: SocketIOTestClient, table: Table, event: str, **fields: object) -> dict[str, Any]:
    assert table.view.game is not None
    message = {"game": table.view.game.id, "at": table.view.game.number, **fields}
    answer: dict[str, Any] = client.emit(event, message, callback=True)
    return answer


def first_reveal(table: Table) -> int:
    assert table.view.game is not None
    return next(line.number for line in table.view.game.history if line.type == "reveal")


def test_a_correction_is_shown_and_then_made(table: Table, client: SocketIOTestClient) -> None:
    entry = first_reveal(table)
    move = say(client, table, "open_move", entry=entry)["result"]["move"]
    hand = max(move["hands"], key=lambda hand: hand["search"])
    hand["search"] -= 1
    choices: list[dict[str, Any]] = []
    changes = [{"entry": entry, "move": move}]
    preview = say(client, table, "preview_revision", changes=changes)["result"]
    while asked := preview["asked"]:
        choices.append({"after": asked["after"], "move": asked["options"][0]["move"]})
        preview = say(client, table, "preview_revision", changes=changes, choices=choices)["result"]
    assert preview["complete"]
    assert preview["before"]["view"]["pile"] is preview["after"]["view"]["pile"] is None
    made = say(client, table, "revise", **{name: preview[name] for name in ("changes", "dropped", "choices")})
    assert made == {"ok": True}
    assert table.view.game is not None
    assert [score.total for score in table.view.game.scores] == [
        score["total"] for score in preview["after"]["scores"]
    ]


_DONE = {"type": "finish_soul", "player": 0}


NO_CORRECTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("revise", {"changes": []}, "bad_request"),
    ("revise", {"changes": [{"entry": 3, "move": None}] * 65}, "bad_request"),
    (
        "revise",
        {"changes": [{"entry": 3, "move": _DONE, "also": 1}]},
        "bad_request",
    ),
    ("preview_revision", {"changes": [{"entry": 1, "move": None}]}, "not_now"),
    ("preview_revision", {"changes": [{"entry": 999_999, "move": None}]}, "not_now"),
    ("preview_revision", {"changes": [{"entry": 3, "move": None}], "at": 2}, "stale"),
    ("open_move", {"entry": -1}, "bad_request"),
    ("open_move", {"entry": 1}, "not_now"),
    ("open_move", {"entry": 3, "game": "another"}, "stale"),
]


def test_what_cannot_be_corrected_is_refused_and_nothing_changes(
    table: Table, client: SocketIOTestClient, subtests: pytest.Subtests
) -> None:
    for event, fields, code in NO_CORRECTIONS:
        with subtests.test(f"{event!r:.60} {fields!r:.60} {code!r:.60}"):
            before = table.view
            answer = say(client, table, event, **fields)
            assert answer["error"]["code"] == code
            assert table.view == before


@pytest.mark.parametrize("event", ["open_move", "preview_revision", "revise"])
def test_only_the_host_corrects_earlier_moves(table: Table, screen: Connect, event: str) -> None:
    before = table.view
    fields = {"entry": 3} if event == "open_move" else {"changes": [{"entry": 3, "move": _DONE}]}
    answer = say(screen("192.168.0.9"), table, event, **fields)
    assert answer["error"]["code"] == "not_allowed"
    assert table.view == before
