"""Read personal boards from one picture: tokens by rank, spells, oracle cards and impurity of each."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.errors import ProfileError
from calibration.light.grey_picture_check import refuse_grey, saturation
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.seats import Seating
from calibration.translatable import say
from vision.boards.board_search import BoardScene, BoardSearch, DetectedBoard
from vision.boards.rectified import RectifiedBoard, rectify
from vision.boards.token_spots import read_spots
from vision.boards.unexplained_objects import find_unexplained
from vision.games.wicked import confirmation_reasons
from vision.games.wicked.cards_and_tiles_beside_boards import (
    BACK,
    ORACLES,
    BesideModels,
    ReadBeside,
    boards_lacking_cards,
    card_owners,
    read_beside,
)
from vision.games.wicked.readings import BoardExpectation, BoardReading, BoardsReading, SpaceReading, SpotReading
from vision.games.wicked.spell_spaces import SpaceReader
from vision.kind_colours import learn_kind

TOKENS = ("token:red", "token:green", "token:blue", "token:yellow")
"""Kinds of tokens on a board."""
_MAX_SIDE_PX = 2000
"""Maximum longer side of the examined picture, px; larger pictures are downscaled."""
_MAX_CONFIDENCE = 0.9995
"""Maximum confidence in a single spot or card."""
_MAX_DOUBTFUL_CONFIDENCE = 0.5
"""Maximum confidence in a board that needs any confirmation."""


@dataclass(frozen=True, slots=True)
class _OnBoard:
    """Readings of the spots and spaces on a board."""

    spots: tuple[SpotReading, ...]
    """Spots."""
    spaces: tuple[SpaceReading, ...]
    """Spaces."""
    doubts: list[str]
    """Why the board needs confirmation, one sentence for users each."""


class BoardReader:
    """Reader of personal boards, with the enrolled boards, pieces and deck of one profile."""

    def __init__(self, profile: TableProfile) -> None:
        """Build the models from a profile.

        Raises ProfileError for a profile without personal boards or without a token's colour.
        """
        self._search = BoardSearch(profile, ORACLES, (BACK,))
        lacking = [kind for kind in TOKENS if kind not in profile.pieces]
        if lacking:
            raise ProfileError(
                say(
                    "No samples of {kinds} are enrolled yet: run `companion enrol pieces` for each.",
                    kinds=", ".join(lacking),
                )
            )
        self._profile = profile
        self._saturation = None if profile.background is None else saturation(profile.background)
        self._models = {kind: learn_kind(profile.pieces[kind]) for kind in TOKENS}
        self._token_mm = float(np.median([profile.pieces[kind].size_mm[0] for kind in TOKENS]))
        self._spaces = SpaceReader(profile)
        self._beside = BesideModels(profile, self._models)

    def read(self, image: Image, expectation: BoardExpectation | None = None) -> BoardsReading:
        """Return all boards in a BGR picture of the table camera, or of a phone held above one or more boards.

        expectation: what should lie beside the boards, and where seats are; None: anything, as in the profile.
        Raises PictureError for a grey picture.
        """
        start = time.perf_counter()
        refuse_grey(image, self._saturation)
        expectation = expectation or BoardExpectation()
        plane = self._profile.plane
        shrink = min(1.0, _MAX_SIDE_PX / max(image.shape[:2]))
        if plane is not None and (image.shape[1], image.shape[0]) == plane.image_size:
            shrink = 1.0
        if shrink < 1.0:
            image = np.asarray(
                cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
            )
        seating = self._seating(expectation)
        seen = self._search.find(image)
        if seen.plane is not None and len(seen.boards) < (expectation.seats or 0):
            seen = self._search.search_missed_boards(image, seen)
        owners = card_owners(seen, seating)
        if lacking := boards_lacking_cards(self._beside, seen, owners, expectation):
            seen = self._search.search_near(image, seen, lacking)
            owners = card_owners(seen, seating)
        grow = 1 / shrink
        boards: list[BoardReading] = []
        for board in seen.boards:
            laid = rectify(image, board.board, board.aligned)
            beside = read_beside(self._beside, image, seen, board, laid, owners, expectation, grow)
            boards.append(
                self._board_reading(
                    seen, board, self._read_spots_and_spaces(board, laid, grow), beside, seating, grow
                )
            )
        boards = _with_shared_seats_marked(boards)
        boards.sort(key=lambda board: (board.seat is None, board.seat or 0, board.box[0]))
        milliseconds = 1000 * (time.perf_counter() - start)
        return BoardsReading(tuple(boards), _problems(boards, seen, expectation), milliseconds)

    def _read_spots_and_spaces(self, board: DetectedBoard, laid: RectifiedBoard, grow: float) -> _OnBoard:
        """Return the readings of a board's token spots and spell spaces, and reasons for confirmation.

        laid: the board, rectified. grow: px of the given picture per px of the examined one.
        """
        spots = read_spots(laid, self._models, self._token_mm)
        things = find_unexplained(laid, spots, self._token_mm)
        readings = confirmation_reasons.spot_readings(spots, laid, board.aligned, things, grow)
        spaces = self._spaces.read(laid, board.aligned, grow)
        return _OnBoard(readings, spaces, confirmation_reasons.object_reasons(things, laid))

    def _board_reading(
        self,
        seen: BoardScene,
        board: DetectedBoard,
        on: _OnBoard,
        beside: ReadBeside,
        seating: Seating,
        grow: float,
    ) -> BoardReading:
        """Return the reading of a board, from the readings on and beside it, with the reasons for confirmation."""
        reasons = confirmation_reasons.position_reasons(
            board, [other for other in seen.boards if other is not board]
        )
        reasons += on.doubts
        whole = tuple(reasons)
        open_spots = [spot for spot in on.spots if spot.reason]
        if open_spots and not reasons:
            reasons.append(open_spots[0].question)
        reasons += [space.question for space in on.spaces if space.reason]
        great, small, impurity, more = beside
        reasons += more
        confidences = [spot.confidence for spot in on.spots] + [space.confidence for space in on.spaces]
        confidences += [card.confidence for card in great] + [small.confidence, impurity.confidence]
        confidence = math.prod(min(one, _MAX_CONFIDENCE) for one in confidences) * min(1.0, board.alike + 0.001)
        corners = [(float(x) * grow, float(y) * grow) for x, y in board.corners]
        return BoardReading(
            board.board.id,
            _seat(seen, board, seating),
            on.spots,
            on.spaces,
            great,
            small,
            impurity,
            min(confidence, _MAX_DOUBTFUL_CONFIDENCE) if reasons else confidence,
            confirmation_reasons.bounding_box(board.board.layout.corners, board.aligned, grow),
            (corners[0], corners[1], corners[2], corners[3]),
            tuple(reasons),
            whole,
        )

    def _seating(self, expectation: BoardExpectation) -> Seating:
        """Return the seats' positions: the expected ones, or the profile's for the expected number of players."""
        return expectation.seating or self._profile.seating(expectation.players)


def _seat(seen: BoardScene, board: DetectedBoard, seating: Seating) -> int | None:
    """Return the seat in whose sector of the table a board lies.

    None in a phone's picture, and beyond the table's horizon.
    """
    if seen.plane is None:
        return None
    middle = seen.plane.to_table(board.corners.mean(axis=0), 0.0)
    return seating.seat_of(middle) if np.isfinite(middle).all() else None


def _with_shared_seats_marked(boards: Sequence[BoardReading]) -> list[BoardReading]:
    """Return the boards, marked for confirmation where another board lies in the same seat's sector."""
    seats = Counter(board.seat for board in boards if board.seat is not None)
    return [
        _marked(board, say("Two boards lie at seat {seat}: lay each before its player.", seat=board.seat))
        if board.seat is not None and seats[board.seat] > 1
        else board
        for board in boards
    ]


