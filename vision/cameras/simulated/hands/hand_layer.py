"""Draw hands over the table from the camera's view, with the pieces in them and their shadows."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.cameras.simulated.appearance import Look
from vision.cameras.simulated.array_types import Floats, Heights, Image, as_floats, as_heights, as_image
from vision.cameras.simulated.camera_projection import CameraProjection
from vision.cameras.simulated.hands.arm_pictures import ABOVE_MM, ORIGIN, SCALE, SIZE, Arm, person
from vision.cameras.simulated.hands.pieces_in_palm_drawing import PieceInPalm, fill
from vision.cameras.simulated.hands.relighting import relit
from vision.cameras.simulated.hands.worn_item_drawing import arm, arm_with_bent_fingers
from vision.cameras.simulated.scene import HandOnTable, Pose
from vision.cameras.simulated.solids import Finish

MIN_OPENNESS = 0.35
"""Openness below which a hand is a fist."""
_MAX_BLENDED_OPENNESS = 0.5
"""Openness up to which an opening hand is blended with a fist."""
_MAX_CACHED = 16
"""Maximum number of cached arms."""
_COARSE = 4
"""Downscaling of the soft shadows."""
_RELIT = round(ORIGIN[1] + 130 * SCALE)
"""Number of canvas rows, those of hand and wrist, that `Look.relief` relights."""
_FADING: Heights = np.clip((_RELIT - np.arange(_RELIT, dtype=np.float32)) / (30 * SCALE), 0, 1)[:, None, None]
"""Weight of the relit rows; it fades out at the wrist, (rows, 1, 1)."""
_TO_LOCAL: Floats = np.array([[1 / SCALE, 0, -ORIGIN[0] / SCALE], [0, -1 / SCALE, ORIGIN[1] / SCALE], [0, 0, 1.0]])
"""Homography from canvas px to local mm (see `arm_pictures`)."""


@dataclass(frozen=True, slots=True)
class ProjectedArm:
    """An arm from the camera's view, projected onto the plane of its palm."""

    colour: Image
    """BGR on the canvas, multiplied by the coverage."""
    cover: Image
    """Coverage, 0..255."""
    lying: tuple[PieceInPalm, ...] = ()
    """Pieces in the palm."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A hand in the drawn picture."""

    hand: HandOnTable
    """The hand of the scene."""
    rest: Pose
    """Pose at reach 1."""
    shown: ProjectedArm
    """Picture of the arm."""
    to_table: Floats
    """Homography from canvas px to table mm."""
    to_drawn: Floats
    """Homography from canvas px to drawn px."""
    height: float
    """Height above the table, mm."""


