"""Detect boards and the cards beside them, in pictures of the table camera or of a phone held above."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards import alignment as board_alignment
from calibration.boards.alignment import AlignedBoard, align, outline, scale_of
from calibration.boards.detection import BoardFinder, Matrix, plausible
from calibration.boards.enrolled_board import EnrolledBoard
from calibration.cards.deck import EnrolledCard, EnrolledDeck, as_reference
from calibration.errors import ProfileError
from calibration.plane import Image, Region, TablePlane
from calibration.profile import TableProfile
from vision.boards import identification, rectified
from vision.cards.reader import CardReader, FoundCard, PreparedRegion
from vision.cards.search_index import MAX_SIMILARITY, PX_PER_MM, normalised_picture_of

_BOARD = "personal:"
"""Prefix of a board's id in the search index, which holds boards and cards alike."""
_BACK_FEATURES = 36
"""Number of local features per dm² for backs of cards, whose print is faint."""
_RETRY_FEATURES = 36
"""Number of local features per dm² in a second search."""
_REACH_MM = 420.0
"""Distance from a board's centre to which a phone's picture is rectified, mm."""
_RETRY_MM = 340.0
"""Distance from a board's centre to which the second search for its cards extends, mm."""
_MIN_SAME_OVERLAP = 0.35
"""Minimum overlap (share of the smaller one) of two detections of one board."""
_MAX_SIZE_LOG = 0.2
"""Maximum log ratio of a board's measured and true side; the largest of 300 on tables was 0.074."""
_BOARD_DISTANCE_MM = 450.0
"""Typical distance of boards from the table's centre, mm."""
_MIN_SHARP_RATIO = 1.6
"""Ratio of the picture's scale to the rectified one from which it is blurred first, against aliasing."""


@dataclass(frozen=True, eq=False)
class DetectedBoard:
    """A detected board."""

    board: EnrolledBoard
    """The enrolled board."""
    aligned: AlignedBoard
    """Its alignment in the picture."""
    alike: float
    """Probability that it is this enrolled board and no other, 0..1."""

    @property
    def corners(self) -> NDArray[np.float64]:
        """Corners in px, (4, 2): clockwise from the board's own top left."""
        return outline(self.aligned.homography, self.board.layout)


@dataclass(frozen=True, eq=False)
class DetectedCard:
    """A detected card beside boards."""

    id: str
    """Name in the deck."""
    corners: NDArray[np.float64]
    """Corners in px, (4, 2), clockwise from the card's own top left."""
    confidence: float
    """Probability that it is this card, 0..1."""


@dataclass(frozen=True, eq=False)
class BoardScene:
    """All boards and cards detected in a picture."""

    boards: tuple[DetectedBoard, ...]
    """Boards."""
    cards: tuple[DetectedCard, ...]
    """Cards."""
    plane: TablePlane | None
    """Table plane of the picture; None for a phone's picture."""


