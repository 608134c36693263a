"""Hands over the table: seen from the camera, with what lies in them, and their shadows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.simulated.arms import ABOVE_MM, ORIGIN, SCALE, SIZE, Arm, arm, person
from vision.cameras.simulated.heap import REACH_MM, drop
from vision.cameras.simulated.layout import seat_angle, seat_place
from vision.cameras.simulated.look import Look, View
from vision.cameras.simulated.scene import HandOnTable, Pose
from vision.cameras.simulated.solids import Drawn, draw

Floats = NDArray[np.float64]
Heights = NDArray[np.float32]
Image = NDArray[np.uint8]

OPENS_AT = 0.35
"""Below this openness a hand is a fist."""
_CROSSED_AT = 0.55
_KEPT = 16
_TO_LOCAL: Floats = np.array([[1 / SCALE, 0, -ORIGIN[0] / SCALE], [0, -1 / SCALE, ORIGIN[1] / SCALE], [0, 0, 1.0]])


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece in a palm: its kind, and on the canvas all its pixels and the seen ones."""

    kind: str
    whole: Image
    seen: NDArray[np.bool_]
    left: int
    top: int

    @property
    def visible(self) -> float:
        """Fraction of its own outline that nothing hides."""
        return float(np.count_nonzero(self.seen)) / max(1, int(np.count_nonzero(self.whole > 127)))


