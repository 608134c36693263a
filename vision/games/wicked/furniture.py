"""Rasterise printed faces: the stand-in set's boards, tile, discs and card backs, and any card drawn as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal

import cv2

from calibration.camera import sheet
from calibration.games.wicked.art import (
    board_face,
    card_back,
    impurity_face,
    rasterise,
    sign_face,
    tile_face,
    token_face,
)
from vision.cameras.simulated.arrays import Image, as_image

_CARD_SCALE = 3.0
"""Scale of rasterised cards and boards, px/mm."""
_DISC_SCALE = 5.0
"""Scale of rasterised discs, px/mm."""
_BACKS: tuple[Literal["corridor", "great", "small"], ...] = ("corridor", "great", "small")


def printed(drawings: Mapping[str, str]) -> dict[str, Image]:
    """Return drawings (SVG in mm, by card id) as the BGRA pictures that the renderer takes."""
    return {name: rasterise(svg, _CARD_SCALE) for name, svg in drawings.items()}


@cache
def furniture() -> Mapping[str, Image]:
    """Return the stand-in set's own faces as BGRA by key.

    Keys: `board:COLOUR`, `tile`, `back:corridor|great|small`, `token:COLOUR`, `sign:witch|soul`, `impurity:1|3` and
    `sheet`.
    """
    drawings = {"tile": tile_face()}
    drawings |= {f"board:{colour}": board_face(colour) for colour in ("purple", "green", "red", "black", "yellow")}
    drawings |= {f"back:{back}": card_back(back) for back in _BACKS}
    faces = printed(drawings)
    discs = {f"token:{colour}": token_face(colour) for colour in ("red", "green", "blue", "yellow")}
    discs |= {"sign:witch": sign_face("witch"), "sign:soul": sign_face("soul")}
    discs |= {"impurity:1": impurity_face(1), "impurity:3": impurity_face(3)}
    faces |= {kind: rasterise(svg, _DISC_SCALE) for kind, svg in discs.items()}
    faces["sheet"] = as_image(cv2.cvtColor(sheet.picture(_CARD_SCALE), cv2.COLOR_GRAY2BGRA))
    return MappingProxyType(faces)
