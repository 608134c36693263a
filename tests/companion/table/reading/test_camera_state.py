"""The state of a table's camera as screens show it."""

from __future__ import annotations

import numpy as np

from companion.table.reading.camera_state import TableCamera
from vision.cameras.frame import Frame
from vision.cameras.grabber import GrabState, GrabStatus


def test_the_picture_of_the_camera_before_is_dropped_while_another_one_is_opened() -> None:
    camera = TableCamera()
    camera.update(GrabStatus("running", ""))
    camera.frame = Frame(np.zeros((9, 16, 3), np.uint8), 0, 1.0)
    camera.update(GrabStatus("retrying", "There is no camera number 0."))
    assert camera.frame is not None, "a camera that is lost keeps its last picture"
    camera.update(GrabStatus("starting", "The camera is being prepared."))
    assert camera.frame is None


def test_a_game_by_hand_shows_why_there_is_no_picture() -> None:
    camera = TableCamera()
    camera.pause = camera.pause.with_mode("hand")
    messages: dict[GrabState, str] = {"starting": "", "running": "", "retrying": "There is no camera number 0."}
    for state, message in messages.items():
        camera.update(GrabStatus(state, "There is no camera number 0."))
        view = camera.view(asking=False, unread="")
        assert (view.state, view.message) == ("by_hand", message)
