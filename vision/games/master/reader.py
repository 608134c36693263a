"""Reader of the maze from one picture: board, loose tiles, spare, discs and wizards."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import map_points
from calibration.pieces.samples import PieceSamples
from calibration.translatable import say
from vision.cameras.frame import Image
from vision.games.master.confidence_calibration import MIN_CONFIDENCE, SPARE_TEMPERATURE, calibrated
from vision.games.master.field.location.board_location import LocatedBoard, locate
from vision.games.master.field.rectification import (
    KNOWN,
    OPEN,
    SQUARE,
    Corners,
    to_picture,
)
from vision.games.master.field.spare.spare_tile import Spare, read_spare
from vision.games.master.field.tiles.face_down_or_foreign_tiles import foreign_tiles
from vision.games.master.field.tiles.open_sides import SideEvidence, SideReader
from vision.games.master.field.tiles.shape_posterior import OPENINGS, contradicted, likelihoods, posterior
from vision.games.master.field.tiles.side_network import SIDES_WEIGHTS, SideNetwork
from vision.games.master.objects.board_objects import BoardObjects, read_board_objects
from vision.games.master.objects.board_orientation import turned_openings, turned_place, turned_wizard
from vision.games.master.readings import (
    FIXED,
    SIZE,
    MazeReading,
    MazeState,
    TileReading,
    TokenReading,
    WizardReading,
)
from vision.readings import Box, Point

_MAX_COVERED: Final = 0.5
"""Probability above which a tile counts as covered."""
_MIN_SURELY_COVERED: Final = 0.95
"""Probability above which a tile counts as covered although its sides are clear."""
_MIN_CLEAR: Final = 2.0
"""Logit below which a fixed tile's side is unclear."""
_MIN_WHOLE_FRACTION: Final = 0.95
"""Fraction of a tile inside the picture above which the edge cuts nothing off."""
_MIN_VISIBLE: Final = 0.3
"""A tile of which less is inside the picture counts as covered."""
_MIN_HALF_PUSHED: Final = -3.0
"""Mean logit above which a row or column counts as half pushed in: in place it has -7, half pushed -1 to 3."""
_TILE_CORNERS: Final = np.array([divmod(place, SIZE)[::-1] for place in range(SIZE**2)])[:, None] + SQUARE
"""Corners of the 49 tiles, in tiles; shape (49, 4, 2)."""


_LINES: Final = np.array([1, 3, 5, SIZE + 1, SIZE + 3, SIZE + 5])
"""Rows (0..6), then columns (7..13), that can be pushed."""
_PLACES_OF_LINES: Final = np.concatenate(
    [np.arange(SIZE**2).reshape(SIZE, SIZE), np.arange(SIZE**2).reshape(SIZE, SIZE).T]
)
"""Places of each row, then of each column, shape (14, 7)."""
_GLARE, _MIN_DAZZLED = 235, 0.25
"""Darkest channel of a pixel in glare, and least fraction of covered tiles that glare has to fill."""
_MIN_WHITE_LINE: Final = 0.6
"""Fraction of a row or column in glare from which it does not count as half pushed in; open paths fill less."""
_MIN_WIZARD: Final = 0.6
"""Confidence above which a wizard hides what lies behind it."""
_MIN_SPARE, _MIN_LIKELY_SPARE = 0.7, 0.5
"""Certainty below which the spare needs confirmation, and below which no token is read on it."""
_HIDDEN_WEIGHT: Final = 0.2
"""Factor on the logits of a side that a wizard hides; fitted on pictures of looks not held out."""
_NEAR_SIDES: Final = np.array(
    [
        [
            [(place % SIZE + 0.5 + x * reach, place // SIZE + 0.5 + y * reach) for reach in (0.3, 0.38, 0.46)]
            for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0))
        ]
        for place in range(SIZE**2)
    ]
)
"""Points just inside the middle of each tile's sides, in tiles; shape (49, 4, 3, 2)."""


@dataclass(frozen=True, slots=True)
class _LooseTiles:
    """Openings of the loose tiles and the spare."""

    logits: NDArray[np.float64]
    """Calibrated logits that each side is open, of all tiles, shape (49, 4)."""
    probabilities: NDArray[np.float64]
    """Probability of each of the openings, of the 33 on the board, then of the spare, shape (34, 10)."""
    whole: float
    """Probability that all of them are right."""
    unclear: NDArray[np.bool_]
    """Which of those on the board are uncertain or contradicted by a side, shape (33,)."""