class BoardSearch:
    """Detector of one profile's boards, and of the cards of its deck that lie beside them."""

    def __init__(self, profile: TableProfile, sorts: Collection[str], backs: Collection[str]) -> None:
        """Build the search index.

        sorts: sorts of cards (`EnrolledCard.kind`) that lie beside boards. backs: ids of card backs that may lie
        there, each any number of times. Raises ProfileError for a profile without personal boards.
        """
        if not profile.personal_boards:
            raise ProfileError("No personal board is enrolled yet: run `companion enrol board` first.")
        self._profile = profile
        self._boards = tuple(profile.personal_boards.values())
        flat = TablePlane.flat(PX_PER_MM)
        plain = replace(profile, plane=profile.plane or flat)
        self._backs = frozenset(backs)
        deck, faint = _searched_decks(profile, sorts, backs)
        self._readers = [CardReader(replace(plain, deck=deck))]
        if faint.cards:
            self._readers.append(CardReader(replace(plain, deck=faint), _BACK_FEATURES))
        identification.cache_differences(self._boards)
        scales = board_scales(profile)
        for board in self._boards:
            _prepare(board, scales)

    def find(self, image: Image) -> BoardScene:
        """Return all boards of a BGR picture, and the cards around them.

        A picture in which the table camera's plane shows no board is treated as taken by a phone.
        """
        plane = self._profile.plane
        if plane is not None and (plane.flat_px_per_mm is not None or _size(image) == plane.image_size):
            plane = plane.fitting(image)
            seen = self._on_plane(image, plane, None, None)
            if seen.boards:
                return replace(seen, plane=plane)
        return self._find_in_phone_picture(image)

    def search_near(self, image: Image, seen: BoardScene, boards: Sequence[DetectedBoard]) -> BoardScene:
        """Return the scene with the cards added that a finer search around these boards detects.

        seen: what `find` returned for the picture; that of a phone's picture is returned unchanged.
        """
        plane = seen.plane
        if plane is None:
            return seen
        cards = list(seen.cards)
        for board in boards:
            region = _surroundings(plane, board)
            searched = PreparedRegion.of(image, plane, region, _RETRY_FEATURES, equalised=True)
            for thing in self._find_things(searched, _RETRY_FEATURES):
                if thing.id.startswith(_BOARD):
                    continue
                corners = np.asarray(thing.corners, np.float64)
                known = thing.id not in self._backs and any(card.id == thing.id for card in cards)
                things = [*(card.corners for card in cards), *(other.corners for other in seen.boards)]
                if not known and not any(quad_overlap(corners, other) > _MIN_SAME_OVERLAP for other in things):
                    cards.append(DetectedCard(thing.id, corners, thing.confidence))
        return replace(seen, cards=tuple(cards))

    def search_missed_boards(self, image: Image, seen: BoardScene) -> BoardScene:
        """Return the scene with the boards added that a finer search with equalised contrast detects.

        seen: what `find` returned for the picture; that of a phone's picture is returned unchanged.
        """
        plane = seen.plane
        if plane is None:
            return seen
        searched = PreparedRegion.of(image, plane, plane.region(), _RETRY_FEATURES, equalised=True)
        things = self._readers[0].find_cards(searched, _RETRY_FEATURES)
        guesses = [
            (self._enrolled(thing.id), np.asarray(thing.corners, np.float64))
            for thing in things
            if thing.id.startswith(_BOARD)
        ]
        return replace(seen, boards=self._with_guessed(image, guesses, seen.boards, plane))

    def _find_things(self, searched: PreparedRegion, features_per_dm2: int | None = None) -> list[FoundCard]:
        """Return the boards and cards detected in a prepared picture, then the backs of cards."""
        found: list[FoundCard] = []
        for reader in self._readers:
            found += reader.find_cards(searched.excluding(found), features_per_dm2)
        return found

    def _enrolled(self, name: str) -> EnrolledBoard:
        """Return the enrolled board with this id in the search index."""
        return self._profile.personal_boards[name.removeprefix(_BOARD)]

    def _find_in_phone_picture(self, image: Image) -> BoardScene:
        """Return one board of a picture without a known plane, and the boards and cards on that board's plane."""
        found = self._finder.find(image, quickly=True)
        if found is None:
            return BoardScene((), (), None)
        board = self._align_and_identify(image, _grey(image), self._boards[found.board], found.homography)
        if board is None:
            return BoardScene((), (), None)
        flat, to_picture = _rectified_table(image, board)
        plane = TablePlane.flat(PX_PER_MM, _size(flat))
        return self._on_plane(flat, plane, image, to_picture, (board,))

    def _on_plane(
        self,
        view: Image,
        plane: TablePlane,
        picture: Image | None,
        to_picture: Matrix | None,
        known: Sequence[DetectedBoard] = (),
    ) -> BoardScene:
        """Return the boards and cards in a view of the table plane, in px of the picture.

        view: the table camera's picture, or a phone's picture rectified to `plane`. picture, to_picture: that
        phone's picture and the homography from view to picture; None for the table camera. known: boards already
        detected.
        """
        image = view if picture is None else picture
        cards: list[DetectedCard] = []
        most = max(reader.features_per_dm2 for reader in self._readers)
        searched = PreparedRegion.of(view, plane, plane.region(), most)
        guesses: list[tuple[EnrolledBoard, NDArray[np.float64]]] = []
        for thing in self._find_things(searched):
            corners = np.asarray(thing.corners, np.float64)
            if to_picture is not None:
                corners = cv2.perspectiveTransform(corners[None], to_picture)[0]
            if thing.id.startswith(_BOARD):
                guesses.append((self._enrolled(thing.id), corners))
            else:
                cards.append(DetectedCard(thing.id, corners, thing.confidence))
        return BoardScene(
            self._with_guessed(image, guesses, known, plane if picture is None else None), tuple(cards), None
        )

    def _with_guessed(
        self,
        image: Image,
        guesses: Sequence[tuple[EnrolledBoard, NDArray[np.float64]]],
        known: Sequence[DetectedBoard],
        plane: TablePlane | None,
    ) -> tuple[DetectedBoard, ...]:
        """Return the known boards, and the guessed ones where the print confirms them, each board once.

        guesses: boards and their approximate corners in px, (4, 2). plane: the table plane, on which a guessed
        board must have its true size; None if unknown.
        """
        boards, grey = list(known), _grey(image)
        for board, corners in guesses:
            if _is_covered(corners, boards):
                continue
            fresh = self._align_and_identify(image, grey, board, _homography(board, corners))
            if fresh is None or _is_covered(fresh.corners, boards):
                continue
            if plane is None or _has_true_size(fresh, plane):
                boards.append(fresh)
        return tuple(boards)

    def _align_and_identify(
        self, image: Image, grey: Image, board: EnrolledBoard, homography: Matrix
    ) -> DetectedBoard | None:
        """Return the board at an approximate place, aligned and identified by its print; None if it does not match.

        board: any enrolled board with its layout. homography: approximate, from board mm to px.
        """
        if not plausible(homography, board):
            return None
        # One detection represents all similar boards: the alignment is best with the print of the most similar one.
        nearest, _ = identification.identify(image, homography, board, self._boards)
        aligned = align(grey, nearest, homography)
        if aligned is None:
            return None
        now, alike = identification.identify(image, aligned.homography, nearest, self._boards)
        if now is not nearest:
            again = align(grey, now, aligned.homography)
            aligned = again if again is not None else aligned
        return DetectedBoard(now, aligned, alike)

    @cached_property
    def _finder(self) -> BoardFinder:
        return BoardFinder.of(self._boards)