class HandLayer:
    """Renderer of hands for one look, with a cache of arms. view: camera. made: materials of pieces."""

    def __init__(self, look: Look, view: CameraProjection, made: Finish) -> None:
        self._look, self._view, self._made_as = look, view, made
        self._kept: OrderedDict[tuple[object, ...], ProjectedArm] = OrderedDict()
        self._retreats: dict[Pose, float] = {}

    def place(self, hand: HandOnTable, seats: int) -> Placed | None:
        """Return where and how a hand's arm is drawn; None if the hand is off the table (reach 0).

        seats: number of seats, which determines where hands are shown.
        """
        if hand.reach <= 0:
            return None
        pose, height = self._shown_pose(hand, seats)
        out = (1 - min(hand.reach, 1.0)) * self._retreat_mm(pose, height)
        angle = float(np.radians(pose.angle))
        x, y = pose.x - out * float(np.sin(angle)), pose.y - out * float(np.cos(angle))
        right, ahead, turn = hand.drift
        drifted = _rotation_and_shift(float(np.radians(turn)), right, ahead)
        to_table = _rotation_and_shift(angle, x, y) @ drifted @ _TO_LOCAL
        to_drawn = self._view.plane(height) @ to_table
        return Placed(hand, pose, self._arm_at_openness(hand, pose, height), to_table, to_drawn, height)

    def prepare(self, hands: list[Placed]) -> None:
        """Cache the open hand of at most one fist that holds pieces, so that its opening does not delay a frame."""
        for placed in hands:
            hand = placed.hand
            waiting = hand.openness < MIN_OPENNESS and bool(hand.pieces)
            if waiting and self._key(hand, placed.rest, "open") not in self._kept:
                self._cached_arm(hand, placed.rest, placed.height, "open")
                return

    def shade(self, picture: Image, hands: list[Placed]) -> None:
        """Darken a picture, before lens distortion, in place by the hands' soft shadows on the table."""
        if not hands:
            return
        size = (self._view.size[0] // _COARSE, self._view.size[1] // _COARSE)
        onto_table = np.diag([1 / _COARSE, 1 / _COARSE, 1.0]) @ self._view.plane()
        slant = self._look.light[:2] / self._look.light[2]
        dark = under = np.zeros((size[1], size[0]), np.uint8)
        for placed in hands:
            for lift, weight in ((0.8, 0.55), (1.2, 0.55)):  # an arm is thick: its shadow has two edges
                shift = np.eye(3)
                shift[:2, 2] = -slant * placed.height * lift
                shadow = cv2.warpPerspective(placed.shown.cover, onto_table @ shift @ placed.to_table, size)
                dark = as_image(cv2.add(dark, cv2.convertScaleAbs(shadow, alpha=weight)))
            below = cv2.warpPerspective(placed.shown.cover, onto_table @ placed.to_table, size)
            under = as_image(cv2.max(under, below))
        soft = cv2.GaussianBlur(dark, (0, 0), self._look.softness / _COARSE * 1.5)
        near = cv2.blur(cv2.blur(under, (17, 17)), (17, 17))  # ambient occlusion by the hands
        lost = cv2.addWeighted(soft, (1 - self._look.ambient) * 1.15, near, 0.3, 0)
        keep = 255 - as_image(lost)
        whole = cv2.resize(keep, self._view.size, interpolation=cv2.INTER_LINEAR)
        cv2.multiply(picture, cv2.cvtColor(whole, cv2.COLOR_GRAY2BGR), picture, 1 / 255.0)

    def draw_hand(self, picture: Image, placed: Placed) -> None:
        """Draw one hand in place over a picture before lens distortion."""
        x, y, width, height = cv2.boundingRect(placed.shown.cover)
        if not width:
            return
        corners = as_floats([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
        pixels = as_floats(cv2.perspectiveTransform(corners[None], placed.to_drawn))[0]
        low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 2, 0)
        high = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 3, self._view.size)
        if np.any(high <= low):
            return
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        matrix = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]]) @ placed.to_drawn
        colour = cv2.warpPerspective(placed.shown.colour, matrix, size, flags=cv2.INTER_LINEAR)
        cover = as_image(cv2.warpPerspective(placed.shown.cover, matrix, size, flags=cv2.INTER_LINEAR))
        under = picture[low[1] : high[1], low[0] : high[0]]
        keep = cv2.cvtColor(255 - cover, cv2.COLOR_GRAY2BGR)
        under[:] = cv2.add(cv2.multiply(under, keep, scale=1 / 255.0), colour)

    def _shown_pose(self, hand: HandOnTable, seats: int) -> tuple[Pose, float]:
        """Return the pose of a hand at reach 1, jittered around its place, and its height above the table, mm.

        seats: number of seats, which determines where hands are shown.
        """
        place = hand.at or self._made_as.components.hand(seats, hand.seat)
        rng = np.random.default_rng([hand.look, self._look.tones, hand.seat, 0x4A])
        lean = float(np.clip(rng.normal(0, 9), -20, 20))
        x, y = place.x + float(rng.normal(0, 14)), place.y + float(rng.normal(0, 12))
        return Pose(x, y, place.angle + lean), float(rng.uniform(64, 104))

    def _retreat_mm(self, pose: Pose, height: float) -> float:
        """Return how far an arm must move back until it is out of the picture, mm; cached.

        pose, height: of the hand at reach 1.
        """
        if pose in self._retreats:
            return self._retreats[pose]
        if len(self._retreats) > 64:
            self._retreats.clear()
        self._retreats[pose] = self._find_retreat_mm(pose, height)
        return self._retreats[pose]

    def _find_retreat_mm(self, pose: Pose, height: float) -> float:
        """Return what `_retreat_mm` returns, without the cache."""
        angle = np.radians(pose.angle)
        ahead, aside = as_floats([np.sin(angle), np.cos(angle)]), as_floats([np.cos(angle), -np.sin(angle)])
        for out in range(100, 1400, 20):
            spots = [
                [pose.x, pose.y] - (out - tip) * ahead + side * aside
                for tip in (0.0, ABOVE_MM - 10)
                for side in (-70.0, 70.0)
            ]
            pixels = self._view.drawn(np.c_[as_floats(spots), np.full(4, height)])
            inside = (pixels > 0).all(axis=1) & (pixels < as_floats(self._view.size)).all(axis=1)
            if not inside.any():
                return float(out)
        return 1400.0

    def _arm_at_openness(self, hand: HandOnTable, pose: Pose, height: float) -> ProjectedArm:
        """Return the picture of a hand's arm at its openness: closed, opening or open.

        pose, height: of the hand at reach 1, height in mm above the table.
        """
        if hand.openness < MIN_OPENNESS:
            return self._cached_arm(hand, pose, height, "closed")
        opened = self._cached_arm(hand, pose, height, "open")
        if hand.openness >= 1:
            return opened
        opening = _foreshortened(opened, 0.55 + 0.45 * (hand.openness - MIN_OPENNESS) / (1 - MIN_OPENNESS))
        if hand.openness >= _MAX_BLENDED_OPENNESS:
            return opening
        fist = self._cached_arm(hand, pose, height, "closed")
        share = (hand.openness - MIN_OPENNESS) / (_MAX_BLENDED_OPENNESS - MIN_OPENNESS)
        return ProjectedArm(
            as_image(cv2.addWeighted(fist.colour, 1 - share, opening.colour, share, 0)),
            as_image(cv2.addWeighted(fist.cover, 1 - share, opening.cover, share, 0)),
        )

    def _cached_arm(
        self, hand: HandOnTable, pose: Pose, height: float, state: Literal["open", "closed"]
    ) -> ProjectedArm:
        """Return the arm of an open or closed hand from the cache, rendered if missing."""
        key = self._key(hand, pose, state)
        if key not in self._kept:
            self._kept[key] = self._render_arm(hand, pose, height, state)
            while len(self._kept) > _MAX_CACHED:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    @staticmethod
    def _key(hand: HandOnTable, pose: Pose, state: str) -> tuple[object, ...]:
        """Return the cache key of an arm's picture: all that it depends on besides the layer's `Look`."""
        return (hand.seat, hand.look, pose, hand.pieces if state == "open" else (), state)

    def _render_arm(
        self,
        hand: HandOnTable,
        pose: Pose,
        height: float,
        state: Literal["open", "closed"],
    ) -> ProjectedArm:
        """Render the arm of an open or closed hand. pose: at reach 1. height: above the table, mm."""
        number = (hand.look % 1000) * 8 + hand.seat + self._look.tones * 8000
        who = person(number, self._look.cast, varied=self._look.varied_people)
        flat = arm(who, state)
        angle = float(np.radians(pose.angle))
        to_local = np.linalg.inv(_rotation_and_shift(angle, pose.x, pose.y))
        camera, light = self._view.position, self._look.light
        eye = as_floats([*(to_local @ [camera[0], camera[1], 1.0])[:2], camera[2] - height])
        # Pieces fall into the flat hand; then the fingers close over them.
        shown = arm_with_bent_fingers(who) if state == "open" and who.worn.curled else flat
        leaning = _in_perspective(shown, eye)
        colour, raised = leaning.colour, leaning.height
        lying: tuple[PieceInPalm, ...] = ()
        shining = as_floats([*(to_local[:2, :2] @ light[:2]), light[2]])
        if state == "open" and hand.pieces:
            rng = np.random.default_rng([hand.look, hand.seat, len(hand.pieces), 0xFA11])
            colour, raised, lying = fill(flat, leaning, hand.pieces, eye, shining, self._made_as, rng)
        if self._made_as.relief is not None:
            colour = colour.copy()
            bare, relief = leaning.height[:_RELIT], self._made_as.relief
            lit = relit(colour[:_RELIT], bare, raised[:_RELIT], shining, relief, SCALE, hand.look)
            colour[:_RELIT] = as_image(lit * _FADING + colour[:_RELIT] * (1 - _FADING))
        weight = cv2.cvtColor(leaning.cover, cv2.COLOR_GRAY2BGR)
        # Canvases are finer than the picture: without a blur, edges would alias as the hand moves.
        soft = cv2.GaussianBlur(colour, (0, 0), 0.55)
        return ProjectedArm(as_image(cv2.multiply(soft, weight, scale=1 / 255.0)), leaning.cover, lying)


