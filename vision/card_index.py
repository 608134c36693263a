"""The enrolled deck made ready for searching: local features, and small pictures to tell cards apart."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import REFERENCE_PX_PER_MM, EnrolledCard, EnrolledDeck

PX_PER_MM = 1.25
"""Scale of the top view in which cards are searched: about what a camera a metre above gives."""
LOOK_PX = (42, 58)
"""Size of a look: what is compared to tell cards of one size apart, 1.5 mm a pixel."""

_FEATURES_PER_CARD = 100
LARGE_MM2, _FEATURES_PER_LARGE = 20_000.0, 240
"""What is larger than this is a board: on one, things lie on most of the print."""
SAME_SIZE_MM = 3.0
"""Cards whose sides differ by less than this may be taken for one another."""
MOST_ALIKE = 0.85
"""Two cards that look more alike than this would be taken for one another sooner or later."""
_WEIGHTS = np.tile(np.array([0.6, 1.0, 1.0], np.float32), (LOOK_PX[0] - 6) * (LOOK_PX[1] - 6))
BLOCKS = (4, 3)
"""Into so many rows and columns a look is divided to compare a whole face part by part."""
_FLOOR = 0.25
"""Of a look's energy: blocks with less of it have too little print to disagree."""
_SURELY_AGREES = 0.95
_SOFT_MM, _LEAST_SOFT_PX = 0.6, 0.3
_ASIDE = (1.5, 1.5, 3.0)
"""So far, mm and degrees, a card is moved to learn how its look changes: about as far as a first guess is off."""
_DARK = 60
_AT_ONCE = 512
"""So many features are compared with all enrolled ones in one step."""
_SIGNS_OF_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32) * 2 - 1

Look = NDArray[np.float32]
"""A card's colours, blurred and small, as one row of unit length with mean zero in each colour."""


@dataclass(frozen=True, eq=False)
class Features:
    """Local features: points (n, 2), directions in degrees (n,), binary descriptors (n, 32) uint8."""

    points: NDArray[np.float64]
    angles: NDArray[np.float64]
    descriptors: NDArray[np.uint8]

    def first(self, count: int) -> Features:
        """Give the first so many of them."""
        return self.chosen(slice(count))

    def chosen(self, which: slice | NDArray[np.bool_]) -> Features:
        """Give some of them."""
        return Features(self.points[which], self.angles[which], self.descriptors[which])


