"""Reads the tokens that lie beside the board, in front of the players, apart from one another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.boards.detection import Matrix
from calibration.pieces.samples import PieceSamples
from vision import colour
from vision.cameras.frame import Image
from vision.games.master.confidence_calibration import MIN_CONFIDENCE
from vision.games.master.formula_cards import Formula, printed_circles
from vision.games.master.objects.tokens.circle_detection import circle_votes, edges_of, separate_peaks
from vision.games.master.objects.tokens.number_assignment import assignment_marginals
from vision.games.master.objects.tokens.number_likelihoods import STRANGER, number_log_likelihoods
from vision.games.master.objects.tokens.token_faces import faces_of
from vision.games.master.readings import NUMBERS, SIZE

_CELL_PX: Final = 36
"""Width of a tile in the top view, px."""
_REACH: Final = 6
"""Maximum distance from the 7 × 7 field at which tokens are read, in tiles."""
_RADII: Final = (0.21, 0.24, 0.27, 0.305, 0.34)
"""Radii that are tried, in tiles."""
_MIN_VOTES: Final = 0.25
"""Least share of a circle's rim that shows an edge."""
_CIRCLES: Final = 60
"""Circles of each radius whose faces are compared."""
_MIN_SEPARATION: Final = 1.4
"""Least distance of the centres of two tokens, in radii."""
_PRESENCE: Final = 0.05
"""Probability that a circle on the table is a token, before its face is compared."""
_MIN_REPORTED: Final = 0.3
"""Least probability of a number for it to be reported."""


@dataclass(frozen=True, slots=True)
class LooseToken:
    """A token beside the board."""

    number: int
    """Most probable number."""
    confidence: float
    """Probability of `number`, 0..1."""
    doubtful: bool
    """Whether the token needs confirmation."""
    x: float
    """Column of its centre, in tiles: 0..7 lies in the field."""
    y: float
    """Row of its centre, in tiles: 0..7 lies in the field."""


def read_loose_tokens(
    image: Image,
    homography: Matrix,
    pieces: Mapping[str, PieceSamples] | None = None,
    on_board: Collection[int] = (),
    cards: Sequence[Formula] = (),
) -> tuple[LooseToken, ...]:
    """Return the tokens beside the board in a BGR picture, in order of their numbers.

    homography: 3×3, from the field in tiles (x right 0..7, y down 0..7) to px. pieces: enrolled tokens by kind
    (`token:7`), from a profile; others are compared with the printable stand-in. on_board: numbers of tokens on the
    board, which are not searched for. cards: the three numbers of each formula card, whose printed tokens are left
    out where a card lies open on the table.
    """
    offset = _REACH * _CELL_PX - 0.5
    to_view = np.array([[_CELL_PX, 0, offset], [0, _CELL_PX, offset], [0, 0, 1.0]])
    to_picture = np.asarray(homography @ np.linalg.inv(to_view), np.float64)
    side = (SIZE + 2 * _REACH) * _CELL_PX
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = np.asarray(cv2.warpPerspective(image, to_picture, (side, side), flags=flags), np.uint8)
    colours, edges, faces = colour.of_view(view), edges_of(view), faces_of(pieces or {})
    inner = slice(_REACH * _CELL_PX, (_REACH + SIZE) * _CELL_PX)
    circles = []
    for radius in np.array(_RADII) * _CELL_PX:
        votes = circle_votes(edges, float(radius))
        votes[inner, inner] = 0
        peaks = separate_peaks(votes, float(radius), _CIRCLES)
        peaks = peaks[peaks[:, 2] >= _MIN_VOTES]
        circles.append(np.c_[peaks[:, :2], np.full(len(peaks), radius)])
    tried = np.concatenate(circles)
    logs = number_log_likelihoods(colours, tried, faces)
    kept: list[int] = []
    for index in np.argsort(-logs.max(axis=1, initial=-np.inf)):
        apart = np.hypot(tried[kept, 0] - tried[index, 0], tried[kept, 1] - tried[index, 1])
        if not (apart < _MIN_SEPARATION * tried[kept, 2]).any():
            kept.append(int(index))
    kept = [*np.array(kept, int)[~printed_circles(tried[kept], logs[kept], cards, on_board)]]
    none = STRANGER + np.full(len(kept), np.logaddexp(0.0, np.log((1 - _PRESENCE) / _PRESENCE)))
    wanted = [index for index, number in enumerate(NUMBERS) if number not in on_board]
    marginals = assignment_marginals(logs[kept][:, wanted], none)
    found = []
    for index, probabilities in zip(kept, marginals, strict=True):
        confidence = float(probabilities.max(initial=0.0))
        if confidence >= _MIN_REPORTED:
            x, y = (tried[index, :2] + 0.5) / _CELL_PX - _REACH
            number = NUMBERS[wanted[int(probabilities.argmax())]]
            found.append(LooseToken(number, confidence, confidence < MIN_CONFIDENCE, float(x), float(y)))
    return tuple(sorted(found, key=lambda one: one.number))
