"""A table on which boards are read: one look, enrolled from its own pictures, made once per process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from calibration.camera.calibrate import calibrate
from calibration.games.wicked.standin_boards import standin_boards
from calibration.pieces.enrolment import enrol
from calibration.profile import TableProfile
from companion.adapters.wicked.bots.card_faces import card_faces
from companion.adapters.wicked.bots.scenes import offset_pose
from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.director.setup_scenes import sheet_scene, specimens_scene
from companion.games.wicked.standin_deck import STANDIN
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import PieceOnTable, Pose, Scene
from vision.cameras.simulated.solids import Solid
from vision.games.wicked.simulated_piece_shapes import solid

SEATS = 4
LOOK = Look(seed=5, height=1090.0)
KINDS = ("search:purple", "token:red", "token:green", "token:blue", "token:yellow", "impurity:1", "impurity:3")
FIFTH = "token:violet"
"""A token that nobody enrolled."""


class Room:
    """Draws scenes of one table: from its own camera, and by hand from above."""

    def __init__(self) -> None:
        self.solids: dict[str, Solid] = {
            FIFTH: replace(solid("token:red"), kind=FIFTH, paint=(150, 60, 150), printed=False)
        }
        self.faces = card_faces(STANDIN)
        self.renderer = Renderer(LOOK, self.faces, self.solids)

    def photograph(self, scene: Scene, number: int = 0) -> Image:
        """Take a picture with the table's camera."""
        return self.renderer.render(scene, number)

    def by_hand(
        self,
        scene: Scene,
        board: Pose,
        tilt: float = 12.0,
        width: float = 330.0,
        aside: tuple[float, float] = (0, 0),
    ) -> Image:
        """Take a picture by hand over a board. width: mm of table across the picture; aside: mm off its middle."""
        look = replace(
            LOOK,
            height=width / 2 / 0.713,
            hfov=71.0,
            tilt=tilt,
            yaw=board.angle + 8.0,
            k1=-0.01,
            k2=0.0,
            aim=(board.x + aside[0], board.y + aside[1]),
        )
        return Renderer(look, self.faces, self.solids).render(scene, 3)


@cache
def room() -> Room:
    """Return the room in which all these pictures are taken."""
    return Room()


@cache
def profile() -> TableProfile:
    """Return what is enrolled: the plane, tokens, tiles, one player's pieces, all printed boards and the deck."""
    enrolled = TableProfile(SEATS, deck=deck_from_art(STANDIN))
    enrolled = enrolled.calibrated(calibrate(room().photograph(sheet_scene()), SEATS))
    for number, kind in enumerate(KINDS):
        enrolled = enrol(enrolled, kind, [room().photograph(specimens_scene(kind, 0), number)], force=True)
    for board in standin_boards():
        enrolled = enrolled.with_personal_board(board)
    return enrolled


def tokens(board: Pose, lying: Sequence[tuple[str, tuple[float, float]]]) -> tuple[PieceOnTable, ...]:
    """Lay tokens (kind, place in board mm) on a board."""
    return tuple(PieceOnTable(kind, offset_pose(board, x, y, 40.0 * k)) for k, (kind, (x, y)) in enumerate(lying))