@dataclass(frozen=True, slots=True)
class MazeReader:
    """Reader of the maze; it finds the board itself and needs no calibration sheet."""

    pieces: Mapping[str, PieceSamples] = field(default_factory=dict)
    """Enrolled samples of tokens by kind (`token:7`); other tokens look like the printable stand-in."""

    def read(self, image: Image, near: Sequence[Point] = ()) -> MazeReading:
        """Return the reading of a picture; its `state` is "board" only if a whole board was read.

        image: BGR, 8 bits, of any size. near: `corners` of a reading of the same camera shortly before; the board
        is searched there first, which is faster. Nothing is kept between two pictures.
        """
        begun = time.perf_counter()
        boards = locate(image, _side_reader(), near=np.array(near) if len(near) else None)
        if len(boards) == 1:
            reading = self._read(image, boards[0])
        else:
            reading = MazeReading("no_board", reason=_no_board_message(len(boards)))
        return replace(reading, milliseconds=1000 * (time.perf_counter() - begun))

    def _read(self, image: Image, board: LocatedBoard) -> MazeReading:
        """Return the reading of a picture in which the board was located; in the board's frame if that is known."""
        evidence, corners, shown = board.evidence, board.corners, board.shown
        spare = read_spare(image, corners, shown, _side_reader())
        spare_corners = None if spare is None else spare.corners(corners)
        onto_spare = None if spare_corners is None else _homography_onto(spare_corners)
        discs = read_board_objects(image, to_picture(corners), onto_spare, self.pieces or None)
        weights = _side_weights(image, corners, discs.wizards)
        loose = _loose_tiles(evidence.logits(), board.loss, weights, spare)
        if loose.unclear.any():
            loose = _loose_tiles(*_side_reader().averaged(shown, evidence), weights, spare)
        logits, probabilities = loose.logits, loose.probabilities
        unclear = np.ones(SIZE**2, bool)
        unclear[~KNOWN] = loose.unclear
        unclear[KNOWN] = (np.where(OPEN, logits, -logits)[KNOWN] < _MIN_CLEAR).any(1)
        covered = (evidence.covered > _MAX_COVERED) & (unclear | (evidence.covered > _MIN_SURELY_COVERED))
        # What the picture's edge cuts off looks covered too, but its other sides may be clear.
        covered = np.where(evidence.visible > _MIN_WHOLE_FRACTION, covered, evidence.visible < _MIN_VISIBLE)
        boxes = map_points(_TILE_CORNERS, to_picture(corners))
        foreign = foreign_tiles(shown) & ~covered & (evidence.visible > _MIN_WHOLE_FRACTION)
        foreign &= ~_hidden_by_wizards(_TILE_CORNERS, corners, discs.wizards).any(1)
        unclear |= foreign
        rows = iter(probabilities)
        tiles = tuple(
            _fixed_tile(place, boxes[place])
            if KNOWN[place]
            else _loose_tile(next(rows), boxes[place], bool(unclear[place] | covered[place]))
            for place in range(SIZE**2)
        )
        line = _PLACES_OF_LINES[_LINES[evidence.half_pushed[_LINES].argmax()]]
        white = _filled_by_glare(image, boxes[line], _MIN_WHITE_LINE)
        state, reason = _state_and_message(evidence, covered, _filled_by_glare(image, boxes[covered]), white)
        if state == "board":
            reason = _board_message(foreign, discs.tokens)
        reading = MazeReading(
            state=state,
            tiles=tiles,
            spare=None
            if spare is None
            else _loose_tile(probabilities[-1], spare.corners(corners), spare.certainty < _MIN_SPARE),
            tokens=tuple(one for one in discs.tokens if one.place is not None)
            + _tokens_on_spare(discs.tokens, spare),
            wizards=discs.wizards,
            possible_wizards=discs.possible_wizards,
            corners=_points(corners),
            confidence=_overall_confidence(loose.whole, discs),
            reason=reason,
            covered=frozenset(np.flatnonzero(covered).tolist()),
            under_wizards=discs.under_wizards,
            unseen_tokens=discs.unseen_tokens,
        )
        return reading if discs.quarter_turns is None else _in_board_frame(reading, discs.quarter_turns)


