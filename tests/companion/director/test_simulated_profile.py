"""The profile of the simulated table is enrolled once for a look and a deck, and loaded afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.errors import EnrolError
from calibration.games.wicked.kit import KIT
from calibration.profile import TableProfile, folder_of
from calibration.simulated_profile_mark import is_simulated
from companion.adapters.wicked.bots.simulated_players import BOTS
from companion.director import simulated_profile as profiles
from companion.director import simulated_table
from companion.director.bot_interface import Face
from companion.director.director import Director
from companion.director.pre_enrolled_pieces import GROUND, SHOWN, prepared_pieces
from companion.director.simulated_profile import SimulatedBox
from companion.games.wicked.components import PLAYER_COLOURS, Deck
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.companion.director.rehearsal import PLAYERS, RUNNING, Clock, Room
from tests.companion.table.reading.placed import Placed, reader_for
from tests.waiting import LONGEST_WAIT
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import Scene
from vision.cameras.simulated.table_surfaces import Ground

BOX = SimulatedBox(BOTS, STANDIN)


def test_a_simulated_table_that_cannot_be_set_up_is_reported(tmp_path: Path) -> None:
    def broken(_: object) -> dict[str, Face]:
        raise ValueError

    table = Table(SavedGames(tmp_path), STANDIN)
    reported = threading.Event()
    table.subscribe(lambda view: reported.set() if "could not be set up" in view.camera.message else None)
    running = simulated_table.Simulation(table, replace(BOTS, card_faces=broken), STANDIN)
    running.start()
    assert reported.wait(LONGEST_WAIT)
    running.close()
    table.close()


def test_a_real_table_of_the_same_name_keeps_its_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    assert simulated_table.profile_of("wicked") == "simulated"
    TableProfile(4).save("simulated")
    assert simulated_table.profile_of("wicked") == "simulated-2"
    profiles.bare_profile("simulated-2", BOX)
    assert simulated_table.profile_of("wicked") == "simulated-2"
    assert simulated_table.profile_of("master") == "simulated-master"


@pytest.mark.slow
def test_a_second_start_loads_what_the_first_has_learned_unless_the_deck_is_another(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enrolled_setups: list[Deck] = []

    def enrolling(
        render: profiles.Render, box: SimulatedBox, report: Callable[[str], None], _: object
    ) -> TableProfile:
        enrolled_setups.append(box.setup)
        return room.profile

    monkeypatch.setattr(profiles, "enrolled_profile", enrolling)
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    lines: list[str] = []

    def start(deck: Deck) -> TableProfile:
        box = SimulatedBox(BOTS, deck)
        return profiles.simulated_profile("simulated", room.renderer.render, box, lines.append)

    assert not is_simulated(folder_of("simulated"))
    start(STANDIN)
    assert is_simulated(folder_of("simulated"))
    again = start(STANDIN)
    assert enrolled_setups == [STANDIN]
    assert set(again.pieces) == set(room.profile.pieces)
    start(replace(STANDIN, name="another"))
    assert len(enrolled_setups) == 2
    (tmp_path / "profiles" / "simulated" / "profile.json").write_text("{", encoding="ascii")
    start(replace(STANDIN, name="another"))
    assert len(enrolled_setups) == 3
    assert any("enrolled again" in line for line in lines)


@pytest.mark.slow
def test_the_simulated_table_lies_on_a_ground_that_its_seed_chooses(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid: list[Image] = []
    refused = 0

    def enrolled(
        name: str, render: profiles.Render, box: SimulatedBox, report: Callable[[str], None]
    ) -> TableProfile:
        laid.append(render(Scene(4, tile=False), 0))
        if len(laid) <= refused:
            raise EnrolError("No pieces found.")
        return room.profile

    monkeypatch.setattr(simulated_table, "simulated_profile", enrolled)
    lines: list[str] = []
    for seed in (3, 3, 4):
        renderer, profile = simulated_table.prepare_table("simulated", BOX, seed, lines.append)
        assert renderer.look.ground == Ground.from_seed(seed, SHOWN)
        assert profile is room.profile
    assert np.array_equal(laid[0], laid[1])
    assert not np.array_equal(laid[1], laid[2])
    refused = len(laid) + simulated_table.GROUNDS_TRIED
    renderer, _ = simulated_table.prepare_table("simulated", BOX, 3, lines.append)
    assert renderer.look == Look(), "plain wood is laid at last"
    assert (
        lines
        == ["The pieces do not stand out from this ground: another one is laid."] * simulated_table.GROUNDS_TRIED
    )


@pytest.mark.slow
def test_every_kind_that_a_game_has_is_learned_from_pictures(plain_room: Room) -> None:
    assert set(plain_room.profile.pieces) == {*BOX.separate_kinds, *BOX.kinds_in_rows} == set(KIT.kinds)
    assert {len(plain_room.profile.pieces[kind].specimens) for kind in BOX.kinds_in_rows} == {12}
    assert set(plain_room.profile.personal_boards) == set(PLAYER_COLOURS)
    assert plain_room.profile.deck is not None
    assert "tile" in plain_room.profile.deck.cards


def test_nobody_reaches_into_the_first_pictures_of_a_camera(tmp_path: Path) -> None:
    clock = Clock()
    table = Table(SavedGames(tmp_path), STANDIN, clock=clock)
    table.set_reader(reader_for(Placed()))
    director = Director(table, BOTS, STANDIN, lambda _: None, 1, clock)
    table.director = director
    table.start_game(PLAYERS[:3], "demo")

    def begun(seconds: float) -> bool:
        for _ in range(int(seconds * 10)):
            clock.advance(0.1)
            director.tick()
        return "dealt" in director.view.doing

    assert not begun(10.0)
    table.update_camera_status(RUNNING)
    assert not begun(1.0)
    assert begun(1.0)
    table.close()


def test_bots_leave_games_alone_that_people_began(tmp_path: Path) -> None:
    clock = Clock()
    table = Table(SavedGames(tmp_path), STANDIN, clock=clock)
    table.set_reader(reader_for(Placed()))
    table.update_camera_status(RUNNING)
    director = Director(table, BOTS, STANDIN, lambda _: None, 1, clock)
    for way in ("hand", "camera"):
        table.start_game(PLAYERS[:3], way)
        for _ in range(100):
            clock.advance(0.1)
            director.tick()
        game = table.view.game
        assert game is not None
        assert game.history == ()
        assert director.resting
    table.start_game(PLAYERS[:3], "hand")
    assert table.view.camera.state == "by_hand"
    assert table.view.camera.message == ""
    table.close()


def test_a_demonstration_begins_in_the_middle_of_a_round_and_is_nobodys_saved_game(tmp_path: Path) -> None:
    clock = Clock()
    shown: list[Scene] = []
    table = Table(SavedGames(tmp_path), STANDIN, clock=clock)
    director = Director(table, BOTS, STANDIN, shown.append, 1, clock)
    director.tick()
    waiting = shown[-1]
    director.show_me(lambda: None)
    game = table.view.game
    assert game is not None
    assert (game.state.phase, game.state.corridor, len(game.seats)) == ("search", 2, 4)
    director.tick()
    assert not director.resting
    assert shown[-1].cards == waiting.cards, "the table was laid out for it before anybody asked"
    assert table.games() == ()
    table.close()
    again = Table(SavedGames(tmp_path), STANDIN)
    again.resume_unfinished()
    assert again.view.game is None
    again.close()


@pytest.mark.slow
def test_the_pieces_enrolled_beforehand_are_all_kinds_and_spare_their_enrolment() -> None:
    prepared = prepared_pieces(BOTS)
    assert set(prepared) == set(KIT.kinds)
    lines: list[str] = []
    renderer = Renderer(replace(Look(), ground=GROUND), BOTS.card_faces(STANDIN))
    profile = profiles.enrolled_profile(renderer.render, BOX, lines.append, prepared)
    assert not any("pieces are enrolled:" in line for line in lines)
    assert profile.background is not None
    assert set(profile.pieces) == set(KIT.kinds)
