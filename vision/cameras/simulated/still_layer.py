"""Render all of a scene but the hands: table top, tile, cards, boards and loose pieces; cached until it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera.sheet import PAPER_MM
from vision.cameras.simulated.appearance import Look
from vision.cameras.simulated.array_types import Floats, Image, as_floats, as_image
from vision.cameras.simulated.camera_projection import CameraProjection
from vision.cameras.simulated.scene import BoardOnTable, CardOnTable, PieceOnTable, Pose, Scene
from vision.cameras.simulated.solids import Body, Drawn, Finish, draw, paste, turned
from vision.cameras.simulated.table_surfaces import SPAN_MM

_CARD_THICK = 0.35
"""Thickness of a card, mm."""
_BOARD_THICK = 2.0
"""Thickness of a board, mm."""
_TILE_THICK = 2.0
"""Thickness of the tile, mm."""
_FACE_SCALE = 2.0
"""Scale of cached faces, px/mm; faces are drawn at twice the picture's scale, which is slightly less than this."""


@dataclass(frozen=True, slots=True)
class _Flat:
    """A flat thing on the table: a card, board, tile or sheet."""

    face: Image
    """Face, BGRA."""
    size: tuple[float, float]
    """Size, mm."""
    pose: Pose
    """Pose."""
    thickness: float
    """Thickness, mm."""
    corners: int = 4
    """Number of corners: 4 for a rectangle, else a regular polygon with an edge uppermost."""


@dataclass(frozen=True, slots=True)
class Still:
    """The rendered still layer, before lens distortion and light."""

    image: Image
    """Picture."""
    pieces: tuple[tuple[PieceOnTable, Drawn], ...]
    """Loose pieces in the scene's order, each with its drawing."""


def corners(pose: Pose, size: tuple[float, float]) -> Floats:
    """Return the corners (4, 2) of a rectangle on the table, mm, clockwise from its own top left. size: mm."""
    half = np.asarray(size) / 2
    flat = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
    angle = np.radians(pose.angle)
    cos, sin = np.cos(angle), np.sin(angle)
    return as_floats(flat @ np.array([[cos, -sin], [sin, cos]]) + [pose.x, pose.y])


