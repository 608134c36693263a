"""Pictures of hands that hold pieces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.synthetic_hand_reveals import SyntheticTable, still_scene
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import HandOnTable
from vision.readings import Expectation

COLOURS = ["purple", "green", "red", "yellow"]

LIMITS = tuple({f"search:{colour}": 7, "sign:witch": 1, "sign:soul": 1} for colour in COLOURS)

FOUR = Expectation(4, LIMITS)


def shown(table: SyntheticTable, *hands: HandOnTable, dressed: bool = False) -> tuple[Image, Image]:
    """Return a picture of these hands, and of the table without them."""
    still = still_scene(np.random.default_rng(7), 4, COLOURS, dressed)
    return table.renderer.render(replace(still, hands=hands), 1), table.renderer.render(still, 2)


def open_hand(seat: int, *pieces: str, look: int = 3) -> HandOnTable:
    return HandOnTable(seat, 1.0, 1.0, pieces, look)