def _rotation_and_shift(angle: float, x: float, y: float) -> Floats:
    """Return the 3×3 matrix that rotates clockwise (radians; y axis up) and then shifts by (x, y)."""
    cos, sin = np.cos(angle), np.sin(angle)
    return as_floats([[cos, sin, x], [-sin, cos, y], [0, 0, 1.0]])


def _in_perspective(flat: Arm, eye: Floats) -> Arm:
    """Return an arm in perspective: parts move away from the camera's position in proportion to their height.

    flat: arm from straight above. eye: position of the camera in the hand's local coordinates, mm.
    """
    # The displacement is smooth: a third of the pixels is enough.
    coarse = (SIZE[0] // 3, SIZE[1] // 3)
    small = cv2.resize(np.clip(flat.height, -45, 50), coarse, interpolation=cv2.INTER_AREA)
    smooth = cv2.GaussianBlur(small, (0, 0), 1.35)
    x, y = np.meshgrid(
        np.arange(coarse[0], dtype=np.float32) * 3 + 1, np.arange(coarse[1], dtype=np.float32) * 3 + 1
    )
    away_x = as_heights((ORIGIN[0] + eye[0] * SCALE - x) / eye[2])
    away_y = as_heights((ORIGIN[1] - eye[1] * SCALE - y) / eye[2])
    map_x, map_y = x, y
    for _ in range(4):
        there = as_heights(
            cv2.remap(smooth, (map_x - 1) / 3, (map_y - 1) / 3, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        )
        map_x, map_y = x + away_x * there, y + away_y * there
    map_x, map_y = (as_heights(cv2.resize(m, SIZE, interpolation=cv2.INTER_LINEAR)) for m in (map_x, map_y))
    return Arm(
        as_image(cv2.remap(flat.colour, map_x, map_y, cv2.INTER_LINEAR)),
        as_image(cv2.remap(flat.cover, map_x, map_y, cv2.INTER_LINEAR)),
        as_heights(cv2.remap(flat.height, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)),
    )


def _foreshortened(shown: ProjectedArm, length: float) -> ProjectedArm:
    """Return a hand with foreshortened fingers, as while it opens.

    length: of the fingers, relative to stretched ones.
    """
    knuckles = round(ORIGIN[1] - 22 * SCALE)
    squeeze = np.array([[1, 0, 0], [0, length, knuckles * (1 - length)]])
    layers = []
    for layer in (shown.colour, shown.cover):
        fingers = cv2.warpAffine(layer[:knuckles], squeeze, (SIZE[0], knuckles), flags=cv2.INTER_AREA)
        layers.append(np.concatenate([fingers, layer[knuckles:]]))
    return ProjectedArm(layers[0], layers[1], shown.lying)
