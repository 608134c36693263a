"""A second board beside the first one is suspected, a spare and tokens are not."""

from __future__ import annotations

import cv2
import numpy as np

from models.evaluation.maze.synthetic_pictures import picture
from vision.games.master.field.location.second_board import may_show_another
from vision.games.master.reader import MazeReader


def test_only_a_second_board_is_suspected() -> None:
    image, truth = picture(9030, "hedge", tilt=15)
    field = np.array(truth.corners)
    assert not may_show_another(image, field)
    left, top = np.floor(field.min(0)).astype(int)
    right, bottom = np.ceil(field.max(0)).astype(int)
    board = image[max(0, top) : bottom, max(0, left) : right]
    beside = cv2.copyMakeBorder(image, 0, 0, 0, board.shape[1] + 40, cv2.BORDER_REPLICATE)
    beside[: board.shape[0], -board.shape[1] :] = board
    assert may_show_another(np.asarray(beside, np.uint8), field)


def test_a_second_board_that_no_edge_shows_is_found_beside_the_first() -> None:
    image, _ = picture(9001, "junk", "day", "two_boards", tilt=24.4, tokens="plain")
    reading = MazeReader().read(image)
    assert reading.state == "no_board"
    assert reading.reason.startswith("More than one board")
