"""A second board beside the first one is suspected, a spare and tokens are not."""

from __future__ import annotations

import cv2
import numpy as np

from models.evaluation.maze.pictures import picture
from vision.games.master.field.second_board import may_show_another


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
