"""Reads what stands on the board: discs, wizards and start rings, once the board itself is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calibration.boards.detection import Matrix
from calibration.pieces.samples import PieceSamples
from vision.cameras.frame import Image
from vision.games.master.readings import TokenReading, WizardReading


@dataclass(frozen=True, slots=True)
class DiscsReading:
    """Discs and wizards of one picture, and how the board lies.

    Places are in the frame of the homography that was passed in; turned clockwise by `quarter_turns`
    (`orientation.turned_place`) they are in the board's own frame.
    """

    tokens: tuple[TokenReading, ...]
    """The discs on the board and on the spare."""
    wizards: tuple[WizardReading, ...]
    """The wizards on the board and on the spare."""
    quarter_turns: int | None
    """Clockwise quarter turns that bring the picture's places into the board's frame; None where unknown."""
    turn_probabilities: tuple[float, float, float, float]
    """Probability of 0, 1, 2 and 3 quarter turns."""


def read_discs(
    image: Image,
    homography: Matrix,
    spare: Matrix | None = None,
    pieces: Mapping[str, PieceSamples] | None = None,
) -> DiscsReading:
    """Return the discs and wizards of a BGR picture, and how the board lies.

    homography: 3×3, from the field in tiles (x right 0..7, y down 0..7; place 0 at the origin) to px.
    spare: 3×3, from the unit square to the spare tile in px; None where none is seen.
    pieces: enrolled samples by kind (`token:7`, `wizard:red`), from a profile; kinds that are not enrolled are
    compared with the printable stand-in.
    """
    return DiscsReading((), (), None, (0.25, 0.25, 0.25, 0.25))
