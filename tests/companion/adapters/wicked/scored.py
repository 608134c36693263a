"""A finished game that nobody tracked: the profile of its table, and pictures of its boards, rendered."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from calibration.games.wicked.art import BOARD_SPOTS
from companion.adapters.wicked.bots.scenes import offset_pose
from tests.companion.cli.laid import SEATS, TABLE, Laid, scene
from tests.vision.boards import enrolled
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import PieceOnTable
from vision.games.wicked.simulated_layout import seat_place


@cache
def whole_table() -> Image:
    """All boards as the table's camera sees them."""
    return enrolled.room().photograph(scene(TABLE))


def by_phone(laid: Laid, more: tuple[PieceOnTable, ...] = ()) -> Image:
    """One board with its cards and tiles, as a phone above it sees them."""
    place = seat_place(SEATS, TABLE.index(laid))
    cards = [*place.great, *place.small]
    aim = replace(
        place.board,
        x=(place.board.x + sum(card.x for card in cards) / 4) / 2,
        y=(place.board.y + sum(card.y for card in cards) / 4) / 2,
    )
    return enrolled.room().by_hand(scene([laid], more), aim, width=560.0)


@cache
def with_a_strange_token() -> Image:
    """The first board with a token of a fifth colour on its fourth middle spot."""
    strange = PieceOnTable(enrolled.FIFTH, offset_pose(seat_place(SEATS, 0).board, *BOARD_SPOTS.middle[3]))
    return by_phone(TABLE[0], (strange,))


def as_jpeg(image: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])


def foreign() -> bytes:
    """A board that nobody has enrolled, photographed from above."""
    print_ = np.kron(np.random.default_rng(4).integers(40, 220, (15, 21, 3)), np.ones((30, 30, 1)))
    elsewhere = enrolled.Room()
    face = np.dstack([print_, np.full(print_.shape[:2], 255)]).astype(np.uint8)
    elsewhere.faces = {**enrolled.room().faces, "board:purple": face}
    return as_jpeg(elsewhere.by_hand(scene([TABLE[0]]), seat_place(SEATS, 0).board, width=400.0))


def nothing() -> bytes:
    """A picture that shows no board."""
    return as_jpeg(np.full((300, 400, 3), (90, 120, 150), np.uint8))