def _tokens_on_spare(tokens: Sequence[TokenReading], spare: Spare | None) -> tuple[TokenReading, ...]:
    """Return the tokens on the spare, with probabilities times the spare's; empty if it probably is no tile.

    tokens: on board and spare. spare: None if none was found.
    """
    if spare is None or spare.certainty < _MIN_LIKELY_SPARE:
        return ()
    found = list[TokenReading]()
    for token in tokens:
        if token.place is None:
            confidence = token.confidence * spare.certainty
            probabilities = {number: value * spare.certainty for number, value in token.probabilities.items()}
            doubtful = token.doubtful or confidence < MIN_CONFIDENCE
            found.append(replace(token, confidence=confidence, probabilities=probabilities, doubtful=doubtful))
    return tuple(found)


@cache
def _side_reader() -> SideReader:
    """Return the side reader with the shipped weights."""
    return SideReader(SideNetwork(SIDES_WEIGHTS))


def _loose_tiles(
    logits: NDArray[np.float64], loss: float, weights: NDArray[np.float64], spare: Spare | None
) -> _LooseTiles:
    """Return the probabilities of the openings of the loose tiles and the spare.

    logits: that each side of the 49 tiles is open, (49, 4), not yet calibrated. loss: mean loss of the sides of
    fixed tiles. weights: factors on the calibrated logits, (49, 4). spare: None if none was found.
    """
    logits = calibrated(logits, loss) * weights
    beside = np.ones((1, len(OPENINGS)))
    if spare is not None:
        beside = likelihoods(calibrated(spare.logits / SPARE_TEMPERATURE, loss)[None])
        beside = spare.certainty * beside / beside.sum() + (1 - spare.certainty) / len(OPENINGS)
    probabilities, whole = posterior(np.vstack([likelihoods(logits[~KNOWN]), beside]))
    unclear = (probabilities[:-1].max(1) < MIN_CONFIDENCE) | contradicted(logits[~KNOWN], probabilities[:-1])
    return _LooseTiles(logits, probabilities, whole, unclear)


def _side_weights(image: Image, corners: Corners, wizards: Sequence[WizardReading]) -> NDArray[np.float64]:
    """Return a factor on each side's logits, (49, 4): 0 outside of the picture, small behind a wizard, else 1.

    corners: of the field, px.
    """
    shown = map_points(_NEAR_SIDES, to_picture(corners))
    outside = ((shown < 0) | (shown > np.array(image.shape[1::-1]))).any(-1)
    hidden = _hidden_by_wizards(_NEAR_SIDES, corners, wizards).any(-1)
    return np.where(outside.mean(-1) > 0.5, 0.0, np.where(hidden, _HIDDEN_WEIGHT, 1.0))


def _hidden_by_wizards(
    points: NDArray[np.float64], corners: Corners, wizards: Sequence[WizardReading]
) -> NDArray[np.bool_]:
    """Return a mask (…) of the points that a wizard hides from the camera.

    points: in the field, in tiles, (…, 2). corners: of the field, px.
    """
    shown = map_points(points, to_picture(corners))
    behind = np.zeros(shown.shape[:-1], bool)
    for wizard in wizards:
        if wizard.confidence < _MIN_WIZARD:
            continue
        left, top, width, height = wizard.box
        behind |= ((shown > (left, top)) & (shown < (left + width, top + height))).all(-1)
    return behind


def _fixed_tile(place: int, corners: NDArray[np.float64]) -> TileReading:
    """Return the reading of the fixed tile on a place: its openings are certain. corners: px, (4, 2)."""
    probabilities = {openings: float(openings == FIXED[place]) for openings in OPENINGS}
    return TileReading(FIXED[place], 1.0, False, probabilities, _box(corners))


def _loose_tile(row: NDArray[np.float64], corners: NDArray[np.float64], doubtful: bool) -> TileReading:
    """Return the reading of a loose tile.

    row: probability of each of OPENINGS. corners: px, (4, 2). doubtful: whether it needs confirmation in any case.
    """
    best = int(row.argmax())
    probabilities = dict(zip(OPENINGS, row.tolist(), strict=True))
    confidence = float(row[best])
    doubtful = doubtful or confidence < MIN_CONFIDENCE
    return TileReading(OPENINGS[best], confidence, doubtful, probabilities, _box(corners))


def _filled_by_glare(image: Image, tiles: NDArray[np.float64], least: float = _MIN_DAZZLED) -> bool:
    """Return whether more than a fraction `least` of the tiles' area is glare; False without tiles.

    image: BGR. tiles: their corners, px, (n, 4, 2).
    """
    mask = np.zeros(image.shape[:2], np.uint8)
    for corners in tiles:
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    return bool(mask.any()) and float((image[mask > 0].min(1) > _GLARE).mean()) > least


