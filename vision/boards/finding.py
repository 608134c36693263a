"""Where boards and the cards beside them lie in a picture: of the table's own camera, or of a phone held above."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import board_alignment
from calibration.board_alignment import AlignedBoard, align, outline, scale_of
from calibration.board_features import BoardFinder, Matrix, plausible
from calibration.deck import EnrolledCard, EnrolledDeck, as_reference
from calibration.errors import ProfileError
from calibration.personal_boards import EnrolledBoard
from calibration.plane import Image, Region, TablePlane
from calibration.profile import TableProfile
from vision.boards import laid, whose
from vision.card_index import MAX_SIMILARITY, PX_PER_MM, look_of
from vision.cards import CardReader, Lying, Searched

BACK = "back:small"
"""The name of a small oracle card's back in an enrolled deck."""
_BOARD = "personal:"
_FEATURES_OF_BACKS, _FEATURES_AGAIN = 36, 36
_REACH_MM = 420.0
"""So far from a board's middle a phone's picture is laid straight, to look for cards and further boards."""
_CLOSER_MM = 340.0
"""So far from a board's middle its cards are looked for again."""
_SAME = 0.35
"""Boards that share so much of the smaller one's area are one board that was found twice."""
_SIZE_OFF = 0.2
"""How much larger or smaller (log) than it is a board's side may be seen; 0.074 was the most of 300 on tables."""
_BOARDS_AT_MM = 450.0
"""About so far from the table's middle boards lie before their players."""
_SHARP = 1.6


@dataclass(frozen=True, eq=False)
class SeenBoard:
    """A board that lies there. alike: how surely it is this enrolled one and no other, 0..1."""

    board: EnrolledBoard
    aligned: AlignedBoard
    alike: float

    @property
    def corners(self) -> NDArray[np.float64]:
        """Its corners in px, (4, 2): clockwise from its own upper left."""
        return outline(self.aligned.homography, self.board.layout)


@dataclass(frozen=True, eq=False)
class SeenCard:
    """A card beside boards: its name in the deck, corners in px clockwise from its own upper left, how sure."""

    id: str
    corners: NDArray[np.float64]
    confidence: float


@dataclass(frozen=True, eq=False)
class Seen:
    """All boards and cards of a picture. plane: the table's, where its own camera took the picture."""

    boards: tuple[SeenBoard, ...]
    cards: tuple[SeenCard, ...]
    plane: TablePlane | None


