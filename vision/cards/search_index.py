"""Search index of the enrolled deck: local features, and small normalised pictures for comparison."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards.deck import REFERENCE_PX_PER_MM, EnrolledCard, EnrolledDeck

PX_PER_MM = 1.25
"""Scale of the top view in which cards are searched: about that of a camera one metre above the table."""
NORMALISED_PX = (42, 58)
"""Size (width, height) of a normalised picture, px; 1.5 mm per pixel for a standard card."""

_FEATURES_PER_CARD = 100
"""Number of local features enrolled per card."""
MIN_BOARD_MM2 = 20_000.0
"""Area (mm²) from which a card is treated as a board, most of whose print may be covered."""
_FEATURES_PER_LARGE = 240
"""Number of local features enrolled per board."""
SAME_SIZE_MM = 3.0
"""Maximum difference of the sides of two cards that may be confused."""
MAX_SIMILARITY = 0.85
"""Similarity (-1 to 1) of two normalised pictures above which their cards cannot be distinguished."""
_CHANNEL_WEIGHTS = np.tile(np.array([0.6, 1.0, 1.0], np.float32), (NORMALISED_PX[0] - 6) * (NORMALISED_PX[1] - 6))
"""Weight of each CIELAB channel in a comparison, per element of a row."""
BLOCKS = (4, 3)
"""Number of rows and columns of blocks in which two faces are compared."""
_BLOCK_FLOOR = 0.25
"""Energy added to every block, as a share of the mean over all blocks, so that blocks with little print agree."""
_MIN_SURE_AGREEMENT = 0.95
"""Agreement of the worst block above which no shifted comparison is made."""
_SOFT_MM = 0.6
"""Standard deviation of the blur before a picture is normalised, mm."""
_MIN_SOFT_PX = 0.3
"""Minimum standard deviation of that blur, px."""
_PERTURBATION = (1.5, 1.5, 3.0)
"""Displacement (mm, mm, degrees) for the numerical derivative: the typical error of a first guess."""
_GROUND_LEVEL = 60
"""Grey level of the background below transparent pictures."""
_BATCH_FEATURES = 512
"""Number of features compared with all enrolled ones per batch."""
_SIGNS_OF_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32) * 2 - 1
"""Bits of each byte value as -1 and 1, (256, 8)."""

NormalisedPicture = NDArray[np.float32]
"""Normalised picture of a card: blurred CIELAB pixels as a vector of unit length, each channel of mean zero."""


@dataclass(frozen=True, eq=False)
class Features:
    """Local (ORB) features of a picture."""

    points: NDArray[np.float64]
    """Positions, (n, 2)."""
    angles: NDArray[np.float64]
    """Orientations in degrees, (n,)."""
    descriptors: NDArray[np.uint8]
    """Binary descriptors, (n, 32) uint8."""

    def first(self, count: int) -> Features:
        """Return the `count` strongest features."""
        return self.chosen(slice(count))

    def chosen(self, which: slice | NDArray[np.bool_]) -> Features:
        """Return a subset of the features. which: slice or mask over them."""
        return Features(self.points[which], self.angles[which], self.descriptors[which])


@dataclass(frozen=True, eq=False)
class CardIndex:
    """Search index of all cards of a deck."""

    cards: tuple[EnrolledCard, ...]
    """Enrolled cards; all indices refer to this order."""
    features: Features
    """Features of all cards, positions in mm from the card's centre (+x right, +y down)."""
    owners: NDArray[np.int64]
    """Index of the card of each feature."""
    signs: NDArray[np.float32]
    """Bits of the descriptors as -1 and 1, (features, 256)."""
    sizes: NDArray[np.float64]
    """Width and height in mm, (cards, 2)."""
    pictures: NormalisedPicture
    """Normalised picture of each card, (cards, elements), see `normalised_picture`."""
    alike: NDArray[np.bool_]
    """Whether two cards cannot be distinguished in either orientation, (cards, cards)."""
    displacement_matrices: NDArray[np.float32]
    """Matrix of each card that turns a difference of two of its normalised pictures into the displacement between
    them (mm right, mm down, degrees clockwise), (cards, 3, elements)."""

    @classmethod
    def of(cls, deck: EnrolledDeck) -> CardIndex:
        """Compute the index of a deck with at least one card."""
        cards = tuple(deck.cards.values())
        small = [_enrolled_at_px_per_mm(card) for card in cards]
        found = [_card_features(card, view) for card, view in zip(cards, small, strict=True)]
        owners = np.concatenate([np.full(len(f.points), i, np.int64) for i, f in enumerate(found)])
        together = Features(
            np.concatenate([f.points for f in found]),
            np.concatenate([f.angles for f in found]),
            np.concatenate([f.descriptors for f in found]),
        )
        sizes = np.array([card.size_mm for card in cards])
        pictures = np.stack([_picture_of_enrolled(card, view) for card, view in zip(cards, small, strict=True)])
        displacement_matrices = np.stack(
            [_displacement_matrix(card, view) for card, view in zip(cards, small, strict=True)]
        )
        alike = _indistinguishable(pictures, sizes)
        return cls(
            cards, together, owners, _signs(together.descriptors), sizes, pictures, alike, displacement_matrices
        )

    def nearest(self, descriptors: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the index of the nearest enrolled feature of each descriptor (n, 32), and its Hamming distance."""
        enrolled, seen = self.signs, _signs(descriptors)
        # Small integers are exact in a product of floats, which is much faster than counting bits.
        parts = (seen[first : first + _BATCH_FEATURES] for first in range(0, len(seen), _BATCH_FEATURES))
        found = [_row_maxima(part @ enrolled.T) for part in parts]
        numbers = np.concatenate([number for number, _ in found] or [np.zeros(0, np.int64)])
        alike = np.concatenate([product for _, product in found] or [np.zeros(0, np.float32)])
        return numbers, (enrolled.shape[1] - alike.astype(np.int64)) // 2

    def twin(self, card_id: str) -> str | None:
        """Return the id of a card that cannot be distinguished from this one, None if there is none."""
        return next((second for first, second in self.alike_pairs(card_id)), None)

    def alike_pairs(self, card_id: str | None = None) -> tuple[tuple[str, str], ...]:
        """Return the ids of each pair of cards that cannot be distinguished, each pair once.

        card_id: return only the pairs that contain this card, with its id first.
        """
        pairs = [(self.cards[one].id, self.cards[other].id) for one, other in np.argwhere(self.alike)]
        if card_id is not None:
            return tuple(pair for pair in pairs if pair[0] == card_id)
        order = {card.id: number for number, card in enumerate(self.cards)}
        return tuple(pair for pair in pairs if order[pair[0]] < order[pair[1]])


def _indistinguishable(pictures: NormalisedPicture, sizes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return a matrix (cards, cards): true for two cards of one size with similar print, in either orientation.

    pictures, sizes: as in `CardIndex`. Boards and each card with itself are false.
    """
    turned = np.stack([rotated_by_180(row) for row in pictures])
    likeness = np.maximum(pictures @ pictures.T, pictures @ turned.T)
    same_size = np.abs(sizes[:, None] - sizes[None]).max(axis=2) < SAME_SIZE_MM
    alike = (likeness > MAX_SIMILARITY) & same_size & (sizes.prod(axis=1) < MIN_BOARD_MM2)[:, None]
    np.fill_diagonal(alike, False)
    return np.asarray(alike, np.bool_)


def _signs(descriptors: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Convert binary descriptors (n, 32) to vectors of -1 and 1, (n, 256).

    The Hamming distance of two descriptors is half of (256 minus the dot product of their vectors).
    """
    return _SIGNS_OF_BYTES[descriptors].reshape(len(descriptors), 8 * descriptors.shape[1])


def _row_maxima(products: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the column of each row's maximum (the first of equals), and the maximum."""
    columns = products.argmax(axis=1)
    return columns, products[np.arange(len(products)), columns]


def orb_detector(count: int) -> cv2.ORB:
    """Return an ORB detector of `count` features for views at PX_PER_MM, with a single pyramid level."""
    return cv2.ORB.create(
        nfeatures=count, scaleFactor=1.2, nlevels=1, edgeThreshold=14, patchSize=27, fastThreshold=14
    )


def detect_features(grey: NDArray[np.uint8], count: int) -> Features:
    """Return the local features of a grey top view at PX_PER_MM, strongest first.

    Positions are in px of the view.
    """
    keypoints, descriptors = orb_detector(count).detectAndCompute(grey, None)
    if descriptors is None or len(keypoints) == 0:
        return Features(np.zeros((0, 2)), np.zeros(0), np.zeros((0, 32), np.uint8))
    rows = np.array([(*point.pt, point.angle, point.response) for point in keypoints], np.float64)
    order = np.argsort(-rows[:, 3], kind="stable")
    return Features(rows[order, :2], rows[order, 2], np.asarray(descriptors, np.uint8)[order])


def soften(view: NDArray[np.uint8], px_per_mm: float) -> NDArray[np.uint8]:
    """Return a BGR picture blurred to the resolution of normalised pictures. px_per_mm: scale of the picture."""
    return np.asarray(cv2.GaussianBlur(view, (0, 0), max(_MIN_SOFT_PX, _SOFT_MM * px_per_mm)), np.uint8)


def normalised_picture(
    soft: NDArray[np.uint8], to_pixels: NDArray[np.float64], size_mm: tuple[float, float]
) -> NormalisedPicture:
    """Return the normalised picture of a card at a given pose in a BGR picture.

    soft: the picture, blurred by `soften`. to_pixels: homography from mm relative to the card's centre (+x right,
    +y down) to px. The result has unit length: the dot product of two is their similarity, -1 to 1.
    """
    across, down = size_mm[0] / NORMALISED_PX[0], size_mm[1] / NORMALISED_PX[1]
    left, top = across * (NORMALISED_PX[0] - 1) / 2, down * (NORMALISED_PX[1] - 1) / 2
    matrix = to_pixels @ np.array([[across, 0, -left], [0, down, -top], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    small = cv2.cvtColor(cv2.warpPerspective(soft, matrix, NORMALISED_PX, flags=flags), cv2.COLOR_BGR2Lab)
    # The rim is cropped: rounded corners, uniform borders, and a neighbour's shadow.
    inner = small[3:-3, 3:-3]
    row = np.asarray(cv2.subtract(inner, np.array(cv2.mean(inner)), dtype=cv2.CV_32F), np.float32).reshape(-1)
    # Lightness has less weight: light on a table varies more than hue.
    row *= _CHANNEL_WEIGHTS
    return np.asarray(row / (math.sqrt(float(row @ row)) + 1e-6), np.float32)


def block_agreements(row: NormalisedPicture, own: NormalisedPicture) -> NDArray[np.float32]:
    """Return the agreement of two normalised pictures in each block of the grid BLOCKS, row by row.

    It is the correlation within the block: 1 for equal blocks, also without print, and 0 for unrelated ones. Lens
    distortion shifts print at the picture's rim, so that the best of all shifts by one pixel is returned.
    """
    agreements = _block_correlations(row, own)
    if agreements.min() >= _MIN_SURE_AGREEMENT:
        return agreements
    picture = own.reshape(NORMALISED_PX[1] - 6, NORMALISED_PX[0] - 6, 3)
    for step in itertools.product((-1, 0, 1), repeat=2):
        aside = np.roll(picture, step, axis=(0, 1)).reshape(-1)
        agreements = np.maximum(agreements, _block_correlations(row, aside))
    return agreements


def _block_correlations(row: NormalisedPicture, own: NormalisedPicture) -> NDArray[np.float32]:
    """Return the correlation of two normalised pictures in each block, without shifts."""
    down, across = BLOCKS
    shape = (down, (NORMALISED_PX[1] - 6) // down, across, (NORMALISED_PX[0] - 6) // across * 3)
    one, other = row.reshape(shape), own.reshape(shape)
    floor = _BLOCK_FLOOR / (down * across)
    both = (one * other).sum(axis=(1, 3))
    energies = [(each * each).sum(axis=(1, 3)) + floor for each in (one, other)]
    return np.asarray((both + floor) / np.sqrt(energies[0] * energies[1]), np.float32).reshape(-1)


def rotated_by_180(row: NormalisedPicture) -> NormalisedPicture:
    """Return the normalised picture of a card rotated by 180 degrees."""
    return row.reshape(-1, 3)[::-1].reshape(-1)


def normalised_picture_of(card: EnrolledCard) -> NormalisedPicture:
    """Return the normalised picture of an enrolled card."""
    return _picture_of_enrolled(card, _enrolled_at_px_per_mm(card))


def _picture_of_enrolled(card: EnrolledCard, small: NDArray[np.uint8]) -> NormalisedPicture:
    """Return the normalised picture of an enrolled card. small: its enrolled picture at PX_PER_MM."""
    return normalised_picture(soften(small, PX_PER_MM), _from_middle(small), card.size_mm)


def _displacement_matrix(card: EnrolledCard, small: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the matrix from a difference of normalised pictures to the card's displacement, (3, elements).

    It is the pseudo-inverse of the picture's derivatives. small: the enrolled picture at PX_PER_MM.

    Baker and Matthews, "Lucas-Kanade 20 Years On" (2004), inverse compositional: the derivatives are those of the
    enrolled picture and are computed once.
    """
    soft, to_pixels = soften(small, PX_PER_MM), _from_middle(small)
    changes = []
    for step in np.diag(_PERTURBATION):  # right, down and clockwise, one by one
        there, back = (
            normalised_picture(soft, to_pixels @ rigid_motion(*(way * step).tolist()), card.size_mm)
            for way in (1, -1)
        )
        changes.append((there - back) / (2 * step.sum()))
    return np.asarray(np.linalg.pinv(np.stack(changes, axis=1)), np.float32)


def rigid_motion(right: float, down: float, turn: float) -> NDArray[np.float64]:
    """Return the 3×3 matrix from mm relative to a displaced card's centre to mm relative to its former centre.

    right, down: displacement, mm. turn: rotation, degrees clockwise.
    """
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return np.array([[cos, -sin, right], [sin, cos, down], [0.0, 0.0, 1.0]])


def _from_middle(small: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the homography from mm relative to a card's centre to px of its enrolled picture at PX_PER_MM."""
    height, width = small.shape[:2]
    return np.array([[PX_PER_MM, 0, (width - 1) / 2], [0, PX_PER_MM, (height - 1) / 2], [0, 0, 1.0]])


def _enrolled_at_px_per_mm(card: EnrolledCard) -> NDArray[np.uint8]:
    """Return the enrolled picture of a card at PX_PER_MM, BGR."""
    soft = cv2.GaussianBlur(on_dark(card.picture), (0, 0), 0.5 * REFERENCE_PX_PER_MM / PX_PER_MM)
    size = (round(card.size_mm[0] * PX_PER_MM), round(card.size_mm[1] * PX_PER_MM))
    return np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_AREA), np.uint8)


def on_dark(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a BGRA picture composited on a dark background, as BGR."""
    flat = picture[..., :3].copy()
    clear = picture[..., 3] < 255  # no more than the rounded corners of most cards
    alpha = picture[clear][:, 3:].astype(np.float32) / 255
    flat[clear] = picture[clear][:, :3] * alpha + _GROUND_LEVEL * (1 - alpha)
    return flat


def _card_features(card: EnrolledCard, view: NDArray[np.uint8]) -> Features:
    """Return the features of a card, positions in mm from its centre. view: its enrolled picture at PX_PER_MM."""
    small = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
    margin = 20
    # A medium grey margin, so that features near the card's edge are detected, as they are on the table.
    framed = cv2.copyMakeBorder(small, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=120)
    count = _FEATURES_PER_LARGE if math.prod(card.size_mm) > MIN_BOARD_MM2 else _FEATURES_PER_CARD
    found = detect_features(np.asarray(framed, np.uint8), count)
    centre = np.array([(small.shape[1] - 1) / 2 + margin, (small.shape[0] - 1) / 2 + margin])
    return Features((found.points - centre) / PX_PER_MM, found.angles, found.descriptors)
