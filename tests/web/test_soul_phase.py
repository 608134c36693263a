"""In the soul phase all players choose at once: none is refused because another one was quicker."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from pydantic import TypeAdapter

from companion.games.wicked.bots import random_move
from companion.games.wicked.moves import FinishSoul, Move, chooser
from companion.games.wicked.standin import STANDIN
from companion.table import SavedGames, Table
from tests.web.channel_client import game_of, send
from tests.web.conftest import SEATS, Connect
from web import create_app

MOVE: TypeAdapter[Move] = TypeAdapter(Move)


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    """Return a real table in a soul phase in which the first two players each have a choice."""
    table, rng = Table(SavedGames(tmp_path / "games"), STANDIN), random.Random(4)
    table.start_game(SEATS)
    while game_of(table).state.phase != "soul" or not (choices(table, 0) and choices(table, 1)):
        game = game_of(table)
        table.play(random_move(game.state, rng), game.number)
    yield table
    table.close()


@pytest.fixture(name="app")
def _app(table: Table) -> Flask:
    return create_app(table, secret="for tests only")


def choices(table: Table, player: int) -> list[Any]:
    """Return a player's legal moves in JSON form, without finishing the phase."""
    moves = [option.move for option in table.options(player)]
    return [MOVE.dump_python(move, mode="json") for move in moves if not isinstance(move, FinishSoul)]


def test_two_phones_choose_at_once_and_each_choice_counts_once(app: Flask, screen: Connect, table: Table) -> None:
    code, game = app.extensions["door"].table_code, game_of(table)
    phones = [screen(f"192.168.1.{number}") for number in (5, 6)]
    for seat, phone in enumerate(phones):
        assert send(phone, "take_seat", {"code": code, "game": game.id, "seat": seat}) == {"ok": True}
    taps = [
        {"game": game.id, "at": game.number, "move": choices(table, seat)[0], "tap": f"tap {seat}"}
        for seat in (0, 1)
    ]
    for phone, tap in zip(phones, taps, strict=True):
        assert send(phone, "play", tap) == {"ok": True}
    assert [line.player for line in game_of(table).history[-2:]] == [0, 1]
    assert send(phones[0], "play", taps[0]) == {"ok": True}  # the first answer
    for phone, tap in zip(phones, taps, strict=True):
        assert send(phone, "play", {**tap, "tap": "another"})["error"]["code"] == "stale"
    assert game_of(table).number == game.number + 2


def test_a_choice_is_undone_after_another_players_choice(screen: Connect, table: Table) -> None:
    host, game = screen(), game_of(table)
    about = {"game": game.id, "at": game.number}
    assert send(host, "play", {**about, "move": choices(table, 0)[0]})["ok"]
    later = {**about, "at": game.number + 1}
    assert send(host, "play", {**later, "move": choices(table, 1)[0]})["ok"]
    assert send(host, "undo", later)["error"]["code"] == "stale"  # the latest entry is another player's by now
    assert send(host, "undo", {**later, "entry": game.number + 1}) == {"ok": True}
    assert game_of(table).state.players[0] == game.state.players[0]
    assert game_of(table).state.players[1] != game.state.players[1]


def test_a_move_of_the_whole_table_needs_the_present_state(screen: Connect, table: Table) -> None:
    host, game = screen(), game_of(table)
    for player in range(len(SEATS)):
        state = game_of(table)
        table.play(FinishSoul(player), state.number)
    laying = game_of(table)
    move = random_move(laying.state, random.Random(1))
    assert chooser(move) is None
    late = {"game": game.id, "at": game.number, "move": MOVE.dump_python(move, mode="json")}
    assert send(host, "play", late)["error"]["code"] == "stale"
    assert game_of(table) == laying