class BoardSearch:
    """Looks for one profile's boards, and for the oracle cards of its deck."""

    def __init__(self, profile: TableProfile) -> None:
        """Prepare. Raises ProfileError for a profile that knows no personal board."""
        if not profile.personal_boards:
            raise ProfileError("No personal board is enrolled yet: run `companion enrol board` first.")
        self._profile = profile
        self._boards = tuple(profile.personal_boards.values())
        flat = TablePlane.flat(PX_PER_MM)
        plain = replace(profile, plane=profile.plane or flat)
        deck, backs = _decks_of(profile)
        self._readers = [CardReader(replace(plain, deck=deck))]
        if backs.cards:
            self._readers.append(CardReader(replace(plain, deck=backs), _FEATURES_OF_BACKS))
        whose.prepare(self._boards)
        scales = seen_at(profile)
        for board in self._boards:
            _prepare(board, scales)

    def find(self, image: Image) -> Seen:
        """Find all boards of a BGR picture; a picture in which the table's plane fails is taken for a phone's."""
        plane = self._profile.plane
        if plane is not None and (plane.flat_px_per_mm is not None or _size(image) == plane.image_size):
            plane = plane.fitting(image)
            seen = self._on_plane(image, plane, None, None)
            if seen.boards:
                return replace(seen, plane=plane)
        return self._by_hand(image)

    def again(self, image: Image, seen: Seen, near: Sequence[SeenBoard]) -> Seen:
        """Look more closely for cards near some boards of a picture by the table's own camera."""
        plane = seen.plane
        if plane is None:
            return seen
        cards = list(seen.cards)
        for board in near:
            region = _round(plane, board)
            searched = Searched.of(image, plane, region, _FEATURES_AGAIN, evened=True)
            for thing in self._lying(searched, _FEATURES_AGAIN):
                if thing.id.startswith(_BOARD):
                    continue
                corners = np.asarray(thing.corners, np.float64)
                known = thing.id != BACK and any(card.id == thing.id for card in cards)
                things = [*(card.corners for card in cards), *(other.corners for other in seen.boards)]
                if not known and not any(shared_area(corners, other) > _SAME for other in things):
                    cards.append(SeenCard(thing.id, corners, thing.confidence))
        return replace(seen, cards=tuple(cards))

    def boards_again(self, image: Image, seen: Seen) -> Seen:
        """Look more closely for boards in a picture by the table's own camera: some lie there in dim light."""
        plane = seen.plane
        if plane is None:
            return seen
        searched = Searched.of(image, plane, plane.region(), _FEATURES_AGAIN, evened=True)
        things = self._readers[0].lying(searched, _FEATURES_AGAIN)
        guesses = [
            (self._enrolled(thing.id), np.asarray(thing.corners, np.float64))
            for thing in things
            if thing.id.startswith(_BOARD)
        ]
        return replace(seen, boards=self._together(image, guesses, seen.boards, plane))

    def _lying(self, searched: Searched, features_per_dm2: int | None = None) -> list[Lying]:
        """Name boards and cards, then backs of cards beside them."""
        found: list[Lying] = []
        for reader in self._readers:
            found += reader.lying(searched.beside(found), features_per_dm2)
        return found

    def _enrolled(self, name: str) -> EnrolledBoard:
        return self._profile.personal_boards[name.removeprefix(_BOARD)]

    def _by_hand(self, image: Image) -> Seen:
        found = self._finder.find(image, quickly=True)
        if found is None:
            return Seen((), (), None)
        board = self._aligned(image, _grey(image), self._boards[found.board], found.homography)
        if board is None:
            return Seen((), (), None)
        flat, to_picture = _flat(image, board)
        plane = TablePlane.flat(PX_PER_MM, _size(flat))
        return self._on_plane(flat, plane, image, to_picture, (board,))

    def _on_plane(
        self, view: Image, plane: TablePlane, picture: Image | None, to_picture: Matrix | None,
        known: Sequence[SeenBoard] = (),
    ) -> Seen:  # fmt: skip
        """Find what lies in a view of a plane, and where that is in the picture the view was made from."""
        image = view if picture is None else picture
        cards: list[SeenCard] = []
        most = max(reader.features_per_dm2 for reader in self._readers)
        searched = Searched.of(view, plane, plane.region(), most)
        guesses: list[tuple[EnrolledBoard, NDArray[np.float64]]] = []
        for thing in self._lying(searched):
            corners = np.asarray(thing.corners, np.float64)
            if to_picture is not None:
                corners = cv2.perspectiveTransform(corners[None], to_picture)[0]
            if thing.id.startswith(_BOARD):
                guesses.append((self._enrolled(thing.id), corners))
            else:
                cards.append(SeenCard(thing.id, corners, thing.confidence))
        return Seen(self._together(image, guesses, known, plane if picture is None else None), tuple(cards), None)

    def _together(
        self,
        image: Image,
        guesses: Sequence[tuple[EnrolledBoard, NDArray[np.float64]]],
        known: Sequence[SeenBoard],
        plane: TablePlane | None,
    ) -> tuple[SeenBoard, ...]:
        """Align the boards that may lie at some corners in a picture; give those that are there, each once, with
        those that are known. plane: on which they must lie, if the picture shows it."""
        boards, grey = list(known), _grey(image)
        for board, corners in guesses:
            if _among(corners, boards):
                continue
            fresh = self._aligned(image, grey, board, _homography(board, corners))
            if fresh is None or _among(fresh.corners, boards):
                continue
            if plane is None or _has_its_size(fresh, plane):
                boards.append(fresh)
        return tuple(boards)

    def _aligned(self, image: Image, grey: Image, board: EnrolledBoard, homography: Matrix) -> SeenBoard | None:
        if not plausible(homography, board):
            return None
        # What was found stands for all boards like it: the likest one's own print is found again best.
        likest, _ = whose.whose(image, homography, board, self._boards)
        aligned = align(grey, likest, homography)
        if aligned is None:
            return None
        now, alike = whose.whose(image, aligned.homography, likest, self._boards)
        if now is not likest:
            again = align(grey, now, aligned.homography)
            aligned = again if again is not None else aligned
        return SeenBoard(now, aligned, alike)

    @cached_property
    def _finder(self) -> BoardFinder:
        return BoardFinder.of(self._boards)


def _decks_of(profile: TableProfile) -> tuple[EnrolledDeck, EnrolledDeck]:
    """Give what is looked for: boards and oracle cards; and, apart, backs of cards, which are fainter."""
    known = {} if profile.deck is None else profile.deck.cards
    cards = [card for card in known.values() if card.kind in ("great", "small")]
    backs = [card for card in known.values() if card.id == BACK]
    boards = _unlike(tuple(profile.personal_boards.values()))
    return (
        EnrolledDeck("beside boards", {card.id: card for card in [*cards, *boards]}),
        EnrolledDeck("face down", {card.id: card for card in backs}),
    )