def _searched_decks(
    profile: TableProfile, sorts: Collection[str], backs: Collection[str]
) -> tuple[EnrolledDeck, EnrolledDeck]:
    """Return two decks to search one after the other: boards and the cards beside them; backs, with faint print.

    sorts, backs: see `BoardSearch`.
    """
    known = {} if profile.deck is None else profile.deck.cards
    cards = [card for card in known.values() if card.kind in sorts]
    faint = [card for card in known.values() if card.id in backs]
    boards = _as_cards(tuple(profile.personal_boards.values()))
    return (
        EnrolledDeck("beside boards", {card.id: card for card in [*cards, *boards]}),
        EnrolledDeck("face down", {card.id: card for card in faint}),
    )


def _as_cards(boards: Sequence[EnrolledBoard]) -> tuple[EnrolledCard, ...]:
    """Return boards in the form of cards, for the search index.

    Only the first of several boards with the same layout and similar print is returned; it detects all of them.
    """
    cards = tuple(
        EnrolledCard(f"{_BOARD}{board.id}", "tile", as_reference(board.picture, board.layout.size_mm))
        for board in boards
    )
    appearances = np.stack([normalised_picture_of(card) for card in cards])
    alike = appearances @ appearances.T > MAX_SIMILARITY
    chosen: list[int] = []
    for number, board in enumerate(boards):
        if not any(alike[number, other] and boards[other].layout == board.layout for other in chosen):
            chosen.append(number)
    return tuple(cards[number] for number in chosen)


