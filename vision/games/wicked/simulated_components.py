"""What the simulated table draws of the stand-in set: boards, tile, discs, card backs and wooden pieces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal

from calibration.games.wicked.art import (
    BOARD,
    CARD,
    TILE,
    board_face,
    card_back,
    impurity_face,
    rasterise,
    sign_face,
    tile_face,
    token_face,
)
from calibration.games.wicked.kit import KIT
from vision.cameras.simulated.array_types import Image
from vision.cameras.simulated.components_to_draw import DrawnComponents, rasterised
from vision.games.wicked.simulated_layout import seat_place
from vision.games.wicked.simulated_piece_shapes import solid

_DISC_SCALE = 5.0
"""Scale of rasterised discs, px/mm."""
_BACKS: tuple[Literal["corridor", "great", "small"], ...] = ("corridor", "great", "small")


@cache
def standin_faces() -> Mapping[str, Image]:
    """Return the printed faces of the project's printable edition (stand-in) as BGRA pictures by key.

    Keys: `board:COLOUR`, `tile`, `back:corridor|great|small`, `token:COLOUR`, `sign:witch|soul` and `impurity:1|3`.
    Fronts of cards are not included.
    """
    drawings = {"tile": tile_face()}
    drawings |= {f"board:{colour}": board_face(colour) for colour in ("purple", "green", "red", "black", "yellow")}
    drawings |= {f"back:{back}": card_back(back) for back in _BACKS}
    faces = rasterised(drawings)
    discs = {f"token:{colour}": token_face(colour) for colour in ("red", "green", "blue", "yellow")}
    discs |= {"sign:witch": sign_face("witch"), "sign:soul": sign_face("soul")}
    discs |= {"impurity:1": impurity_face(1), "impurity:3": impurity_face(3)}
    faces |= {kind: rasterise(svg, _DISC_SCALE) for kind, svg in discs.items()}
    return MappingProxyType(faces)


@cache
def drawn_components() -> DrawnComponents:
    """Return the faces, shapes, sizes and hand poses with which the renderer draws the stand-in."""
    return DrawnComponents(
        kit=KIT,
        faces=standin_faces(),
        solid=solid,
        hand=lambda seats, seat: seat_place(seats, seat).hand,
        card_mm=CARD,
        board_mm=BOARD,
        tile_mm=TILE,
        tile_corners=6,
        usual_back="corridor",
    )