@dataclass(frozen=True, slots=True)
class Shown:
    """An arm as seen from the camera, flattened onto the plane of its palm: premultiplied BGR and coverage."""

    colour: Image
    cover: Image
    lying: tuple[Lying, ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """A hand in the drawn picture: which one, its picture, canvas → table mm and → drawn pixels, its height."""

    hand: HandOnTable
    shown: Shown
    to_table: Floats
    to_drawn: Floats
    height: float


class HandLayer:
    """Places and draws the hands of scenes for one look; arms once made are kept."""

    def __init__(self, look: Look, view: View, faces: Mapping[str, Image]) -> None:
        self._look, self._view, self._faces = look, view, faces
        self._kept: OrderedDict[tuple[object, ...], Shown] = OrderedDict()

    def place(self, hand: HandOnTable, seats: int) -> Placed | None:
        """Work out one hand as it is to be seen, or none while it is out of the picture."""
        if hand.reach <= 0:
            return None
        pose, height = self._rest(hand, seats)
        out = (1 - min(hand.reach, 1.0)) * self._way_out(pose, height)
        angle = np.radians(pose.angle)
        x, y = pose.x - out * float(np.sin(angle)), pose.y - out * float(np.cos(angle))
        to_table = _turned(angle, x, y) @ _TO_LOCAL
        to_drawn = self._view.plane(height) @ to_table
        return Placed(hand, self._shown(hand, pose, height), to_table, to_drawn, height)

    def shade(self, image: Image, hands: list[Placed]) -> None:
        """Cast the hands' soft shadows on the table, in place."""
        if not hands:
            return
        light = self._look.light
        coarse = 4
        size = (self._view.size[0] // coarse, self._view.size[1] // coarse)
        shrink = np.diag([1 / coarse, 1 / coarse, 1.0])
        dark = np.zeros((size[1], size[0]), np.uint8)
        for placed in hands:
            for lift, weight in ((0.8, 0.6), (1.2, 0.6)):
                height = placed.height * lift
                shift = np.array(
                    [[1, 0, -light[0] / light[2] * height], [0, 1, -light[1] / light[2] * height], [0, 0, 1]]
                )
                matrix = shrink @ self._view.plane() @ shift @ placed.to_table
                shadow = cv2.warpPerspective(placed.shown.cover, matrix, size, flags=cv2.INTER_LINEAR)
                dark = cv2.add(dark, cv2.convertScaleAbs(shadow, alpha=weight))
            under = cv2.warpPerspective(placed.shown.cover, shrink @ self._view.plane() @ placed.to_table, size)
            dark = cv2.add(dark, cv2.convertScaleAbs(cv2.GaussianBlur(under, (0, 0), 9), alpha=0.35))
        blur = self._look.softness / coarse * 1.6
        soft = cv2.resize(cv2.GaussianBlur(dark, (0, 0), blur), self._view.size, interpolation=cv2.INTER_LINEAR)
        strength = (1 - self._look.ambient) * 1.05
        keep = 255 - cv2.convertScaleAbs(soft, alpha=strength)
        cv2.multiply(image, cv2.cvtColor(np.asarray(keep, np.uint8), cv2.COLOR_GRAY2BGR), image, 1 / 255.0)

    def lay(self, image: Image, placed: Placed) -> None:
        """Draw one hand over the picture, in place."""
        corners = _outline(placed.shown.cover)
        pixels = cv2.perspectiveTransform(corners[None], placed.to_drawn)[0]
        low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 2, 0)
        high = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 3, self._view.size)
        if np.any(high <= low):
            return
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        matrix = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]]) @ placed.to_drawn
        colour = cv2.warpPerspective(placed.shown.colour, matrix, size, flags=cv2.INTER_LINEAR)
        cover = cv2.warpPerspective(placed.shown.cover, matrix, size, flags=cv2.INTER_LINEAR)
        under = image[low[1] : high[1], low[0] : high[0]]
        keep = cv2.cvtColor(np.asarray(255 - cover, np.uint8), cv2.COLOR_GRAY2BGR)
        under[:] = cv2.add(cv2.multiply(under, keep, scale=1 / 255.0), colour)

    def _rest(self, hand: HandOnTable, seats: int) -> tuple[Pose, float]:
        place = seat_place(seats, hand.seat).hand
        rng = np.random.default_rng([hand.look, self._look.tones, hand.seat, 0x4A])
        lean = float(np.clip(rng.normal(0, 9), -20, 20))
        x, y = place.x + float(rng.normal(0, 14)), place.y + float(rng.normal(0, 12))
        return Pose(x, y, seat_angle(seats, hand.seat) + lean), float(rng.uniform(64, 104))

    def _way_out(self, pose: Pose, height: float) -> float:
        """Find how far back the arm must go, in mm, until not even a fingertip is in the picture."""
        angle = np.radians(pose.angle)
        for out in range(100, 1400, 20):
            spots = [
                [pose.x - (out - tip) * np.sin(angle) + side * np.cos(angle),
                 pose.y - (out - tip) * np.cos(angle) - side * np.sin(angle), height]
                for tip in (0.0, ABOVE_MM - 10) for side in (-70.0, 70.0)
            ]  # fmt: skip
            pixels = self._view.drawn(np.asarray(spots))
            inside = (pixels > 0).all(axis=1) & (pixels < np.asarray(self._view.size)).all(axis=1)
            if not inside.any():
                return float(out)
        return 1400.0

    def _shown(self, hand: HandOnTable, pose: Pose, height: float) -> Shown:
        if hand.openness < OPENS_AT:
            return self._made(hand, pose, height, "closed")
        opened = self._made(hand, pose, height, "open")
        if hand.openness >= 1:
            return opened
        done = (hand.openness - OPENS_AT) / (1 - OPENS_AT)
        opening = _folded(opened, 0.55 + 0.45 * done)
        if hand.openness >= _CROSSED_AT:
            return opening
        fist = self._made(hand, pose, height, "closed")
        share = (hand.openness - OPENS_AT) / (_CROSSED_AT - OPENS_AT)
        return Shown(
            cv2.addWeighted(fist.colour, 1 - share, opening.colour, share, 0),
            cv2.addWeighted(fist.cover, 1 - share, opening.cover, share, 0),
        )

    def _made(self, hand: HandOnTable, pose: Pose, height: float, state: str) -> Shown:
        pieces = hand.pieces if state == "open" else ()
        key = (hand.seat, hand.look, pose, pieces, state)
        if key not in self._kept:
            self._kept[key] = self._make(hand, pose, height, pieces, state)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def _make(self, hand: HandOnTable, pose: Pose, height: float, pieces: tuple[str, ...], state: str) -> Shown:
        who = person((hand.look % 1000) * 8 + hand.seat + self._look.tones * 8000)
        flat = arm(who, "open" if state == "open" else "closed")
        eye = self._eye(pose, height)
        leaning, heights = _leaned(flat, eye)
        colour = leaning.colour
        lying: tuple[Lying, ...] = ()
        if pieces:
            rng = np.random.default_rng([hand.look, hand.seat, len(pieces), 0xFA11])
            tries = [self._filled(colour, leaning.cover, heights, flat, pieces, pose, eye, rng) for _ in range(1)]
            colour, lying = tries[0]
        blurred = cv2.GaussianBlur(colour, (0, 0), 0.6)
        cover = leaning.cover
        weight = cv2.cvtColor(cover, cv2.COLOR_GRAY2BGR)
        return Shown(cv2.multiply(blurred, weight, scale=1 / 255.0), cover, lying)

    def _eye(self, pose: Pose, height: float) -> Floats:
        """Give the camera in local mm of a hand at rest."""
        flat = np.linalg.inv(_turned(np.radians(pose.angle), pose.x, pose.y)) @ [*self._view.position[:2], 1.0]
        return np.array([flat[0], flat[1], self._view.position[2] - height])

    def _filled(
        self,
        colour: Image,
        cover: Image,
        heights: Heights,
        flat: Arm,
        pieces: tuple[str, ...],
        pose: Pose,
        eye: Floats,
        rng: np.random.Generator,
    ) -> tuple[Image, tuple[Lying, ...]]:
        """Drop pieces into the palm and draw them: shaded, shadowing, hidden by what stands above them."""
        reach = round(REACH_MM * SCALE)
        middle = (round(ORIGIN[0]), round(ORIGIN[1]))
        ground = flat.height[middle[1] - reach : middle[1] + reach, middle[0] - reach : middle[0] + reach]
        light = self._look.light.copy()
        angle = np.radians(pose.angle)
        light[:2] = (
            light[0] * np.cos(angle) - light[1] * np.sin(angle),
            light[0] * np.sin(angle) + light[1] * np.cos(angle),
        )

        def project(points: Floats) -> Floats:
            onto = eye[:2] + (points[:, :2] - eye[:2]) * (eye[2] / (eye[2] - points[:, 2:]))
            return np.c_[onto[:, 0] * SCALE + ORIGIN[0], ORIGIN[1] - onto[:, 1] * SCALE]

        filled = colour.copy()
        owner = np.zeros(cover.shape, np.uint8)
        drawn_pieces: list[tuple[str, Drawn, NDArray[np.bool_]]] = []
        bodies = sorted(drop(pieces, ground, SCALE, rng), key=lambda entry: float(entry[1].centre[2]))
        for number, (kind, body) in enumerate(bodies, start=1):
            drawn = draw(body, project, eye, light, self._look.ambient, self._faces)
            area = (
                slice(drawn.top, drawn.top + drawn.cover.shape[0]),
                slice(drawn.left, drawn.left + drawn.cover.shape[1]),
            )
            _contact(filled, drawn, light)
            level = float(body.corners()[:, 2].max())
            free = np.clip((level + 3.0 - heights[area]) / 3.0, 0, 1) * (cover[area] > 40)
            weight = (drawn.cover / 255.0 * free)[..., None]
            filled[area] = (filled[area] * (1 - weight) + drawn.colour * weight).astype(np.uint8)
            owner[area][weight[..., 0] > 0.5] = number
            drawn_pieces.append((kind, drawn, np.zeros(0, np.bool_)))
        lying = tuple(
            Lying(
                kind,
                drawn.cover,
                owner[drawn.top : drawn.top + drawn.cover.shape[0], drawn.left : drawn.left + drawn.cover.shape[1]]
                == number,
                drawn.left,
                drawn.top,
            )
            for number, (kind, drawn, _) in enumerate(drawn_pieces, start=1)
        )
        return filled, lying


