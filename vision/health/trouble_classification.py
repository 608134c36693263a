"""Classify measured changes of the camera's view as a trouble to report to people, such as "covered"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.health.change_from_table_at_rest import TableChange

Trouble = Literal[
    "dark", "glaring", "colourless", "lost", "covered", "nudged", "blurred", "light", "frozen", "flicker", "turned",
    "zoomed",
]  # fmt: skip # a list of names
"""dark, glaring: too little or too much light; colourless: a grey picture, as in night mode; lost: the table is not
found where it was; covered: something large is between camera and table; nudged: the camera was moved; blurred: out
of focus, or a dirty lens; light: the light on the table changed at once; frozen: the camera repeats one picture;
flicker: lamp flicker shows as bands; turned: the picture is upside down, on its side or mirrored; zoomed: another
lens or zoom shows more or less of the table."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Thresholds of trouble. Lengths are shares of the picture's width, as in `TableChange`.

    Hands in whole games on simulated tables do not come near them (`python -m tests.bench.reading.health`).
    """

    dark: float = 14.0
    """Minimum mean grey level."""
    glaring: float = 0.3
    """Maximum share of saturated pixels."""
    lost: float = 0.35
    """Minimum recognised share of the table's pattern."""
    covered: float = 0.32
    """Maximum covered share of the picture."""
    thick: float = 0.075
    """Maximum thickness (radius of the largest circle inside) of the covered area."""
    moved: float = 0.0025
    """Maximum movement of the camera."""
    sharpness: float = 0.5
    """Minimum remaining share of fine detail."""
    contrast: float = 0.45
    """Minimum remaining share of coarse detail."""
    light: float = 0.3
    """Maximum log gain of the light."""
    tint: float = 0.2
    """Maximum difference of the channels' log gains."""


def find_trouble(change: TableChange, moved: float, limits: Limits, *, grey: bool = False) -> Trouble | None:
    """Return the most severe trouble in a measured change of the view; None if there is none.

    moved: mean displacement of the picture since calibration, as a share of its width. grey: the picture has lost
    its colours.
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
    if _is_below(change.sharpness, limits.sharpness) or _is_below(change.contrast, limits.contrast):
        return "blurred"
    if change.brighter > limits.light or max(change.light) - min(change.light) > limits.tint:
        return "light"
    return None


def find_calibration_trouble(change: TableChange, limits: Limits) -> Trouble | None:
    """Return "nudged" or "blurred" if the camera was moved or is blurred since calibration; None otherwise.

    Light and objects may have changed since calibration, so that they are ignored.
    """
    if change.movement is not None and change.moved > limits.moved:
        return "nudged"
    if change.movement is not None and _is_below(change.sharpness, limits.sharpness):
        return "blurred"
    return None


def _is_below(value: float | None, limit: float) -> bool:
    """Return whether a value was measurable and is below a limit."""
    return value is not None and value < limit