@dataclass(frozen=True, eq=False)
class CardIndex:
    """All cards of a deck.

    features: of all cards together, points in mm from the card's centre (+x right, +y down); owners: index into
    cards for each feature; signs: its bits as -1 and 1, (features, 256). sizes: width and height in mm (cards, 2).
    looks: (cards, LOOK) rows, see `look`. alike: (cards, cards), True for two cards that cannot be told apart,
    either way up. pulls: (cards, 3, LOOK), times what a look lacks of the card's own: so far is the place where
    it was taken to be moved, mm to the card's right, mm down and degrees clockwise.
    """

    cards: tuple[EnrolledCard, ...]
    features: Features
    owners: NDArray[np.int64]
    signs: NDArray[np.float32]
    sizes: NDArray[np.float64]
    looks: Look
    alike: NDArray[np.bool_]
    pulls: NDArray[np.float32]

    @classmethod
    def of(cls, deck: EnrolledDeck) -> CardIndex:
        """Compute the index of a deck with at least one card."""
        cards = tuple(deck.cards.values())
        small = [_at_view_scale(card) for card in cards]
        found = [_card_features(card, view) for card, view in zip(cards, small, strict=True)]
        owners = np.concatenate([np.full(len(f.points), i, np.int64) for i, f in enumerate(found)])
        together = Features(
            np.concatenate([f.points for f in found]),
            np.concatenate([f.angles for f in found]),
            np.concatenate([f.descriptors for f in found]),
        )
        sizes = np.array([card.size_mm for card in cards])
        looks = np.stack([_reference_look(card, view) for card, view in zip(cards, small, strict=True)])
        pulls = np.stack([_pulls(card, view) for card, view in zip(cards, small, strict=True)])
        alike = _alike(looks, sizes)
        return cls(cards, together, owners, _signs(together.descriptors), sizes, looks, alike, pulls)

    def nearest(self, descriptors: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Give the enrolled feature nearest to each descriptor (n, 32), and how many bits differ, (n,) each."""
        enrolled, seen = self.signs, _signs(descriptors)
        # Whole numbers so small are exact in a product of floats, which is far faster than counting bits.
        parts = (seen[first : first + _AT_ONCE] for first in range(0, len(seen), _AT_ONCE))
        found = [_largest(part @ enrolled.T) for part in parts]
        numbers = np.concatenate([number for number, _ in found] or [np.zeros(0, np.int64)])
        alike = np.concatenate([product for _, product in found] or [np.zeros(0, np.float32)])
        return numbers, (enrolled.shape[1] - alike.astype(np.int64)) // 2

    def twin(self, card_id: str) -> str | None:
        """Return a card that cannot be told apart from this one, None where there is none or it is not known."""
        return next((second for first, second in self.alike_pairs(card_id)), None)

    def alike_pairs(self, card_id: str | None = None) -> tuple[tuple[str, str], ...]:
        """Return the ids of every two cards that cannot be told apart, each pair once.

        card_id: only the pairs of this card, which then stands first.
        """
        pairs = [(self.cards[one].id, self.cards[other].id) for one, other in np.argwhere(self.alike)]
        if card_id is not None:
            return tuple(pair for pair in pairs if pair[0] == card_id)
        order = {card.id: number for number, card in enumerate(self.cards)}
        return tuple(pair for pair in pairs if order[pair[0]] < order[pair[1]])


def _alike(looks: Look, sizes: NDArray[np.float64]) -> NDArray[np.bool_]:
    turned = np.stack([turned_round(row) for row in looks])
    likeness = np.maximum(looks @ looks.T, looks @ turned.T)
    same_size = np.abs(sizes[:, None] - sizes[None]).max(axis=2) < SAME_SIZE_MM
    alike = (likeness > MOST_ALIKE) & same_size & (sizes.prod(axis=1) < LARGE_MM2)[:, None]
    np.fill_diagonal(alike, False)
    return np.asarray(alike, np.bool_)


def _signs(descriptors: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Turn the bits of descriptors (n, 32) into -1 and 1, (n, 256): the product of two tells how many differ."""
    return _SIGNS_OF_BYTES[descriptors].reshape(len(descriptors), 8 * descriptors.shape[1])


def _largest(products: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Give the column of the largest value in each row, the first of several, and that value."""
    columns = products.argmax(axis=1)
    return columns, products[np.arange(len(products)), columns]


def detector(count: int) -> cv2.ORB:
    """Make the feature detector for pictures at PX_PER_MM: one scale only, because the scale is known."""
    return cv2.ORB.create(
        nfeatures=count, scaleFactor=1.2, nlevels=1, edgeThreshold=14, patchSize=27, fastThreshold=14
    )


def features(grey: NDArray[np.uint8], count: int, mask: NDArray[np.uint8] | None = None) -> Features:
    """Find local features in a grey top view at PX_PER_MM, clearest first; points in its pixels."""
    keypoints, descriptors = detector(count).detectAndCompute(grey, mask)
    if descriptors is None or len(keypoints) == 0:
        return Features(np.zeros((0, 2)), np.zeros(0), np.zeros((0, 32), np.uint8))
    told = np.array([(*point.pt, point.angle, point.response) for point in keypoints], np.float64)
    order = np.argsort(-told[:, 3], kind="stable")
    return Features(told[order, :2], told[order, 2], np.asarray(descriptors, np.uint8)[order])


def soften(view: NDArray[np.uint8], px_per_mm: float) -> NDArray[np.uint8]:
    """Prepare a BGR picture with so many pixels a mm for looks: as soft as a look is coarse."""
    return np.asarray(cv2.GaussianBlur(view, (0, 0), max(_LEAST_SOFT_PX, _SOFT_MM * px_per_mm)), np.uint8)


def look(soft: NDArray[np.uint8], to_pixels: NDArray[np.float64], size_mm: tuple[float, float]) -> Look:
    """Give what a card looks like in a softened picture.

    to_pixels: homography from mm from the card's centre (+x right, +y down) to px. The result is one row of unit
    length whose product with another is their likeness, -1 to 1.
    """
    across, down = size_mm[0] / LOOK_PX[0], size_mm[1] / LOOK_PX[1]
    left, top = across * (LOOK_PX[0] - 1) / 2, down * (LOOK_PX[1] - 1) / 2
    matrix = to_pixels @ np.array([[across, 0, -left], [0, down, -top], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    small = cv2.cvtColor(cv2.warpPerspective(soft, matrix, LOOK_PX, flags=flags), cv2.COLOR_BGR2Lab)
    # The rim is left out: rounded corners, borders all alike, and a neighbour's shadow.
    inner = small[3:-3, 3:-3]
    row = np.asarray(cv2.subtract(inner, np.array(cv2.mean(inner)), dtype=cv2.CV_32F), np.float32).reshape(-1)
    # Lightness counts less: light on a table varies far more than hue does.
    row *= _WEIGHTS
    return np.asarray(row / (math.sqrt(float(row @ row)) + 1e-6), np.float32)


def block_agreements(row: Look, own: Look) -> NDArray[np.float32]:
    """Return how well each block of two looks agrees, (rows · columns of BLOCKS,): 1 alike, 0 unlike.

    This is the correlation of each block, with a floor for what is flat in both. Where the lens bends the rim of
    the picture, print lies a little aside: each block is also compared a pixel aside, and the best counts.
    """
    agreements = _block_correlations(row, own)
    if agreements.min() >= _SURELY_AGREES:
        return agreements
    picture = own.reshape(LOOK_PX[1] - 6, LOOK_PX[0] - 6, 3)
    for step in itertools.product((-1, 0, 1), repeat=2):
        aside = np.roll(picture, step, axis=(0, 1)).reshape(-1)
        agreements = np.maximum(agreements, _block_correlations(row, aside))
    return agreements


def _block_correlations(row: Look, own: Look) -> NDArray[np.float32]:
    down, across = BLOCKS
    shape = (down, (LOOK_PX[1] - 6) // down, across, (LOOK_PX[0] - 6) // across * 3)
    one, other = row.reshape(shape), own.reshape(shape)
    floor = _FLOOR / (down * across)
    both = (one * other).sum(axis=(1, 3))
    energies = [(each * each).sum(axis=(1, 3)) + floor for each in (one, other)]
    return np.asarray((both + floor) / np.sqrt(energies[0] * energies[1]), np.float32).reshape(-1)


def turned_round(row: Look) -> Look:
    """Give the look of a card that lies the other way round."""
    return row.reshape(-1, 3)[::-1].reshape(-1)


def look_of(card: EnrolledCard) -> Look:
    """Give what an enrolled card itself looks like."""
    return _reference_look(card, _at_view_scale(card))


def _reference_look(card: EnrolledCard, small: NDArray[np.uint8]) -> Look:
    return look(soften(small, PX_PER_MM), _from_middle(small), card.size_mm)


def _pulls(card: EnrolledCard, small: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Learn from a card's own picture how its look changes when it is taken a little aside or turned, (3, LOOK).

    Baker and Matthews, "Lucas-Kanade 20 Years On" (2004), the inverse compositional way: the changes are those of
    the enrolled picture, so that they are learned once.
    """
    soft, to_pixels = soften(small, PX_PER_MM), _from_middle(small)
    changes = []
    for step in np.diag(_ASIDE):  # right, down and clockwise, one by one
        there, back = (look(soft, to_pixels @ moved(*(way * step).tolist()), card.size_mm) for way in (1, -1))
        changes.append((there - back) / (2 * step.sum()))
    return np.asarray(np.linalg.pinv(np.stack(changes, axis=1)), np.float32)


def moved(right: float, down: float, turn: float) -> NDArray[np.float64]:
    """Give the 3×3 matrix from mm from the centre of a card that was moved (mm, degrees clockwise) to mm before."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return np.array([[cos, -sin, right], [sin, cos, down], [0.0, 0.0, 1.0]])


def _from_middle(small: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Give the homography from mm from a card's centre to px of its picture at PX_PER_MM."""
    height, width = small.shape[:2]
    return np.array([[PX_PER_MM, 0, (width - 1) / 2], [0, PX_PER_MM, (height - 1) / 2], [0, 0, 1.0]])


def _at_view_scale(card: EnrolledCard) -> NDArray[np.uint8]:
    soft = cv2.GaussianBlur(on_dark(card.picture), (0, 0), 0.5 * REFERENCE_PX_PER_MM / PX_PER_MM)
    size = (round(card.size_mm[0] * PX_PER_MM), round(card.size_mm[1] * PX_PER_MM))
    return np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_AREA), np.uint8)


def on_dark(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lay a BGRA picture on a dark ground: BGR."""
    flat = picture[..., :3].copy()
    clear = picture[..., 3] < 255  # no more than the rounded corners of most cards
    alpha = picture[clear][:, 3:].astype(np.float32) / 255
    flat[clear] = picture[clear][:, :3] * alpha + _DARK * (1 - alpha)
    return flat


def _card_features(card: EnrolledCard, view: NDArray[np.uint8]) -> Features:
    small = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
    margin = 20
    # A rim of middling grey, so that features near the card's edge are found; which they are on the table too.
    framed = cv2.copyMakeBorder(small, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=120)
    count = _FEATURES_PER_LARGE if math.prod(card.size_mm) > LARGE_MM2 else _FEATURES_PER_CARD
    found = features(np.asarray(framed, np.uint8), count)
    centre = np.array([(small.shape[1] - 1) / 2 + margin, (small.shape[0] - 1) / 2 + margin])
    return Features((found.points - centre) / PX_PER_MM, found.angles, found.descriptors)
