"""In the soul phase all choose at once: nobody's tap is refused because somebody else was quicker."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from pydantic import TypeAdapter

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import FinishSoul, Move, acting_player
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.companion.table.playing import game_of
from tests.web.commands import say
from tests.web.conftest import SEATS, Connect
from web import create_app

MOVE: TypeAdapter[Move] = TypeAdapter(Move)


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    """A real table in a soul phase in which the first two players may each do something with their board."""
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
    """What a player may do with their own board, finishing aside, as a page sends it."""
    moves = [option.move for option in table.options(player)]
    return [MOVE.dump_python(move, mode="json") for move in moves if not isinstance(move, FinishSoul)]


def test_two_phones_tap_at_once_and_both_count_once(app: Flask, screen: Connect, table: Table) -> None:
    code, game = app.extensions["access"].table_code, game_of(table)
    phones = [screen(f"192.168.1.{number}") for number in (5, 6)]
    for seat, phone in enumerate(phones):
        assert say(phone, "take_seat", {"code": code, "game": game.id, "seat": seat}) == {"ok": True}
    taps = [
        {"game": game.id, "at": game.number, "move": choices(table, seat)[0], "tap": f"tap {seat}"}
        for seat in (0, 1)
    ]
    for phone, tap in zip(phones, taps, strict=True):
        assert say(phone, "play", tap) == {"ok": True}
    assert [line.player for line in game_of(table).history[-2:]] == [0, 1]
    assert say(phones[0], "play", taps[0]) == {"ok": True}  # the answer of the first time
    for phone, tap in zip(phones, taps, strict=True):
        assert say(phone, "play", {**tap, "tap": "another"})["error"]["code"] == "stale"
    assert game_of(table).number == game.number + 2


def test_an_own_choice_is_taken_back_at_once_with_anothers_tap(screen: Connect, table: Table) -> None:
    host, game = screen(), game_of(table)
    about = {"game": game.id, "at": game.number}
    assert say(host, "play", {**about, "move": choices(table, 0)[0]})["ok"]
    later = {**about, "at": game.number + 1}
    assert say(host, "play", {**later, "move": choices(table, 1)[0]})["ok"]
    assert say(host, "undo", later)["error"]["code"] == "stale"  # the latest is another one by now
    assert say(host, "undo", {**later, "entry": game.number + 1}) == {"ok": True}
    assert game_of(table).state.players[0] == game.state.players[0]
    assert game_of(table).state.players[1] != game.state.players[1]


def test_what_concerns_the_whole_table_waits_for_its_state(screen: Connect, table: Table) -> None:
    host, game = screen(), game_of(table)
    for player in range(len(SEATS)):
        state = game_of(table)
        table.play(FinishSoul(player), state.number)
    laying = game_of(table)
    move = random_move(laying.state, random.Random(1))
    assert acting_player(move) is None
    late = {"game": game.id, "at": game.number, "move": MOVE.dump_python(move, mode="json")}
    assert say(host, "play", late)["error"]["code"] == "stale"
    assert game_of(table) == laying