def _state_and_message(
    evidence: SideEvidence, covered: NDArray[np.bool_], dazzled: bool, white_line: bool
) -> tuple[MazeState, str]:
    """Return the state of a board, and the message for users why it cannot be read, "" where it can.

    covered: which tiles are covered, (49,). dazzled: whether glare fills these tiles. white_line: whether glare
    fills the row or column that is most probably half pushed in.
    """
    if evidence.half_pushed[_LINES].max() > _MIN_HALF_PUSHED and not (dazzled and white_line):
        return "half_pushed", say("A line is pushed in only halfway: push it in completely.")
    if (evidence.visible < _MIN_VISIBLE).any():
        return "covered", say(
            "Part of the board is outside the picture: move the camera until the whole board is in it."
        )
    if dazzled:
        return "covered", say("Light dazzles part of the board: turn the lamp or move the camera.")
    if covered.any():
        return "covered", say("Something covers part of the board: take it away.")
    return "board", ""


def _board_message(foreign: NDArray[np.bool_], tokens: Sequence[TokenReading]) -> str:
    """Return the message for users what on a board cannot be recognised, "" where nothing is wrong.

    foreign: which tiles look like none of the game, (49,). tokens: on board and spare.
    """
    if foreign.any():
        return say("A tile cannot be recognised: lay it face up, or turn the lamp if light is reflected there.")
    if tokens and not any(token.confidence >= MIN_CONFIDENCE for token in tokens):
        return say(
            "No token's number is certain: if the tokens are of another printing, enrol them with "
            "`companion enrol tokens`."
        )
    return ""


def _no_board_message(number: int) -> str:
    """Return the message for users where none or several boards are in the picture. number: of boards."""
    if number:
        return say("More than one board is in the picture: leave only one in it.")
    return say(
        "No whole board is in the picture: aim the camera so that all four corners are in it, and take away what "
        "covers the board."
    )


def _overall_confidence(whole: float, discs: BoardObjects) -> float:
    """Return the probability that all of a reading is right.

    whole: probability that all tiles are right. discs: the tokens and wizards.
    """
    each = [token.confidence for token in discs.tokens] + [wizard.confidence for wizard in discs.wizards]
    return float(whole * discs.absent * np.prod(each))


def _in_board_frame(reading: MazeReading, quarter_turns: int) -> MazeReading:
    """Return a reading in the board's own frame.

    quarter_turns: clockwise, from the picture's frame to the board's.
    """

    def turned(tile: TileReading) -> TileReading:
        return replace(
            tile,
            openings=turned_openings(tile.openings, quarter_turns),
            probabilities={
                turned_openings(openings, quarter_turns): value for openings, value in tile.probabilities.items()
            },
        )

    def moved(place: int | None) -> int | None:
        return None if place is None else turned_place(place, quarter_turns)

    tiles = sorted(enumerate(reading.tiles), key=lambda pair: turned_place(pair[0], quarter_turns))
    return replace(
        reading,
        oriented=True,
        tiles=tuple(turned(tile) for _, tile in tiles),
        spare=None if reading.spare is None else turned(reading.spare),
        tokens=tuple(replace(token, place=moved(token.place)) for token in reading.tokens),
        wizards=tuple(turned_wizard(one, quarter_turns) for one in reading.wizards),
        possible_wizards=tuple(turned_wizard(one, quarter_turns) for one in reading.possible_wizards),
        corners=tuple(reading.corners[(corner - quarter_turns) % 4] for corner in range(4)),
        covered=frozenset(turned_place(place, quarter_turns) for place in reading.covered),
        under_wizards=frozenset(moved(place) for place in reading.under_wizards),
    )


def _homography_onto(corners: Corners) -> NDArray[np.float64]:
    """Return the homography from the unit square to a tile with these corners in px, (4, 2)."""
    return np.asarray(
        cv2.getPerspectiveTransform(SQUARE.astype(np.float32), corners.astype(np.float32)), np.float64
    )


def _points(corners: Corners) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in corners.tolist())


def _box(corners: NDArray[np.float64]) -> Box:
    """Return the bounding box of corners, (n, 2)."""
    (left, top), (right, bottom) = corners.min(0).tolist(), corners.max(0).tolist()
    return left, top, right - left, bottom - top
