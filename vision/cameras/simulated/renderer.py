"""Render scenes: the still layer, hands with their shadows, then light, lens and sensor."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import sheet
from calibration.games import GAMES
from vision.cameras.simulated.appearance import Look
from vision.cameras.simulated.array_types import Floats, Image, Mask, as_floats, as_image
from vision.cameras.simulated.camera_projection import HEIGHT, WIDTH, CameraProjection
from vision.cameras.simulated.hands.arm_pictures import ORIGIN, SCALE
from vision.cameras.simulated.hands.hand_layer import MIN_OPENNESS, HandLayer, Placed
from vision.cameras.simulated.scene import CardOnTable, Scene
from vision.cameras.simulated.solids import Solid, finish
from vision.cameras.simulated.still_layer import StillLayer, corners
from vision.cameras.simulated.table_top_picture import tabletop
from vision.games import drawn_components

Box = tuple[float, float, float, float]

_WRIST_ROW = round(ORIGIN[1] + 62 * SCALE)
"""Row of an arm's canvas at which the hand ends and the arm begins."""
_SHEET_SCALE = 3.0
"""Scale of the calibration sheet's picture, px/mm."""
_GAIN_UNIT = 160.0
"""Value of the light map (0..255) that leaves a pixel unchanged."""


@dataclass(frozen=True, slots=True)
class PieceTruth:
    """Ground truth of a piece or card."""

    kind: str
    """Kind."""
    box: Box
    """Bounding box (x, y, width, height) of its visible part, px."""
    visible: float
    """Visible fraction, 0..1."""


@dataclass(frozen=True, slots=True)
class HandTruth:
    """Ground truth of a hand."""

    seat: int
    """Seat."""
    state: str
    """"open" or "closed"."""
    box: Box
    """Bounding box without the sleeve's far end, px."""
    pieces: tuple[PieceTruth, ...]
    """Pieces in it."""


@dataclass(frozen=True, slots=True)
class Truth:
    """Ground truth of a rendered picture, for tests and benchmarks."""

    hands: tuple[HandTruth, ...]
    """Hands."""
    pieces: tuple[PieceTruth, ...]
    """Loose pieces on the table."""
    cards: tuple[PieceTruth, ...] = ()
    """Cards on the table, of kind `card`."""