def _unlike(boards: Sequence[EnrolledBoard]) -> tuple[EnrolledCard, ...]:
    """Give boards as cards to look for; of those with one layout that look alike the first, which finds all."""
    cards = tuple(
        EnrolledCard(f"{_BOARD}{board.id}", "tile", as_reference(board.picture, board.layout.size_mm))
        for board in boards
    )
    looks = np.stack([look_of(card) for card in cards])
    alike = looks @ looks.T > MAX_SIMILARITY
    chosen: list[int] = []
    for number, board in enumerate(boards):
        if not any(alike[number, other] and boards[other].layout == board.layout for other in chosen):
            chosen.append(number)
    return tuple(cards[number] for number in chosen)


def seen_at(profile: TableProfile) -> set[float]:
    """Tell at which scales, px/mm, the table's own camera will see boards; none where there is no such camera."""
    if profile.plane is None or profile.plane.flat_px_per_mm is not None:
        return set()
    seating = profile.seating()
    before = [np.multiply(_BOARDS_AT_MM, seating.direction(seat)) for seat in range(len(seating))]
    scales = profile.plane.px_per_mm_at(np.array(before))
    return {round(float(scale), 1) for scale in scales[np.isfinite(scales)]}


def _prepare(board: EnrolledBoard, scales: Iterable[float]) -> None:
    """Learn now what else the first picture of a board would wait for."""
    for scale in scales:
        board_alignment.prepare(board, scale)
        laid.prepare(board, scale)


def _round(plane: TablePlane, board: SeenBoard) -> Region:
    """Give the part of the table round a board in which its cards may lie."""
    (x, y), all_seen = plane.to_table(board.corners.mean(axis=0)), plane.region()
    return Region(
        max(all_seen.left, float(x) - _CLOSER_MM),
        max(all_seen.bottom, float(y) - _CLOSER_MM),
        min(all_seen.right, float(x) + _CLOSER_MM),
        min(all_seen.top, float(y) + _CLOSER_MM),
    )


def _grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _size(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


def _homography(board: EnrolledBoard, corners: NDArray[np.float64]) -> Matrix:
    four = board.layout.corners.astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(four, corners.astype(np.float32)), np.float64)


def _flat(image: Image, board: SeenBoard) -> tuple[Image, Matrix]:
    """Lay a phone's picture straight by the board in it: a top view at PX_PER_MM, and the way back from it."""
    homography = board.aligned.homography
    back = np.linalg.inv(homography)
    width, height = _size(image)
    grid = np.stack(np.meshgrid(np.linspace(0, width - 1, 20), np.linspace(0, height - 1, 12)), -1).reshape(-1, 2)
    points = np.c_[grid, np.ones(len(grid))] @ back.T
    middle = np.linalg.inv(homography) @ (homography @ (0.0, 0.0, 1.0))
    ahead = points[:, 2] * math.copysign(1.0, middle[2]) > 1e-9  # what lies beyond the horizon is no table
    points = np.clip(points[ahead, :2] / points[ahead, 2:], -_REACH_MM, _REACH_MM)
    (left, bottom), (right, top) = points.min(axis=0), points.max(axis=0)
    region = Region(float(left), float(bottom), float(right), float(top))
    step = 1 / PX_PER_MM
    to_mm = np.array([[step, 0, region.left], [0, -step, region.top], [0, 0, 1]])
    scale = scale_of(homography, board.board.layout)
    soft = image
    if scale > _SHARP * PX_PER_MM:
        soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.35 * scale / PX_PER_MM), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    to_picture = np.asarray(homography @ to_mm, np.float64)
    flat = cv2.warpPerspective(soft, to_picture, region.size(PX_PER_MM), flags=flags)
    return np.asarray(flat, np.uint8), to_picture


def _has_its_size(board: SeenBoard, plane: TablePlane) -> bool:
    """Tell whether a board is about as large on the table as it is.

    A phone's picture of the size of the table camera's shows boards, too, but where and how large none can lie.
    """
    corners = plane.to_table(board.corners)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.abs(np.log(sides / np.tile(board.board.layout.size_mm, 2)))
    return bool((off < _SIZE_OFF).all())


def _among(corners: NDArray[np.float64], boards: Sequence[SeenBoard]) -> bool:
    """Tell whether one of some boards lies at these corners."""
    return any(shared_area(corners, board.corners) > _SAME for board in boards)


def shared_area(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Give the share of the smaller quadrilateral that both have."""
    first, second = one.astype(np.float32), other.astype(np.float32)
    area, _ = cv2.intersectConvexConvex(first, second)
    return float(area / max(1e-6, min(cv2.contourArea(first), cv2.contourArea(second))))
