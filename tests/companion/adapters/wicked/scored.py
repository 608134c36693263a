"""A finished game that nobody tracked: what was taught of its table, and pictures of its boards, rendered."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from calibration.camera.calibrate import calibrate
from calibration.games.wicked.art import BOARD_SPOTS
from calibration.games.wicked.drawn_deck import deck_from_art
from calibration.games.wicked.standin_boards import standin_board
from calibration.pieces.enrolment import enrol
from calibration.profile import TableProfile
from companion.adapters.wicked.bots.scenes import on
from companion.director.setup_scenes import sheet_scene, specimens_scene
from companion.games.wicked.components import PLAYER_COLOURS
from companion.games.wicked.standin_deck import STANDIN
from tests.companion.cli.laid import SEATS, TABLE, Laid, scene
from tests.vision.boards.conftest import FIFTH, KINDS, Room
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import PieceOnTable
from vision.games.wicked.layout import seat_place


@cache
def room() -> Room:
    return Room()


@cache
def taught() -> TableProfile:
    """A table that knows its place, tokens, tiles, one player's pieces, all printed boards and the deck.

    It was taught for more players than have played here.
    """
    known = TableProfile(SEATS + 1, deck=deck_from_art(STANDIN))
    profile = known.calibrated(calibrate(room().photograph(sheet_scene()), SEATS + 1))
    for number, kind in enumerate(KINDS):
        profile = enrol(profile, kind, [room().photograph(specimens_scene(kind, 0), number)], force=True)
    for colour in PLAYER_COLOURS:
        profile = profile.with_personal_board(standin_board(colour))
    return profile


@cache
def whole_table() -> Image:
    """All boards as the table's camera sees them."""
    return room().photograph(scene(TABLE))


def by_phone(laid: Laid, more: tuple[PieceOnTable, ...] = ()) -> Image:
    """One board with its cards and tiles, as a phone above it sees them."""
    place = seat_place(SEATS, TABLE.index(laid))
    cards = [*place.great, *place.small]
    aim = replace(
        place.board,
        x=(place.board.x + sum(card.x for card in cards) / 4) / 2,
        y=(place.board.y + sum(card.y for card in cards) / 4) / 2,
    )
    return room().by_hand(scene([laid], more), aim, width=560.0)


@cache
def with_a_strange_token() -> Image:
    """The first board with a token of a fifth colour on its fourth middle spot."""
    strange = PieceOnTable(FIFTH, on(seat_place(SEATS, 0).board, *BOARD_SPOTS.middle[3]))
    return by_phone(TABLE[0], (strange,))


def as_jpeg(image: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])


def foreign() -> bytes:
    """A board that nobody has taught, photographed from above."""
    print_ = np.kron(np.random.default_rng(4).integers(40, 220, (15, 21, 3)), np.ones((30, 30, 1)))
    elsewhere = Room()
    face = np.dstack([print_, np.full(print_.shape[:2], 255)]).astype(np.uint8)
    elsewhere.faces = {**room().faces, "board:purple": face}
    return as_jpeg(elsewhere.by_hand(scene([TABLE[0]]), seat_place(SEATS, 0).board, width=400.0))


def nothing() -> bytes:
    """A picture that shows no board."""
    return as_jpeg(np.full((300, 400, 3), (90, 120, 150), np.uint8))
