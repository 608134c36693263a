"""What is laid on the simulated table for the camera to learn: the calibration sheet, pieces of one kind."""

from __future__ import annotations

import math
import random

from vision.cameras.simulated.scene import PieceOnTable, Pose, Scene

SHEET = "sheet"
SPECIMENS = 8
_SEATS = 4


def lesson_scene(what: str, number: int) -> Scene:
    """Lay the sheet ("sheet") or some pieces of a kind on the bare table; number: another one lies differently."""
    return sheet_scene() if what == SHEET else specimens_scene(what, number)


def sheet_scene() -> Scene:
    """Lay nothing but the calibration sheet on the table."""
    return Scene(seats=_SEATS, tile=False, sheet=True)


def specimens_scene(kind: str, picture: int) -> Scene:
    """Lay some pieces of one kind in the middle of the bare table, apart from each other, as a person would."""
    rng = random.Random(f"{kind} {picture}")
    lying = []
    for index in range(SPECIMENS):
        angle = 2 * math.pi * (index + rng.uniform(-0.2, 0.2)) / SPECIMENS
        reach = rng.uniform(70.0, 140.0)
        pose = Pose(reach * math.sin(angle), reach * math.cos(angle), rng.uniform(0.0, 360.0))
        lying.append(PieceOnTable(kind, pose))
    return Scene(seats=_SEATS, tile=False, pieces=tuple(lying))
