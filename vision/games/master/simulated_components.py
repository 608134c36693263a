"""What the simulated table draws of the stand-in of Master Labyrinth: board, tiles, tokens, wizards and wands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from calibration.drawing.raster import rasterise
from calibration.games.master.art.board import PAINTS, board_face
from calibration.games.master.art.tiles import TILE, tile_face
from calibration.games.master.art.tokens import TOKEN, token_face
from calibration.games.master.kit import KIT
from vision.cameras.simulated.appearance import Look
from vision.cameras.simulated.array_types import Image
from vision.cameras.simulated.components_to_draw import DrawnComponents, rasterised
from vision.cameras.simulated.solids import Solid, disc
from vision.games.master.readings import LOOSE_TILES, NUMBERS
from vision.games.master.simulated_layout import (
    BOARD_MM,
    RIM_MM,
    TILE_MM,
    TILE_THICK,
    TOKEN_MM,
    TOKEN_THICK,
    hand_pose,
)

TILE_KIND: Final = "maze:loose"
"""Kind of a loose tile whose shape is not named; others are named by their shape, such as `maze:TRL`."""
_TILE_SCALE: Final = 4.0
"""Scale of rasterised tiles, px/mm."""
_TOKEN_SCALE: Final = 6.0
"""Scale of rasterised tokens, px/mm."""
_LOOSE_MM: Final = 39.2
"""Width of a loose tile, mm: a little less than the distance of places."""
_WIZARD: Final = (
    (0.0, 8.0),
    (1.5, 8.0),
    (3.0, 5.5),
    (15.0, 2.6),
    (16.0, 4.2),
    (19.0, 5.2),
    (22.0, 4.2),
    (24.0, 0.4),
)
"""Height and radius of a wizard, mm."""
_WAND_MM: Final = (3.0, 34.0)
"""Width and length of a wand, mm."""
LOOK: Final = Look(height=550.0, tilt=8.0, aim=(0.0, -4.0))
"""Default camera of the simulated table; nearer than over a table with personal boards."""


@cache
def standin_faces() -> Mapping[str, Image]:
    """Return the printed faces of the project's printable edition (stand-in) as BGRA pictures by key.

    Keys: `board:maze`, `maze:TB|TR|TRL` for loose tiles by their open sides, `maze:loose` for any of them, and
    `token:1` … `token:25`.
    """
    faces = rasterised({"board:maze": board_face(TILE_MM, RIM_MM)})
    faces |= {f"maze:{shape}": rasterise(tile_face(shape), _TILE_SCALE * TILE_MM / TILE) for shape in LOOSE_TILES}
    faces[TILE_KIND] = faces["maze:TRL"]
    scale = _TOKEN_SCALE * TOKEN_MM / TOKEN
    faces |= {f"token:{number}": rasterise(token_face(number), scale) for number in NUMBERS}
    return MappingProxyType(faces)


@cache
def solid(kind: str) -> Solid:
    """Return the 3D shape and paint of a loose tile, token, wizard or wand by its kind, such as `wizard:red`.

    Raises KeyError for a kind that does not exist.
    """
    family, _, name = kind.partition(":")
    if family == "maze":
        half = _LOOSE_MM / 2
        square = ((-half, -half), (half, -half), (half, half), (-half, half))
        return Solid(kind, square, TILE_THICK, (150, 172, 182), printed=True)
    if family == "token":
        return Solid(kind, disc(TOKEN_MM / 2), TOKEN_THICK, (120, 150, 168), printed=True)
    if family == "wizard":
        code = PAINTS[name]
        paint = (int(code[5:7], 16), int(code[3:5], 16), int(code[1:3], 16))
        return Solid(kind, disc(8.0), _WIZARD[-1][0], paint, profile=_WIZARD)
    if kind == "wand":
        width, length = _WAND_MM
        outline = (
            (-width / 2, -length / 2),
            (width / 2, -length / 2),
            (width / 2, length / 2),
            (-width / 2, length / 2),
        )
        return Solid(kind, outline, 3.0, (60, 120, 196))
    raise KeyError(kind)


@cache
def drawn_components() -> DrawnComponents:
    """Return the faces, shapes, sizes, hand poses and default camera with which the renderer draws the stand-in."""
    return DrawnComponents(
        kit=KIT,
        faces=standin_faces(),
        solid=solid,
        hand=lambda seats, seat: hand_pose(seats, seat, 0.0, 0.0),
        card_mm=(63.0, 88.0),
        board_mm=(BOARD_MM, BOARD_MM),
        tile_mm=(TILE_MM, TILE_MM),
        tile_corners=4,
        usual_back="formula",
        look=LOOK,
    )
