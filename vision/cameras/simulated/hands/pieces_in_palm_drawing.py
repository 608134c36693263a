"""Draw pieces in a palm from the camera's view: shaded, with shadows, occluded by fingers and each other."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Floats, Heights, Image, Mask, as_floats, as_heights, as_image
from vision.cameras.simulated.hands.arm_pictures import ORIGIN, SCALE, Arm
from vision.cameras.simulated.hands.piece_drop_simulation import REACH_MM, drop_pieces
from vision.cameras.simulated.solids import Body, Drawn, Finish, draw

_MIN_VISIBLE = 0.25
"""Minimum visible fraction of each piece; a heap with a less visible one is dropped again."""
_MAX_DROPS = 3
"""Maximum number of attempts to drop a heap."""
_SKIN_MM = 3.0
"""Height difference over which a finger occludes a piece gradually."""


@dataclass(frozen=True, slots=True)
class PieceInPalm:
    """A piece in a palm."""

    kind: str
    """Kind."""
    seen: Mask
    """Mask of its visible pixels on the canvas."""
    left: int
    """Left edge of the mask, px."""
    top: int
    """Top edge of the mask, px."""
    size: int
    """Number of pixels that it would cover without occlusion."""

    @property
    def visible(self) -> float:
        """Fraction of the piece's pixels that nothing occludes, 0..1."""
        return float(np.count_nonzero(self.seen)) / max(1, self.size)


def fill(
    flat: Arm,
    leaning: Arm,
    pieces: tuple[str, ...],
    eye: Floats,
    light: Floats,
    made: Finish,
    rng: np.random.Generator,
) -> tuple[Image, Heights, tuple[PieceInPalm, ...]]:
    """Drop and draw pieces in a palm; return the canvas's colours and heights (mm), and the pieces, lowest first.

    flat, leaning: the arm from straight above, and from the camera's view. pieces: their kinds. eye: position of
    the camera, mm, and light: direction towards the key light, both in the hand's local coordinates. made:
    materials.
    """
    reach, column, row = round(REACH_MM * SCALE), round(ORIGIN[0]), round(ORIGIN[1])
    area = (slice(row - reach, row + reach), slice(column - reach, column + reach))
    # Outside the hand there is a wall, so that no piece falls off.
    inside = cv2.erode(flat.cover[area], np.ones((7, 7), np.uint8)) > 200
    ground = np.where(inside, flat.height[area], 45.0).astype(np.float32)
    solids = tuple(made.solid(kind) for kind in pieces)
    best: tuple[Image, Heights, tuple[PieceInPalm, ...]] | None = None
    least = -1.0
    for _ in range(_MAX_DROPS):
        heap = sorted(drop_pieces(solids, ground, SCALE, rng, made.heap), key=lambda body: float(body.centre[2]))
        tried = _draw_heap(leaning, heap, eye, light, made)
        worst = min(lying.visible for lying in tried[2])
        if worst > least:
            best, least = tried, worst
        if least >= _MIN_VISIBLE:
            break
    if best is None:
        raise ValueError("There must be a piece to lie in the palm.")
    return best


def _draw_heap(
    leaning: Arm,
    heap: list[Body],
    eye: Floats,
    light: Floats,
    made: Finish,
) -> tuple[Image, Heights, tuple[PieceInPalm, ...]]:
    """Draw bodies at rest (`heap`, lowest first) on an arm; return canvas colours, heights (mm), pieces.

    leaning: the arm from the camera's view. eye: position of the camera, mm, and light: direction towards the key
    light, both in the hand's local coordinates. made: materials.
    """

    def project(points: Floats) -> Floats:
        onto = eye[:2] + (points[:, :2] - eye[:2]) * (eye[2] / (eye[2] - points[:, 2:]))
        return as_floats(np.c_[onto[:, 0] * SCALE + ORIGIN[0], ORIGIN[1] - onto[:, 1] * SCALE])

    filled, raised = leaning.colour.copy(), leaning.height.copy()
    contact = 0.55 if made.relief is None else 0.55 * (1 - made.relief.shadow)
    owner = np.zeros(leaning.cover.shape, np.uint8)
    drawings = []
    for number, body in enumerate(heap, start=1):
        drawn = draw(body, project, eye, light, made)
        there = _area(drawn)
        _darken_around(filled, drawn, light, contact)
        # A finger that is higher than the piece occludes it.
        level = float(body.corners()[:, 2].max()) + _SKIN_MM
        free = np.clip((level - leaning.height[there]) / _SKIN_MM, 0, 1) * (leaning.cover[there] > 40)
        weight = (drawn.cover / 255.0 * free)[..., None]
        filled[there] = (filled[there] * (1 - weight) + drawn.colour * weight).astype(np.uint8)
        seen = weight[..., 0] > 0.5
        owner[there][seen] = number
        if drawn.height is not None:
            raised[there][seen] = drawn.height[seen]
        drawings.append((body.solid.kind, drawn))
    return (
        filled,
        as_heights(raised),
        tuple(
            PieceInPalm(kind, owner[_area(d)] == number, d.left, d.top, int(np.count_nonzero(d.cover > 127)))
            for number, (kind, d) in enumerate(drawings, start=1)
        ),
    )


def _area(drawn: Drawn) -> tuple[slice, slice]:
    """Return the rows and columns of the canvas that a drawn piece occupies."""
    height, width = drawn.cover.shape
    return slice(drawn.top, drawn.top + height), slice(drawn.left, drawn.left + width)


def _darken_around(canvas: Image, drawn: Drawn, light: Floats, strength: float) -> None:
    """Darken a canvas around a piece in place, most on the side away from the light. strength: 0..1."""
    pad = 10
    grown = cv2.copyMakeBorder(drawn.cover, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    reach = 4.0 * SCALE / max(0.5, float(light[2]))
    shift = np.array([[1, 0, -light[0] * reach], [0, 1, light[1] * reach]])
    moved = cv2.warpAffine(grown, shift, (grown.shape[1], grown.shape[0]))
    soft = as_image(cv2.GaussianBlur(cv2.max(grown, moved), (0, 0), 1.6))
    under = canvas[
        drawn.top - pad : drawn.top - pad + soft.shape[0], drawn.left - pad : drawn.left - pad + soft.shape[1]
    ]
    under[:] = (under * (1 - strength / 255.0 * soft[..., None].astype(np.float32))).astype(np.uint8)