def board_scales(profile: TableProfile) -> set[float]:
    """Return the scales (px/mm) at which the table camera shows boards, of all seats; empty without calibration."""
    if profile.plane is None or profile.plane.flat_px_per_mm is not None:
        return set()
    seating = profile.seating()
    before = [np.multiply(_BOARD_DISTANCE_MM, seating.direction(seat)) for seat in range(len(seating))]
    scales = profile.plane.px_per_mm_at(np.array(before))
    return {round(float(scale), 1) for scale in scales[np.isfinite(scales)]}


def _prepare(board: EnrolledBoard, scales: Iterable[float]) -> None:
    """Fill the caches of a board at these scales (px/mm), so that its first picture is read without delay."""
    for scale in scales:
        board_alignment.prepare(board, scale)
        rectified.cache_colours(board, scale)


def _surroundings(plane: TablePlane, board: DetectedBoard) -> Region:
    """Return the part of the table around a board in which its cards may lie, mm."""
    (x, y), all_seen = plane.to_table(board.corners.mean(axis=0)), plane.region()
    return Region(
        max(all_seen.left, float(x) - _RETRY_MM),
        max(all_seen.bottom, float(y) - _RETRY_MM),
        min(all_seen.right, float(x) + _RETRY_MM),
        min(all_seen.top, float(y) + _RETRY_MM),
    )


def _grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _size(image: Image) -> tuple[int, int]:
    """Return a picture's width and height, px."""
    return image.shape[1], image.shape[0]


def _homography(board: EnrolledBoard, corners: NDArray[np.float64]) -> Matrix:
    """Return the homography from board mm to px, from the board's corners in px, (4, 2)."""
    four = board.layout.corners.astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(four, corners.astype(np.float32)), np.float64)


def _rectified_table(image: Image, board: DetectedBoard) -> tuple[Image, Matrix]:
    """Return the table around a board, rectified to PX_PER_MM, and the homography from there to the picture."""
    homography = board.aligned.homography
    back = np.linalg.inv(homography)
    width, height = _size(image)
    grid = np.stack(np.meshgrid(np.linspace(0, width - 1, 20), np.linspace(0, height - 1, 12)), -1).reshape(-1, 2)
    points = np.c_[grid, np.ones(len(grid))] @ back.T
    middle = np.linalg.inv(homography) @ (homography @ (0.0, 0.0, 1.0))
    ahead = points[:, 2] * math.copysign(1.0, middle[2]) > 1e-9  # beyond the horizon there is no table
    points = np.clip(points[ahead, :2] / points[ahead, 2:], -_REACH_MM, _REACH_MM)
    (left, bottom), (right, top) = points.min(axis=0), points.max(axis=0)
    region = Region(float(left), float(bottom), float(right), float(top))
    step = 1 / PX_PER_MM
    to_mm = np.array([[step, 0, region.left], [0, -step, region.top], [0, 0, 1]])
    scale = scale_of(homography, board.board.layout)
    soft = image
    if scale > _MIN_SHARP_RATIO * PX_PER_MM:
        soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.35 * scale / PX_PER_MM), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    to_picture = np.asarray(homography @ to_mm, np.float64)
    flat = cv2.warpPerspective(soft, to_picture, region.size(PX_PER_MM), flags=flags)
    return np.asarray(flat, np.uint8), to_picture


def _has_true_size(board: DetectedBoard, plane: TablePlane) -> bool:
    """Return whether a board has about its true size on the table.

    It has not if a phone's picture, having the table camera's size in px, is taken for one of the table camera.
    """
    corners = plane.to_table(board.corners)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.abs(np.log(sides / np.tile(board.board.layout.size_mm, 2)))
    return bool((off < _MAX_SIZE_LOG).all())


def _is_covered(corners: NDArray[np.float64], boards: Sequence[DetectedBoard]) -> bool:
    """Return whether one of these boards lies at a quadrilateral, (4, 2) in px."""
    return any(quad_overlap(corners, board.corners) > _MIN_SAME_OVERLAP for board in boards)


def quad_overlap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the overlap of two quadrilaterals, each (4, 2), as a share of the smaller one's area."""
    first, second = one.astype(np.float32), other.astype(np.float32)
    area, _ = cv2.intersectConvexConvex(first, second)
    return float(area / max(1e-6, min(cv2.contourArea(first), cv2.contourArea(second))))