class Renderer:
    """Renderer of scenes for one look.

    faces: pictures (BGRA, uint8) of cards by id, and of whatever differs from `DrawnComponents.faces` or the
    calibration sheet (`sheet`). solids: shapes of loose pieces that differ from the game's or add to them. top:
    table top (`table_surfaces.draw`) in place of the look's. game: whose components are drawn.
    """

    def __init__(
        self,
        look: Look,
        faces: Mapping[str, Image],
        solids: Mapping[str, Solid] = MappingProxyType({}),
        top: Image | None = None,
        game: str = GAMES[0],
    ) -> None:
        self.look, self.view = look, CameraProjection(look)
        self._made_as = finish(look, drawn_components(game), {"sheet": _sheet_face(), **faces}, solids)
        self._still = StillLayer(look, self.view, self._made_as, tabletop(look) if top is None else top)
        self._hands = HandLayer(look, self.view, self._made_as)
        self._gain = _light_map(look)
        self._noise = _noise_bank(look.seed, look.noise)

    def with_table_top(self, top: Image, look: Look) -> Renderer:
        """Return a new renderer with the same hands and things, but another table top and other light.

        top: BGR, (1300, 2000, 3), 1 px/mm. look: may differ from this renderer's in tints, exposure, falloff,
        vignette and flicker only. The cache of drawn hands is shared.
        """
        other = copy(self)
        other.look = look
        other._still = StillLayer(look, self.view, self._made_as, top)
        other._gain = _light_map(look)
        return other

    def render(self, scene: Scene, number: int = 0) -> Image:
        """Return the picture of a scene, BGR, (720, 1280, 3). number: seed of sensor noise and flicker."""
        return self._render(scene, number)[0]

    def render_with_truth(self, scene: Scene, number: int = 0) -> tuple[Image, Truth]:
        """Return the picture of a scene, as `render` does, and its ground truth."""
        image, placed = self._render(scene, number)
        return image, self._truth(scene, placed)

    def piece_masks(self, scene: Scene) -> list[Mask]:
        """Return a mask (720, 1280) of each loose piece on the table, in the scene's order, without occlusion."""
        masks = []
        for _, piece in self._still.draw(scene).pieces:
            cover = np.zeros(self.view.size[::-1], np.uint8)
            pixels = _pixels(piece.cover > 127, piece.left, piece.top).astype(int)
            inside = ((pixels >= 0) & (pixels < self.view.size)).all(axis=1)
            cover[pixels[inside, 1], pixels[inside, 0]] = 255
            masks.append(np.asarray(self.view.bend(cover) > 127))
        return masks

    def _render(self, scene: Scene, number: int) -> tuple[Image, list[Placed]]:
        """Return the picture of a scene, and its hands as placed in it."""
        drawn = self._still.draw(scene).image.copy()
        placed = [p for hand in scene.hands if (p := self._hands.place(hand, scene.seats)) is not None]
        self._hands.shade(drawn, placed)
        for hand in placed:
            self._hands.draw_hand(drawn, hand)
        self._hands.prepare(placed)
        return self._photograph(self.view.bend(drawn), number), placed

    def _photograph(self, image: Image, number: int) -> Image:
        """Return a copy of a picture with light, flicker, blur, sensor noise and chroma subsampling applied."""
        lit = cv2.multiply(image, self._gain, scale=1 / _GAIN_UNIT)
        if self.look.flicker > 0:
            lit = _flickered(as_image(lit), self.look, number)
        soft = cv2.GaussianBlur(lit, (3, 3), self.look.blur)
        rng = np.random.default_rng([number, self.look.seed, 0x5E])
        top, left = (
            int(rng.integers(self._noise.shape[0] - HEIGHT)),
            int(rng.integers(self._noise.shape[1] - WIDTH)),
        )
        noisy = cv2.add(soft, self._noise[top : top + HEIGHT, left : left + WIDTH], dtype=cv2.CV_8U)
        # Cameras transmit colour at half the resolution.
        planes = cv2.cvtColor(noisy, cv2.COLOR_BGR2YUV_I420)
        return as_image(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420))

    def _truth(self, scene: Scene, placed: list[Placed]) -> Truth:
        """Return the ground truth of a scene. placed: its hands as drawn in the picture."""
        hands = []
        for hand in placed:
            is_open = hand.hand.openness >= (1 + MIN_OPENNESS) / 2
            seen = [lying for lying in hand.shown.lying if is_open and lying.seen.any()]
            pieces = tuple(
                PieceTruth(p.kind, self._box(_pixels(p.seen, p.left, p.top), hand), p.visible) for p in seen
            )
            box = self._box(_pixels(hand.shown.cover[:_WRIST_ROW] > 127), hand)
            if box[2] > 0 and box[3] > 0:
                hands.append(HandTruth(hand.hand.seat, "open" if is_open else "closed", box, pieces))
        free = self._free_of_hands(placed)
        loose = [
            self._truth_on_table(piece.kind, _pixels(drawn.cover > 127, drawn.left, drawn.top), free)
            for piece, drawn in self._still.draw(scene).pieces
        ]
        cards = [self._truth_on_table("card", self._card_pixels(card), free) for card in scene.cards]
        return Truth(tuple(hands), tuple(loose), tuple(cards))

    def _free_of_hands(self, placed: list[Placed]) -> Mask:
        """Return a mask of the pixels of the drawn picture (before lens distortion) that no hand covers."""
        covered = np.zeros(self.view.size[::-1], np.uint8)
        for hand in placed:
            seen = cv2.warpPerspective(hand.shown.cover, hand.to_drawn, self.view.size)
            np.maximum(covered, as_image(seen), out=covered)
        return np.asarray(covered < 127)

    def _card_pixels(self, card: CardOnTable) -> Floats:
        """Return the pixels (N, 2) of the drawn picture (before lens distortion) that a card covers."""
        outline = self.view.drawn(np.c_[corners(card.pose, self._made_as.components.card_mm), np.zeros(4)])
        low = np.floor(outline.min(axis=0))
        width, height = (np.ceil(outline.max(axis=0)) - low + 1).astype(int)
        mask = np.zeros((int(height), int(width)), np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline - low).astype(np.int32), 1.0)
        return _pixels(mask > 0, int(low[0]), int(low[1]))

    def _truth_on_table(self, kind: str, pixels: Floats, free: Mask) -> PieceTruth:
        """Return the ground truth of a piece or card on the table.

        pixels: px (N, 2) of the drawn picture, before lens distortion, that it covers. free: mask of pixels that no
        hand covers.
        """
        whole = pixels.astype(int)
        inside = np.all((whole >= 0) & (whole < free.shape[::-1]), axis=1)
        seen = np.zeros(len(whole), bool)
        seen[inside] = free[whole[inside, 1], whole[inside, 0]]
        final = self.view.final(pixels)
        seen &= np.all((final > 0) & (final < (WIDTH - 1, HEIGHT - 1)), axis=1)
        return PieceTruth(kind, _bounds(final[seen] if seen.any() else final), float(seen.mean()))

    def _box(self, canvas_pixels: Floats, hand: Placed) -> Box:
        """Return the bounding box, in the final picture, of pixels (N, 2) of a hand's canvas."""
        points = cv2.perspectiveTransform(canvas_pixels[None], hand.to_drawn)[0]
        return _bounds(self.view.final(points))