def _turned(angle: float, x: float, y: float) -> Floats:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, sin, x], [-sin, cos, y], [0, 0, 1.0]])


def _outline(cover: Image) -> Floats:
    """Give the corners (4, 2) of the part of a canvas that is not empty."""
    x, y, width, height = cv2.boundingRect(cover)
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], dtype=np.float64)


def _leaned(flat: Arm, eye: Floats) -> tuple[Arm, Heights]:
    """See an arm from the camera instead of from straight above: what stands higher moves away from the eye."""
    smooth = cv2.GaussianBlur(flat.height, (0, 0), 3.0)
    x, y = np.meshgrid(np.arange(SIZE[0], dtype=np.float32), np.arange(SIZE[1], dtype=np.float32))
    eye_x, eye_y = ORIGIN[0] + eye[0] * SCALE, ORIGIN[1] - eye[1] * SCALE
    away_x, away_y = ((eye_x - x) / eye[2]).astype(np.float32), ((eye_y - y) / eye[2]).astype(np.float32)
    map_x, map_y = x, y
    for _ in range(4):
        there = cv2.remap(smooth, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        map_x, map_y = x + away_x * there, y + away_y * there
    layers = [cv2.remap(layer, map_x, map_y, cv2.INTER_LINEAR) for layer in (flat.colour, flat.cover)]
    heights = cv2.remap(flat.height, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return Arm(layers[0], layers[1], heights), heights


def _folded(shown: Shown, length: float) -> Shown:
    """Shorten the fingers, as when they are still curled: the part above the palm is squeezed towards it."""
    knuckles = round(ORIGIN[1] - 22 * SCALE)
    y = np.arange(SIZE[1], dtype=np.float32)
    source = np.where(y < knuckles, knuckles - (knuckles - y) / length, y).astype(np.float32)
    map_y = np.repeat(source[:, None], SIZE[0], axis=1)
    map_x = np.repeat(np.arange(SIZE[0], dtype=np.float32)[None, :], SIZE[1], axis=0)
    return Shown(
        cv2.remap(shown.colour, map_x, map_y, cv2.INTER_LINEAR),
        cv2.remap(shown.cover, map_x, map_y, cv2.INTER_LINEAR),
        shown.lying,
    )


def _contact(canvas: Image, drawn: Drawn, light: Floats) -> None:
    """Darken what lies beside and under a piece, on the side away from the light."""
    pad = 10
    grown = cv2.copyMakeBorder(drawn.cover, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    reach = 4.0 * SCALE / max(0.5, float(light[2]))
    moved = cv2.warpAffine(
        grown, np.array([[1, 0, -light[0] * reach], [0, 1, light[1] * reach]]), (grown.shape[1], grown.shape[0])
    )
    soft = cv2.GaussianBlur(cv2.max(grown, moved), (0, 0), 1.8)
    y0, x0 = max(0, drawn.top - pad), max(0, drawn.left - pad)
    y1 = min(canvas.shape[0], drawn.top - pad + soft.shape[0])
    x1 = min(canvas.shape[1], drawn.left - pad + soft.shape[1])
    part = soft[y0 - drawn.top + pad : y1 - drawn.top + pad, x0 - drawn.left + pad : x1 - drawn.left + pad]
    under = canvas[y0:y1, x0:x1]
    under[:] = (under * (1 - 0.5 * part[..., None].astype(np.float32) / 255.0)).astype(np.uint8)
