"""A camera torn off in mid-game is reported; the game goes on by hand, and the camera comes back by itself."""

from __future__ import annotations

import random
from pathlib import Path

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.standin_deck import STANDIN
from companion.table import Loop, SavedGames, Table
from companion.table.views import SeatView
from tests.vision.cameras.streaming import StreamingCamera
from tests.waiting import eventually
from vision.cameras.grabber import Grabber, Patience
from vision.cameras.source_factory import camera_source

SEATS = (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red"))


def test_a_stream_torn_off_in_mid_game_is_reported_played_on_without_and_resumed(tmp_path: Path) -> None:
    stream = StreamingCamera()
    stream.put_up()
    table = Table(SavedGames(tmp_path), STANDIN)
    patience = Patience(first=0.05, longest=0.1, tries=3, rarely=0.2)
    loop = Loop(table, Grabber(camera_source(stream.address).open, patience))
    loop.start()
    table.start_game(SEATS)
    eventually(lambda: table.preview() is not None)

    stream.tear_off()
    eventually(lambda: table.view.camera.state == "no_camera")
    message = table.view.camera.message
    assert "stream" in message
    assert message.endswith("The game goes on by hand meanwhile.")
    assert "secret" not in message
    rng = random.Random(5)
    for _ in range(4):
        game = table.view.game
        assert game is not None
        table.play(random_move(game.state, rng), game.number, "hand")

    stream.put_up()
    eventually(lambda: table.view.camera.state != "no_camera")
    assert "The camera is back." in table.view.notices
    assert table.view.game is not None
    assert len(table.view.game.history) == 4
    loop.close()
    table.close()
    stream.tear_off()
