"""What the renderer draws of a game's box: printed faces, shapes of pieces and sizes, and where hands are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from calibration.drawing.raster import rasterise
from calibration.game_kit import Kit
from vision.cameras.simulated.appearance import Look
from vision.cameras.simulated.array_types import Image
from vision.cameras.simulated.scene import Pose
from vision.cameras.simulated.solids import Solid

_FACE_SCALE = 3.0
"""Scale of rasterised cards and boards, px/mm."""
Size = tuple[float, float]
"""Width and height, mm."""


@dataclass(frozen=True, eq=False)
class DrawnComponents:
    """The things of one game's box as the renderer draws them."""

    kit: Kit
    """Pieces, cards and boards in the box."""
    faces: Mapping[str, Image]
    """Printed faces (BGRA) by key: `board:ID`, `back:SORT`, each kind of printed piece, and `tile`, if any."""
    solid: Callable[[str], Solid]
    """Returns the shape of a loose piece of a kind; raises KeyError for an unknown kind."""
    hand: Callable[[int, int], Pose]
    """Returns the pose in which a hand is shown, given the number of seats and its seat."""
    card_mm: Size
    """Size of a card."""
    board_mm: Size
    """Size of a player's board."""
    tile_mm: Size
    """Size of the tile in the middle."""
    tile_corners: int
    """Number of the tile's corners: 4 for a rectangle, else a regular polygon with an edge uppermost."""
    usual_back: str
    """Sort of the back that a face-down card shows where a scene names none."""
    look: Look = field(default_factory=Look)
    """Default camera, light and table."""

    def is_thrown(self, kind: str) -> bool:
        """Return whether pieces of a kind are thrown on the table and come to rest on any side."""
        return self.kit.in_hands(kind) and not self.kit.is_printed(kind)


def rasterised(drawings: Mapping[str, str]) -> dict[str, Image]:
    """Return drawings rasterised to BGRA pictures, 3 px/mm, by the same keys.

    drawings: SVG text with sizes in mm, by key.
    """
    return {name: rasterise(svg, _FACE_SCALE) for name, svg in drawings.items()}
