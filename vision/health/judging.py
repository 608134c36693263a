"""From what has changed in the picture to what is wrong with the view. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.health.still import Change

Trouble = Literal[
    "dark", "glaring", "colourless", "lost", "covered", "nudged", "blurred", "light", "frozen", "flicker", "turned",
    "zoomed",
]  # fmt: skip
"""dark, glaring: too little or too much light to see by; colourless: a grey picture, as in night mode; lost: the
table is not seen where it was; covered: something large is between camera and table; nudged: the camera was moved;
blurred: out of focus, or the lens is dirty; light: the light on the table has changed all at once; frozen: the
camera repeats one picture; flicker: a lamp's flicker shows as bands; turned: the picture is upside down, on its
side or mirrored; zoomed: it shows more or less of the table than it did, through another lens."""


@dataclass(frozen=True, slots=True)
class Limits:
    """From where on a change is trouble. Lengths are shares of the picture's width, as in `Change`.

    In whole games on simulated tables hands come nowhere near them (`python -m tests.bench.health` tells how near).
    """

    dark: float = 14.0
    glaring: float = 0.3
    lost: float = 0.35
    covered: float = 0.32
    thick: float = 0.075
    moved: float = 0.0025
    sharpness: float = 0.5
    contrast: float = 0.45
    light: float = 0.3
    tint: float = 0.2


def judge(change: Change, moved: float, limits: Limits, *, grey: bool = False) -> Trouble | None:
    """Return the worst that is wrong, None where all is well.

    moved: how far the camera was moved in all, since it was calibrated; grey: the picture has lost its colours.
    """
    if change.level < limits.dark:
        return "dark"
    if change.glare > limits.glaring:
        return "glaring"
    if grey:
        return "colourless"
    if change.movement is None and change.known < limits.lost:
        return "lost"
    if change.covered > limits.covered or change.thickness > limits.thick:
        return "covered"
    if moved > limits.moved:
        return "nudged"
    if _less(change.sharpness, limits.sharpness) or _less(change.contrast, limits.contrast):
        return "blurred"
    if change.brighter > limits.light or max(change.light) - min(change.light) > limits.tint:
        return "light"
    return None


def judge_calibrated(change: Change, limits: Limits) -> Trouble | None:
    """Name what is wrong compared with the table as it was calibrated.

    Since then the light may have changed and much been laid on the table: only what can still be told counts.
    """
    if change.movement is not None and change.moved > limits.moved:
        return "nudged"
    if change.movement is not None and _less(change.sharpness, limits.sharpness):
        return "blurred"
    return None


def _less(value: float | None, limit: float) -> bool:
    return value is not None and value < limit
