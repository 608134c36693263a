"""The state of a table's camera as screens show it."""

from __future__ import annotations

import numpy as np

from companion.table.reading.camera_state import TableCamera
from companion.table.reading.frame_reader import FrameReader, Readers
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


def test_an_old_picture_is_not_taken_for_the_table_as_it_is() -> None:
    camera = TableCamera()
    camera.frame = Frame(np.zeros((9, 16, 3), np.uint8), 0, 100.0)
    for age, given in ((2.9, True), (3.1, False)):
        camera.update(GrabStatus("running", age=age))
        assert (camera.picture is not None) == given


def test_a_picture_from_before_the_latest_move_is_not_read() -> None:
    camera = TableCamera()
    camera.set_reader(FrameReader(Readers(None, None, lambda point, seating: 0)), "")
    camera.read_from = 100.0
    frames = [Frame(np.zeros((9, 16, 3), np.uint8), number, 99.9 + number / 10) for number in range(2)]
    assert [camera.reader_of(frame) is not None for frame in frames] == [False, True]


def test_a_game_by_hand_shows_why_there_is_no_picture() -> None:
    camera = TableCamera()
    camera.pause = camera.pause.with_mode("hand")
    messages: dict[GrabState, str] = {"starting": "", "running": "", "retrying": "There is no camera number 0."}
    for state, message in messages.items():
        camera.update(GrabStatus(state, "There is no camera number 0."))
        view = camera.view(asking=False, unread="")
        assert (view.state, view.message) == ("by_hand", message)
