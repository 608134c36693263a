"""Projection of a simulated camera: table mm to px, lens distortion included."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.simulated.appearance import Look
from vision.cameras.simulated.array_types import Floats, as_floats, as_image

WIDTH = 1280
"""Width of every picture, px."""
HEIGHT = 720
"""Height of every picture, px."""
MARGIN_X = 64
"""Margin of the drawn picture on the left and right before lens distortion, px."""
MARGIN_Y = 40
"""Margin of the drawn picture at top and bottom before lens distortion, px."""


class CameraProjection:
    """Camera of a look: projection from table mm to px.

    Scenes are first drawn on a picture of a pinhole camera with a margin (the drawn picture, of `size`). `bend`
    applies lens distortion and cuts the margin off, which gives the final picture.
    """

    def __init__(self, look: Look) -> None:
        focal = WIDTH / 2 / float(np.tan(np.radians(look.hfov / 2)))
        self.matrix: Floats = np.array(
            [[focal, 0, (WIDTH - 1) / 2], [0, focal, (HEIGHT - 1) / 2], [0, 0, 1.0]], dtype=np.float64
        )
        self.distortion: Floats = np.array([look.k1, look.k2, 0.0, 0.0, 0.0])
        self.size = (WIDTH + 2 * MARGIN_X, HEIGHT + 2 * MARGIN_Y)
        back = look.height * float(np.tan(np.radians(look.tilt)))
        self.position: Floats = np.array([look.aim[0], look.aim[1] - back, look.height])
        forward = np.array([look.aim[0], look.aim[1], 0.0]) - self.position
        forward /= np.linalg.norm(forward)
        right = np.cross(forward, [0.0, 1.0, 0.0])
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        turn = np.radians(look.yaw)
        self.rotation: Floats = np.stack(
            [np.cos(turn) * right + np.sin(turn) * down, np.cos(turn) * down - np.sin(turn) * right, forward]
        )
        self._drawn = self.matrix + np.array([[0, 0, MARGIN_X], [0, 0, MARGIN_Y], [0, 0, 0]])
        self._maps = _lens_maps(focal, look.k1, look.k2)

    def plane(self, height: float = 0.0) -> Floats:
        """Return the homography (3×3) from (x, y), mm, at a height over the table, mm, to drawn px."""
        shift = -self.rotation @ self.position
        columns = (self.rotation[:, 0], self.rotation[:, 1], self.rotation[:, 2] * height + shift)
        return as_floats(self._drawn @ np.stack(columns, axis=1))

    def drawn(self, points: Floats) -> Floats:
        """Project table points (N, 3), mm, to px (N, 2) of the drawn picture, which has no lens distortion."""
        rays = (as_floats(points) - self.position) @ self.rotation.T
        pixels = rays @ self._drawn.T
        return as_floats(pixels[:, :2] / pixels[:, 2:])

    def final(self, drawn: Floats) -> Floats:
        """Convert px (N, 2) of the drawn picture to px of the final one; those in the margin lie outside of it."""
        centred = (as_floats(drawn) - self._drawn[:2, 2]) / self._drawn[0, 0]
        squared = np.sum(centred**2, axis=1, keepdims=True)
        bent = centred * (1 + self.distortion[0] * squared + self.distortion[1] * squared**2)
        return as_floats(bent * self.matrix[0, 0] + self.matrix[:2, 2])

    def project(self, points: Floats) -> Floats:
        """Project table points (N, 3), mm, to px (N, 2) of the final picture, with lens distortion."""
        return self.final(self.drawn(points))

    def bend(self, drawn: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the final picture made from the drawn one: lens distortion applied, margin cut off."""
        bent = cv2.remap(drawn, self._maps[0], self._maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return as_image(bent)


@lru_cache(maxsize=2)
def _lens_maps(focal: float, k1: float, k2: float) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return the two maps with which `cv2.remap` applies lens distortion to the drawn picture.

    focal: focal length, px. k1, k2: radial distortion coefficients.
    """
    ys, xs = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float64)
    dx, dy = (xs - (WIDTH - 1) / 2) / focal, (ys - (HEIGHT - 1) / 2) / focal
    bent = np.sqrt(dx**2 + dy**2)
    straight = bent.copy()
    for _ in range(5):  # Newton's method; the lens is mild, so that this is far below a thousandth of a pixel
        squared = straight**2
        error = straight * (1 + k1 * squared + k2 * squared**2) - bent
        straight -= error / (1 + 3 * k1 * squared + 5 * k2 * squared**2)
    scale = np.divide(straight, bent, out=np.ones_like(bent), where=bent > 0) * focal
    fine_x = (dx * scale + ((WIDTH - 1) / 2 + MARGIN_X)).astype(np.float32)
    fine_y = (dy * scale + ((HEIGHT - 1) / 2 + MARGIN_Y)).astype(np.float32)
    first, second = cv2.convertMaps(fine_x, fine_y, cv2.CV_16SC2)
    return first, second
