"""The simulated table is taught once for a look and a deck, and loaded afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.errors import EnrolError
from calibration.kinds import PIECE_KINDS
from calibration.profile import TableProfile
from companion.director import furnishing, simulation
from companion.director.director import Director
from companion.games.wicked.components import PLAYER_COLOURS, Deck
from companion.games.wicked.standin import STANDIN
from companion.table import SavedGames, Table
from tests.companion.director.rehearsal import PLAYERS, RUNNING, Clock, Room
from tests.companion.table.test_eyes import Placed, eyes_for
from vision.cameras.frame import Image
from vision.cameras.simulated import Look
from vision.cameras.simulated.grounds import Ground
from vision.cameras.simulated.scene import Scene


def test_a_simulated_table_that_cannot_be_set_up_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Deck) -> None:
        raise ValueError

    monkeypatch.setattr(simulation, "card_faces", broken)
    table = Table(SavedGames(tmp_path), STANDIN)
    told = threading.Event()
    table.subscribe(lambda view: told.set() if "could not be set up" in view.camera.message else None)
    running = simulation.Simulation(table, STANDIN)
    running.start()
    assert told.wait(10.0)
    running.close()
    table.close()


def test_a_second_start_loads_what_the_first_has_learnt_unless_the_deck_is_another(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught: list[Deck] = []

    def teaching(render: furnishing.Render, deck: Deck, tell: Callable[[str], None], _: object) -> TableProfile:
        taught.append(deck)
        return room.profile

    monkeypatch.setattr(furnishing, "taught", teaching)
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    lines: list[str] = []

    def start(deck: Deck) -> TableProfile:
        return furnishing.simulated_profile("simulated", room.renderer.render, deck, lines.append)

    assert not furnishing.taught_from_simulation("simulated")
    start(STANDIN)
    assert furnishing.taught_from_simulation("simulated")
    again = start(STANDIN)
    assert taught == [STANDIN]
    assert set(again.pieces) == set(room.profile.pieces)
    start(replace(STANDIN, name="another"))
    assert len(taught) == 2
    (tmp_path / "profiles" / "simulated" / "profile.json").write_text("{", encoding="ascii")
    start(replace(STANDIN, name="another"))
    assert len(taught) == 3
    assert any("learnt anew" in line for line in lines)


def test_the_simulated_table_lies_on_a_ground_that_its_seed_chooses(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid: list[Image] = []
    refused = 0

    def enrolled(name: str, render: furnishing.Render, deck: Deck, tell: Callable[[str], None]) -> TableProfile:
        laid.append(render(Scene(4, tile=False), 0))
        if len(laid) <= refused:
            raise EnrolError("No pieces found.")
        return room.profile

    monkeypatch.setattr(simulation, "simulated_profile", enrolled)
    lines: list[str] = []
    for seed in (3, 3, 4):
        renderer, profile = simulation.furnished("simulated", STANDIN, seed, lines.append)
        assert renderer.look.ground == Ground.from_seed(seed, simulation.SHOWN)
        assert profile is room.profile
    assert np.array_equal(laid[0], laid[1])
    assert not np.array_equal(laid[1], laid[2])
    refused = len(laid) + simulation.GROUNDS_TRIED
    renderer, _ = simulation.furnished("simulated", STANDIN, 3, lines.append)
    assert renderer.look == Look(), "plain wood is laid at last"
    assert (
        lines == ["The pieces do not stand out from this ground: another one is laid."] * simulation.GROUNDS_TRIED
    )


def test_every_kind_that_a_game_has_is_learnt_from_pictures(room: Room) -> None:
    assert set(room.profile.pieces) == {*furnishing.PIECE_KINDS, *furnishing.BOARD_KINDS} == set(PIECE_KINDS)
    assert {len(room.profile.pieces[kind].specimens) for kind in furnishing.BOARD_KINDS} == {12}
    assert set(room.profile.personal_boards) == set(PLAYER_COLOURS)
    assert room.profile.deck is not None
    assert "tile" in room.profile.deck.cards


def test_nobody_reaches_into_the_first_pictures_of_a_camera(tmp_path: Path) -> None:
    clock = Clock()
    table = Table(SavedGames(tmp_path), STANDIN, clock=clock)
    table.equip(eyes_for(Placed()))
    director = Director(table, lambda _: None, 1, clock)
    table.start_game(PLAYERS[:3], "demo")

    def begun(seconds: float) -> bool:
        for _ in range(int(seconds * 10)):
            clock.advance(0.1)
            director.tick()
        return "dealt" in director.view.doing

    assert not begun(10.0)
    table.camera_told(RUNNING)
    assert not begun(0.6)
    assert begun(1.0)
    table.close()