def _marked(board: BoardReading, reason: str) -> BoardReading:
    """Return a board's reading with one more reason for confirmation, and a low confidence."""
    return replace(
        board,
        reasons=(*board.reasons, reason),
        whole=(*board.whole, reason),
        confidence=min(board.confidence, _MAX_DOUBTFUL_CONFIDENCE),
    )


def _problems(boards: Sequence[BoardReading], seen: BoardScene, expectation: BoardExpectation) -> tuple[str, ...]:
    """Return the messages for users about a picture without boards, or with fewer than expected."""
    if not boards:
        return (
            say(
                "No enrolled board was found: take a sharp picture of the whole board from above, or enrol this "
                "board."
            ),
        )
    if seen.plane is not None and expectation.seats is not None and len(boards) < expectation.seats:
        return (
            say(
                "{found} of {seats} boards were found: the others are hidden, out of the picture or not enrolled.",
                found=len(boards),
                seats=expectation.seats,
            ),
        )
    return ()


def mark_repeated_boards(reading: BoardsReading, known: Mapping[str, str]) -> BoardsReading:
    """Return the reading, with those boards marked for confirmation that an earlier picture already showed.

    known: by name of such a board, the name of the earlier picture.
    """
    return replace(
        reading,
        boards=tuple(
            _marked(
                board,
                say(
                    "This is the board {board} of {picture} again: each board counts once.",
                    board=board.board,
                    picture=known[board.board],
                ),
            )
            if board.board in known
            else board
            for board in reading.boards
        ),
    )
