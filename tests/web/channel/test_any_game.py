"""A table starts any registered game: by a command that names it, with its own players and moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask_socketio import SocketIOTestClient

from companion.games import added
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.games.pebbles.game import PEBBLES
from tests.web.conftest import Connect, last_view
from web import create_app
from web.people.access_control import AccessControl

PLAYERS = [{"name": "Ada", "figure": "white"}, {"name": "Bruno", "figure": "black"}]


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    with added(PEBBLES), closing(Table(SavedGames(tmp_path / "games"), STANDIN)) as table:
        yield table


@pytest.fixture(name="app")
def _app(table: Table) -> Flask:
    return create_app(table, secret="for tests only")


def send(screen: SocketIOTestClient, table: Table, event: str, **fields: object) -> Any:
    game = table.view.game
    now = {"game": None, "at": None} if game is None else {"game": game.id, "at": game.number}
    return screen.emit(event, {**now, **fields}, callback=True)


def newest(screen: SocketIOTestClient) -> dict[str, Any]:
    """Return the game as the screen gets it when it asks for the present state."""
    assert screen.emit("refresh", {}, callback=True) == {"ok": True}
    game: dict[str, Any] = last_view(screen)["game"]
    return game


def started(table: Table, screen: SocketIOTestClient) -> None:
    assert send(screen, table, "start_game", kind="pebbles", seats=PLAYERS) == {"ok": True}


def test_the_first_message_lists_the_games_with_players_figures_and_what_they_need(screen: Connect) -> None:
    message = last_view(screen())
    games = {game["id"]: game for game in message["games"]}
    assert games["pebbles"]["title"] == "Pebbles"
    assert games["pebbles"]["players"] == [2]
    assert [figure["id"] for figure in games["pebbles"]["figures"]] == ["black", "white"]
    ways = ("served", "camera", "demo", "undescribed", "secrets")
    assert [games["pebbles"][way] for way in ways] == [False, False, False, False, "seats"]
    assert [games["wicked"][way] for way in ways] == [True, True, True, True, "table"]
    assert [games[game]["minutes"] for game in ("wicked", "pebbles")] == [[30, 40], None]
    assert message["figure_pictures"]["wicked"]["purple"] == "/art/icon/wolf.svg"
    assert message["figure_pictures"]["pebbles"] == {}
    assert [screen["name"] for screen in message["own_screens"]["wicked"]] == ["scoring"]
    assert message["own_screens"]["pebbles"] == []


def test_another_game_than_the_served_one_is_started_and_played_by_hand(table: Table, screen: Connect) -> None:
    host = screen()
    started(table, host)
    game = newest(host)
    assert (game["game"], game["title"]) == ("pebbles", "Pebbles")
    assert game["seats"] == PLAYERS
    assert game["stage"] == {"phase": "hide", "round": 1, "step": 0}
    assert table.view.camera.state == "by_hand"


def test_a_secret_is_shown_on_the_own_phone_alone(app: Flask, table: Table, screen: Connect) -> None:
    host = screen()
    started(table, host)
    access: AccessControl = app.extensions["access"]
    phones = [screen(f"192.168.1.{seat + 5}") for seat in (0, 1)]
    for seat, phone in enumerate(phones):
        assert table.view.game is not None
        seated = {"code": access.table_code, "game": table.view.game.id, "seat": seat}
        assert phone.emit("take_seat", seated, callback=True) == {"ok": True}
    move = {"type": "hide", "player": 0, "number": 3}
    assert send(phones[1], table, "play", move=move)["error"]["code"] == "not_allowed"
    assert send(phones[0], table, "play", move=move) == {"ok": True}
    own, *others = map(newest, (phones[0], phones[1], host))
    assert own["view"]["hidden"] == [3, None]
    assert own["history"][0]["text"] == "Ada hides the number 3"
    for game in others:
        assert game["view"]["hidden"] == [None, None]
        assert game["history"][0]["text"] == "Ada hides a number"


def test_moves_that_only_a_player_may_know_are_not_offered_to_a_host(
    app: Flask, table: Table, screen: Connect
) -> None:
    started(table, screen())
    answer = app.test_client().get("/api/options/0")
    assert answer.json is not None
    assert answer.json["options"] == []


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {"kind": "pebbles", "seats": [*PLAYERS, {"name": "Chie", "figure": "white"}]},
            "Pebbles is for 2 players.",
        ),
        ({"kind": "pebbles", "seats": [{**one, "figure": "red"} for one in PLAYERS]}, "Two players cannot share"),
        ({"kind": "chess", "seats": PLAYERS}, "does not include the game “chess”"),
        ({"kind": "pebbles", "seats": PLAYERS, "own_cards": True}, "no cards to describe"),
        ({"seats": PLAYERS}, "The Wicked Labyrinth is for 3–5 players."),
    ],
)
def test_a_game_that_cannot_begin_is_refused_in_one_line(
    table: Table, screen: Connect, fields: dict[str, Any], line: str
) -> None:
    answer = send(screen(), table, "start_game", **fields)
    assert answer["error"]["code"] == "bad_request"
    assert line in answer["error"]["message"]
    assert table.view.game is None


def test_a_move_of_another_game_is_refused(table: Table, screen: Connect) -> None:
    host = screen()
    started(table, host)
    reveal = {"type": "reveal", "hands": [{"search": 1, "witch": 0, "soul": 0}] * 3}
    assert send(host, table, "play", move=reveal)["error"]["code"] == "bad_request"


def test_history_and_saved_games_name_the_game(app: Flask, table: Table, screen: Connect) -> None:
    started(table, screen())
    browser = app.test_client()
    for address, name in (("/api/games", "games"), ("/api/history", "games")):
        answer = browser.get(address).json
        assert answer is not None
        assert [game["game"] for game in answer[name]] == ["pebbles"]


def test_scores_of_any_game_are_downloaded(app: Flask, table: Table, screen: Connect) -> None:
    started(table, screen())
    answer = app.test_client().get("/api/scores.csv")
    assert 'filename="pebbles-' in answer.headers["Content-Disposition"]
    assert answer.data.decode("utf-8-sig").splitlines()[0] == (
        "place,player,figure,colour,pebbles,number,total,decided by,round 1"
    )


@pytest.mark.parametrize("options", [{"tips": 1}, {"": 0}, {"first": -1}])
def test_options_that_a_game_does_not_offer_are_refused(
    table: Table, screen: Connect, options: dict[str, int]
) -> None:
    answer = send(screen(), table, "start_game", kind="pebbles", seats=PLAYERS, options=options)
    assert answer["error"]["code"] == "bad_request"
    assert table.view.game is None


def test_options_of_a_game_are_checked_against_its_players(table: Table, screen: Connect) -> None:
    seats = [{"name": "Ada", "figure": "red"}, {"name": "Bruno", "figure": "blue"}]
    host = screen()
    wrong = send(host, table, "start_game", kind="master", seats=seats, options={"first": 2})
    assert wrong["error"]["code"] == "bad_request"
    fine = {"first": 1, "chained_wands": 1}
    assert send(host, table, "start_game", kind="master", seats=seats, way="hand", options=fine) == {"ok": True}
    assert (newest(host)["view"]["mover"], newest(host)["view"]["chained_wands"]) == (1, True)
