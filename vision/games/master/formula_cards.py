"""Reads formula cards by the three tokens that are printed on them: held up to the camera, or open on the table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pieces.samples import PieceSamples
from vision import colour
from vision.cameras.frame import Image
from vision.games.master.confidence_calibration import MIN_CONFIDENCE
from vision.games.master.objects.tokens.circle_detection import circle_votes, edges_of, separate_peaks
from vision.games.master.objects.tokens.number_likelihoods import STRANGER, number_log_likelihoods
from vision.games.master.objects.tokens.token_faces import faces_of
from vision.games.master.readings import NUMBERS

Formula = tuple[int, int, int]
"""The three numbers of a card, as printed."""

_SIDE_PX: Final = 640
"""Longer side of the picture in which a card is searched, px."""
_RADII: Final = np.geomspace(10, 80, 14)
"""Radii of printed tokens that are tried, px of that picture."""
_CIRCLES: Final = 14
"""Circles of each radius whose faces are compared."""
_MAX_TOKEN_DISTANCE: Final = 5.0
"""Largest distance of two tokens on one card, in radii."""

_USUAL_EVIDENCE: Final = 5.0
"""Evidence for a number among the circles of a picture that shows no card, nats."""
_MAX_EVIDENCE: Final = 8.0
"""Largest evidence of one token for a card, nats: a card of which one number matches is another card."""
_MIN_CLEAR_EVIDENCE: Final = 15.0
"""Minimum evidence for a disc's number at which it is certainly a token, real or printed, nats."""
_MAX_CARD_REACH: Final = 8.0
"""Largest distance from a printed token to an edge of its card, in radii."""


@dataclass(frozen=True, slots=True)
class FormulaReading:
    """Reading of one formula card."""

    numbers: Formula
    """Most probable numbers."""
    confidence: float
    """Probability of `numbers`, 0..1."""
    doubtful: bool
    """Whether the card needs confirmation."""
    probabilities: Mapping[Formula, float]
    """Probability of each card; what is missing to 1 is the probability that none is shown."""


def read_formula(
    image: Image, cards: Sequence[Formula], pieces: Mapping[str, PieceSamples] | None = None
) -> FormulaReading | None:
    """Return the formula card that a BGR picture shows, in any size and rotation; None where it shows none.

    cards: the three numbers of each card in the game. pieces: enrolled tokens by kind (`token:7`), from a profile;
    numbers that are not enrolled are compared with the printable stand-in.
    """
    shrink = min(1.0, _SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else image
    seen = np.asarray(small, np.uint8)
    colours, edges, faces = colour.of_view(seen), edges_of(seen), faces_of(pieces or {})
    columns = np.array([[NUMBERS.index(number) for number in card] for card in cards])
    best = np.full(len(cards), -np.inf)
    for radius in _RADII:
        peaks = separate_peaks(circle_votes(edges, float(radius)), float(radius), _CIRCLES)
        if len(peaks) < columns.shape[1]:
            continue
        circles = np.c_[peaks[:, :2], np.full(len(peaks), radius)]
        logs = number_log_likelihoods(colours, circles, faces)
        best = np.maximum(best, _card_scores(circles, logs, columns))
    # No card: three discs of something else, the most similar ones of many.
    logs = np.append(best, columns.shape[1] * (STRANGER + _USUAL_EVIDENCE))
    weights = np.exp(logs - logs.max())
    shares = weights / weights.sum()
    index = int(shares[:-1].argmax())
    confidence = float(shares[index])
    if shares[-1] > confidence:
        return None
    return FormulaReading(
        cards[index],
        confidence,
        confidence < MIN_CONFIDENCE,
        {card: float(share) for card, share in zip(cards, shares[:-1], strict=True) if share > 1e-6},
    )


def printed_circles(
    circles: NDArray[np.float64],
    logs: NDArray[np.float64],
    cards: Sequence[Formula],
    on_board: Collection[int] = (),
) -> NDArray[np.bool_]:
    """Return which circles of a picture are printed on formula cards that lie open on the table, (circles,).

    There is one token of each number. Where a number is found twice, or lies on the board as well, its disc near
    another one of the same card is printed; where all its discs lie like that, the clearest one is the token. A
    disc near a printed one of the same card is printed, too, as is whatever resembles a token near it.

    circles: centre and radius in px, (circles, 3). logs: log likelihood of each number on each circle, (circles,
    numbers). cards: the three numbers of each card. on_board: numbers of tokens on the board.
    """
    numbers, clearness = np.array(NUMBERS)[logs.argmax(axis=1)], logs.max(axis=1)
    clear = clearness >= STRANGER + _MIN_CLEAR_EVIDENCE
    apart = np.hypot(*(circles[:, None, :2] - circles[None, :, :2]).transpose(2, 0, 1)) / circles[:, 2]
    pairs = {pair for card in cards for pair in permutations(card, 2)}
    of_one_card = np.array([[(one, other) in pairs for other in numbers] for one in numbers], bool)
    beside = of_one_card & (apart <= _MAX_TOKEN_DISTANCE) & clear & clear[:, None]
    again = (numbers == numbers[:, None]) & ~np.eye(len(numbers), dtype=bool) & clear
    likelier = again & (~beside.any(axis=1) | (clearness > clearness[:, None]))
    printed = beside.any(axis=1) & (likelier.any(axis=1) | np.isin(numbers, [*on_board]))
    printed |= ~again.any(axis=1) & (beside & printed).any(axis=1)
    return np.asarray(printed | ~clear & ((apart <= _MAX_CARD_REACH) & printed).any(axis=1), np.bool_)


def _card_scores(
    circles: NDArray[np.float64], logs: NDArray[np.float64], columns: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the log likelihood of each card, (cards,), if its three tokens are on circles near one another.

    circles: centre and radius in px, (circles, 3), all of one radius. logs: log likelihood of each number on each
    circle, (circles, numbers). columns: columns of `logs` with the numbers of each card, (cards, 3).
    """
    apart = np.hypot(*(circles[:, None, :2] - circles[None, :, :2]).transpose(2, 0, 1))
    near = apart <= _MAX_TOKEN_DISTANCE * circles[0, 2]
    bounded = np.minimum(logs, STRANGER + _MAX_EVIDENCE)
    around = np.where(near[..., None], bounded[None], -np.inf).max(axis=1)
    return np.asarray(around[:, columns].sum(axis=2).max(axis=0), np.float64)