@cache
def _sheet_face() -> Image:
    """Return the picture of the calibration sheet, BGRA."""
    return as_image(cv2.cvtColor(sheet.picture(_SHEET_SCALE), cv2.COLOR_GRAY2BGRA))


def _pixels(mask: Mask, left: int = 0, top: int = 0) -> Floats:
    """Return the coordinates (x, y), (N, 2), of a mask's true pixels. left, top: position of its first pixel."""
    rows, columns = np.nonzero(mask)
    return as_floats(np.c_[columns + left, rows + top])


def _bounds(pixels: Floats) -> Box:
    """Return the bounding box (x, y, width, height) of pixel centres (N, 2), clipped to the picture."""
    low = np.clip(pixels.min(axis=0) - 0.5, 0, (WIDTH, HEIGHT))
    high = np.clip(pixels.max(axis=0) + 0.5, 0, (WIDTH, HEIGHT))
    return (float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))


def _light_map(look: Look) -> Image:
    """Return the gains (720, 1280, 3) by falloff, vignette, tints and exposure; `_GAIN_UNIT` stands for 1."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    u, v = (x - WIDTH / 2) / (WIDTH / 2), (HEIGHT / 2 - y) / (WIDTH / 2)
    azimuth = np.radians(look.light_azimuth)
    slope = 1 + look.falloff * (u * np.sin(azimuth) + v * np.cos(azimuth))
    lamp_x, lamp_y = 0.45 * np.sin(azimuth), 0.3 * np.cos(azimuth)
    pool = np.exp(-((u - lamp_x) ** 2 + (v - lamp_y) ** 2) / 0.9)
    shape = slope * (1 - 0.5 * look.falloff + look.falloff * pool)
    shape *= 1 - look.vignette * (u**2 + v**2)
    gain = shape[..., None] * np.asarray(look.tint, np.float32) * look.exposure
    if look.second_tint is not None:
        away = np.clip(0.5 - 0.7 * (u * np.sin(azimuth) + v * np.cos(azimuth)), 0, 1)[..., None]
        ratio = np.asarray(look.second_tint, np.float32) / np.asarray(look.tint, np.float32)
        gain *= 1 + (ratio - 1) * away
    return as_image(np.clip(gain * _GAIN_UNIT, 0, 255))


def _flickered(image: Image, look: Look, number: int) -> Image:
    """Return a copy of a picture with bands of mains flicker as by a rolling shutter. number: seed of the phase."""
    phase = float(np.random.default_rng([number, look.seed, 0xF1C]).uniform(0, 2 * np.pi))
    rows = np.arange(HEIGHT, dtype=np.float32)[:, None, None] / HEIGHT
    bands = 1 + look.flicker * np.sin(2 * np.pi * look.flicker_bands * rows + np.float32(phase))
    return as_image(np.clip(image * bands, 0, 255))


@lru_cache(maxsize=2)
def _noise_bank(seed: int, spread: float) -> NDArray[np.int16]:
    """Return sensor noise for an area larger than a picture, read-only. spread: standard deviation, grey levels."""
    rng = np.random.default_rng([seed, 0x4015E])
    shape = (HEIGHT + 97, WIDTH + 131)
    grey = rng.standard_normal((*shape, 1), dtype=np.float32)
    coloured = rng.standard_normal((*shape, 3), dtype=np.float32)
    # A camera's denoising leaves grain slightly larger than a pixel.
    bank = cv2.GaussianBlur(0.75 * grey + 0.65 * coloured, (3, 3), 0.55)
    grain = np.asarray(np.round(bank * (spread / max(1e-6, float(bank.std())))), dtype=np.int16)
    grain.setflags(write=False)
    return grain
