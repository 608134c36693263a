"""The printed boards of the stand-in set, enrolled from their drawings."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from calibration.boards.enrolled_board import BOARD_PX_PER_MM, BoardLayout, BoardSpace, EnrolledBoard
from calibration.games.wicked import art
from calibration.games.wicked.art.palette import PLAYERS


def standin_layout() -> BoardLayout:
    """Return the positions of spots and spaces on the boards that the project prints."""
    spots = art.BOARD_SPOTS
    spaces = {"promotion": spots.promotion, "colour_change": spots.colour_change}
    return BoardLayout(
        art.BOARD,
        art.SPOT,
        {"low": spots.low, "middle": spots.middle, "high": spots.high},
        {name: BoardSpace(space.x, space.y, space.width, space.height) for name, space in spaces.items()},
    )


def standin_board(colour: str) -> EnrolledBoard:
    """Return the board of a player's colour that the project prints, enrolled from its drawing."""
    drawn = art.rasterise(art.board_face(colour), BOARD_PX_PER_MM)
    layout = standin_layout()
    picture = cv2.resize(drawn[..., :3], layout.pixels(BOARD_PX_PER_MM), interpolation=cv2.INTER_AREA)
    return EnrolledBoard(colour, np.asarray(picture, np.uint8), layout)


@lru_cache(maxsize=1)
def standin_boards() -> tuple[EnrolledBoard, ...]:
    """Return all boards that the project prints, enrolled from their drawings."""
    return tuple(standin_board(colour) for colour in PLAYERS)
