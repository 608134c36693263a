"""Artwork of the stand-in set, the printable substitute for the game: cards, boards and pieces as SVG in mm.

All art is generated and depends on names and ids alone: the same call returns the same string on every machine.
`rasterise` renders any of them as pixels.
"""

from __future__ import annotations

from calibration.drawing.raster import rasterise
from calibration.games.wicked.art.boards import BOARD, BOARD_SPOTS, SPOT, BoardSpots, Space, board_face
from calibration.games.wicked.art.cards import CARD, card_back, corridor_face, great_face, small_face
from calibration.games.wicked.art.icon_catalogue import ICONS, icon
from calibration.games.wicked.art.pieces import (
    IMPURITY,
    SIGN,
    TILE,
    TOKEN,
    impurity_face,
    sign_face,
    tile_face,
    token_face,
)

__all__ = [
    "BOARD",
    "BOARD_SPOTS",
    "CARD",
    "ICONS",
    "IMPURITY",
    "SIGN",
    "SPOT",
    "TILE",
    "TOKEN",
    "BoardSpots",
    "Space",
    "board_face",
    "card_back",
    "corridor_face",
    "great_face",
    "icon",
    "impurity_face",
    "rasterise",
    "sign_face",
    "small_face",
    "tile_face",
    "token_face",
]
