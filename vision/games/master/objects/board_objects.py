"""Reads the tokens, wizards and orientation of a board whose field is located."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.boards.detection import Matrix
from calibration.pieces.samples import PieceSamples
from vision.cameras.frame import Image
from vision.games.master.objects.board_orientation import (
    MIN_ORIENTATION_PROBABILITY,
    TurnProbabilities,
    turn_probabilities,
)
from vision.games.master.objects.object_network import shipped_network
from vision.games.master.objects.start_ring_colours import ring_colours
from vision.games.master.objects.tokens.token_faces import faces_of
from vision.games.master.objects.tokens.token_reading import read_tokens
from vision.games.master.objects.top_views import view_of
from vision.games.master.objects.wizards.wizard_reading import read_wizards
from vision.games.master.readings import TokenReading, WizardReading


@dataclass(frozen=True, slots=True)
class BoardObjects:
    """Tokens and wizards in one picture, and the board's orientation.

    Places are in the frame of the homography that was passed in. `orientation.turned_place` with `quarter_turns`
    converts them to the board's own frame.
    """

    tokens: tuple[TokenReading, ...]
    """The discs on the board and on the spare."""
    wizards: tuple[WizardReading, ...]
    """The wizards on the board and on the spare."""
    possible_wizards: tuple[WizardReading, ...]
    """Wizards that are probably not on the board or the spare, each with the places where it may be."""
    absent: float
    """Probability that no wizard of a colour missing in `wizards` is on the board or the spare."""
    under_wizards: frozenset[int | None]
    """Places (None: the spare) where no disc is read but a wizard may hide one."""
    unseen_tokens: frozenset[int]
    """Numbers of tokens not found that are on the table, as follows from the order in which tokens are taken."""
    quarter_turns: int | None
    """Clockwise quarter turns that bring the picture's places into the board's frame; None if unknown."""
    turn_probabilities: TurnProbabilities
    """Probability of 0, 1, 2 and 3 quarter turns."""


_MIN_BENEATH: Final = 0.5
"""Minimum confidence of a disc under a wizard for it to be reported."""
_MIN_STANDING: Final = 0.5
"""Minimum confidence of a wizard for it to hide what lies under it."""
_MIN_HIDING: Final = 0.05
"""Minimum probability of a wizard's place at which it may hide a disc there."""


def read_board_objects(
    image: Image,
    homography: Matrix,
    spare: Matrix | None = None,
    pieces: Mapping[str, PieceSamples] | None = None,
) -> BoardObjects:
    """Return the tokens and wizards in a BGR picture, and the board's orientation.

    homography: 3×3, from the field in tiles (x right 0..7, y down 0..7; place 0 at the origin) to px.
    spare: 3×3, from the unit square to the spare tile in px; None if the spare is not found.
    pieces: enrolled samples of tokens by kind (`token:7`), from a profile. Numbers that are not enrolled are
    compared with the printable stand-in.
    """
    views = [view_of(image, homography)]
    if spare is not None:
        views.append(view_of(image, spare, tiles=1))
    network = shipped_network()
    objects = [network.detect(view) for view in views]
    rings = ring_colours(views[0])
    probabilities = turn_probabilities(objects[0].rings, [one.cost for one in rings])
    best = int(np.argmax(probabilities))
    seen = read_tokens(views, objects, faces_of(pieces or {}))
    wizards, possible, absent = read_wizards(views, objects, rings[best], seen.certain)
    tokens, under_wizards = _without_doubtful_beneath(seen.tokens, (*wizards, *possible))
    return BoardObjects(
        tokens,
        wizards,
        possible,
        absent,
        under_wizards,
        seen.unseen,
        best if probabilities[best] >= MIN_ORIENTATION_PROBABILITY else None,
        probabilities,
    )


def _without_doubtful_beneath(
    tokens: Sequence[TokenReading], wizards: Sequence[WizardReading]
) -> tuple[tuple[TokenReading, ...], frozenset[int | None]]:
    """Drop uncertain tokens under wizards; return the others, and the places where a wizard may hide a token.

    The places are those without a returned token; None is the spare.
    """
    standing = {wizard.place for wizard in wizards if wizard.confidence >= _MIN_STANDING}
    kept = tuple(one for one in tokens if one.place not in standing or one.confidence >= _MIN_BENEATH)
    hiding = {place for one in wizards for place, chance in one.places.items() if chance >= _MIN_HIDING}
    return kept, frozenset((standing | hiding) - {one.place for one in kept})