class StillLayer:
    """Renderer of the still layer of scenes for one look, with a cache.

    made: materials of the things. top: table top, BGR, `SPAN_MM` at 1 px/mm.
    """

    def __init__(self, look: Look, view: CameraProjection, made: Finish, top: Image) -> None:
        self._look, self._view, self._made_as = look, view, made
        self._small: dict[str, Image] = {}
        self._table = self._photographed(top)
        self._flat_kept: tuple[object, Image] | None = None
        self._kept: tuple[object, Still] | None = None
        self._drawn_pieces: dict[tuple[PieceOnTable, float], tuple[Drawn, Floats]] = {}

    def draw(self, scene: Scene) -> Still:
        """Return a scene rendered without its hands, cached; copy its picture before changing it."""
        flat_key = (scene.tile, scene.sheet, scene.cards, scene.boards)
        key = (flat_key, scene.pieces)
        if self._kept is not None and self._kept[0] == key:
            return self._kept[1]
        if self._flat_kept is None or self._flat_kept[0] != flat_key:
            self._flat_kept = (flat_key, self._draw_flats(scene))
        still = self._draw_pieces(scene, self._flat_kept[1])
        self._kept = (key, still)
        return still

    def _photographed(self, top: Image) -> Image:
        """Return a table top (`SPAN_MM`, 1 px/mm) as the camera shows it, before lens distortion."""
        width, height = SPAN_MM
        to_mm = np.array([[1.0, 0, -width / 2 + 0.5], [0, -1.0, height / 2 - 0.5], [0, 0, 1]])
        image = cv2.warpPerspective(
            cv2.GaussianBlur(top, (0, 0), 0.5),
            self._view.plane() @ to_mm,
            self._view.size,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT_101,
        )
        return as_image(image)

    def _face(self, key: str, size: tuple[float, float]) -> Image:
        """Return a printed face (BGRA) scaled to `_FACE_SCALE`.

        key: in `Finish.faces`. size: width and height, mm.
        """
        if key not in self._small:
            wanted = (round(size[0] * _FACE_SCALE), round(size[1] * _FACE_SCALE))
            face = cv2.resize(self._made_as.faces[key], wanted, interpolation=cv2.INTER_AREA)
            self._small[key] = as_image(face)
        return self._small[key]

    def _draw_flats(self, scene: Scene) -> Image:
        """Return the picture of the table with a scene's boards, tile, cards and sheet, and their shadows."""
        things = self._made_as.components
        flats = [self._board(board) for board in scene.boards]
        if scene.tile and "tile" in self._made_as.faces:
            face = self._face("tile", things.tile_mm)
            flats.append(_Flat(face, things.tile_mm, Pose(0, 0), _TILE_THICK, things.tile_corners))
        flats.extend(self._card(card) for card in scene.cards)
        if scene.sheet:
            flats.append(_Flat(self._face("sheet", PAPER_MM), PAPER_MM, Pose(0, 0), 0.0))
        image = self._table.copy()
        dark = np.zeros(image.shape[:2], np.uint8)
        for flat in flats:
            self._add_flat_shadow(dark, flat)
        darken(image, as_image(cv2.GaussianBlur(dark, (0, 0), 1.6)), 0.42)
        for flat in flats:
            self._lay(image, flat)
        return image

    def _card(self, card: CardOnTable) -> _Flat:
        things = self._made_as.components
        key = card.face if card.face is not None else f"back:{card.back or things.usual_back}"
        return _Flat(self._face(key, things.card_mm), things.card_mm, card.pose, _CARD_THICK)

    def _board(self, board: BoardOnTable) -> _Flat:
        size = self._made_as.components.board_mm
        return _Flat(self._face(f"board:{board.colour}", size), size, board.pose, _BOARD_THICK)

    def _add_flat_shadow(self, dark: Image, flat: _Flat) -> None:
        """Fill the area of a flat thing and its shadow in a shadow mask (`dark`), in place."""
        light = self._look.light
        grown = corners(flat.pose, (flat.size[0] + 1.0, flat.size[1] + 1.0))
        reach = -light[:2] / light[2] * (flat.thickness + 0.5)
        if flat.corners != 4:
            turns = 2 * np.pi * (np.arange(flat.corners) + 0.5) / flat.corners
            grown = np.stack([np.sin(turns), np.cos(turns)], axis=1) * (flat.size[0] / 2 + 0.5)
        pixels = self._view.drawn(np.c_[grown + reach, np.zeros(len(grown))])
        cv2.fillConvexPoly(dark, np.round(pixels * 16).astype(np.int32), 255.0, cv2.LINE_AA, 4)

    def _lay(self, image: Image, flat: _Flat) -> None:
        """Draw a flat thing's face on the picture in place, with twofold supersampling."""
        height, width = flat.face.shape[:2]
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
        lifted = np.c_[corners(flat.pose, flat.size), np.full(4, flat.thickness)]
        target = self._view.drawn(lifted)
        low = np.maximum(np.floor(target.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(target.max(axis=0)).astype(int) + 2, self._view.size)
        if np.any(high <= low):
            return
        fine = ((target - low + 0.5) * 2 - 0.5).astype(np.float32)
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        matrix = cv2.getPerspectiveTransform(source, fine)
        warped = cv2.warpPerspective(flat.face, matrix, (size[0] * 2, size[1] * 2), flags=cv2.INTER_LINEAR)
        colour, weight = warped[..., :3], warped[..., 3:].astype(np.float32) / 255.0
        premultiplied = cv2.resize(colour * weight, size, interpolation=cv2.INTER_AREA)
        cover = cv2.resize(weight, size, interpolation=cv2.INTER_AREA)[..., None]
        under = image[low[1] : high[1], low[0] : high[0]]
        under[:] = (under * (1 - cover) + premultiplied + 0.5).astype(np.uint8)

    def _draw_pieces(self, scene: Scene, flats: Image) -> Still:
        """Return the still layer: a copy of `flats` (from `_draw_flats`) with loose pieces and their shadows."""
        image = flats.copy()
        boards = [np.asarray([b.pose.x, b.pose.y]) for b in scene.boards]
        near = self._made_as.components.board_mm[1] / 2
        pieces: dict[int, tuple[PieceOnTable, Drawn]] = {}
        kept = {}
        for level in _levels(scene.pieces):
            dark = np.zeros(image.shape[:2], np.uint8)
            for index in level:
                piece = scene.pieces[index]
                spot = np.array([piece.pose.x, piece.pose.y])
                on_board = any(np.linalg.norm(spot - b) < near for b in boards)
                ground = piece.ground if piece.ground is not None else _BOARD_THICK if on_board else 0.0
                key = (piece, ground)
                kept[key] = self._drawn_pieces.get(key) or self._draw_piece(piece, ground)
                pieces[index] = (piece, kept[key][0])
                cv2.fillConvexPoly(dark, np.round(kept[key][1] * 16).astype(np.int32), 255.0, cv2.LINE_AA, 4)
            darken(image, as_image(cv2.GaussianBlur(dark, (0, 0), 1.3)), 0.5)
            for index in level:
                paste(image, pieces[index][1])
        self._drawn_pieces = kept
        return Still(image, tuple(pieces[index] for index in range(len(scene.pieces))))

    def _draw_piece(self, piece: PieceOnTable, ground: float) -> tuple[Drawn, Floats]:
        """Return a piece's drawing and its shadow's outline (N, 2), px.

        ground: height of the surface under it, mm.
        """
        shape = self._made_as.solid(piece.kind)
        pose = piece.pose
        rotation = turned(pose.angle)
        if self._made_as.components.is_thrown(piece.kind):
            # Most lie flat, either side up, some stand on an edge.
            rng = np.random.default_rng([round(abs(v) * 64) for v in (pose.x, pose.y, pose.angle)])
            fall = rng.random()
            roll = 0.0 if fall < 0.4 else 180.0 if fall < 0.7 else 90.0 if fall < 0.85 else -90.0
            rotation = turned(pose.angle, roll=roll)
        body = Body(shape, rotation, np.zeros(3))
        rest = -float(body.corners()[:, 2].min()) + ground
        body = Body(shape, rotation, np.array([pose.x, pose.y, rest]))
        light = self._look.light
        drawn = draw(body, self._view.drawn, self._view.position, light, self._made_as)
        points = body.corners()
        landed = points[:, :2] - light[:2] / light[2] * (points[:, 2:] - ground)
        shadow = cv2.convexHull(self._view.drawn(np.c_[landed, np.full(len(landed), ground)]).astype(np.float32))
        return drawn, as_floats(shadow).reshape(-1, 2)


def _levels(pieces: Sequence[PieceOnTable]) -> list[list[int]]:
    """Return the indices of pieces, grouped by the height of the surface that they lie on, lowest group first."""
    heights = [-1.0 if piece.ground is None else piece.ground for piece in pieces]
    return [[k for k, height in enumerate(heights) if height == level] for level in sorted(set(heights))]


def darken(image: Image, mask: Image, strength: float) -> None:
    """Darken a picture in place: multiply by 1 − strength where the mask is 255, less where it is lower."""
    keep = 255 - cv2.convertScaleAbs(mask, alpha=strength)
    cv2.multiply(image, cv2.cvtColor(as_image(keep), cv2.COLOR_GRAY2BGR), image, 1 / 255.0)
