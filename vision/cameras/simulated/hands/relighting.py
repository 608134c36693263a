"""Relight a hand and pieces in it by their heights: ambient occlusion, soft shadows, edges, colour bleeding.

The plain renderer gives each face one shade; here heights are known for every pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Floats, Heights, Image, as_heights, as_image

_LAMP_SAMPLES = 7
"""Number of points of the lamp that cast shadows."""
_STEPS_MM = (1.5, 3.0, 5.0, 8.0, 12.0, 17.0)
"""Distances from a pixel at which an occluder is searched."""


@dataclass(frozen=True, slots=True)
class Relief:
    """Strength of each effect, 0 to about 1."""

    occlusion: float
    """Ambient occlusion in the gaps of a heap."""
    shadow: float
    """Shadows of pieces."""
    lamp: float
    """Size of the lamp, tangent of its half angle."""
    edges: float
    """Highlights on edges."""
    form: float
    """Shading of the hand's own form."""
    bleed: float
    """Colour bleeding between neighbours."""
    grain: float
    """Wood grain."""

    @classmethod
    def random(cls, rng: np.random.Generator) -> Relief:
        """Return random strengths of all effects."""
        return cls(
            occlusion=float(rng.uniform(0, 1.2)),
            shadow=float(rng.uniform(0, 0.9)),
            lamp=float(np.exp(rng.uniform(np.log(0.05), np.log(0.9)))),
            edges=float(rng.uniform(0, 1.0)),
            form=float(rng.uniform(0, 0.5)),
            bleed=float(rng.uniform(0, 0.6)),
            grain=float(rng.uniform(0, 1.0)),
        )


def relit(
    colour: Image, bare: Heights, raised: Heights, light: Floats, relief: Relief, scale: float, seed: int
) -> Image:
    """Return a relit copy of a hand's canvas.

    colour: as rendered so far, (h, w, 3). bare, raised: heights of the hand alone, and with pieces, mm, (h, w).
    light: unit vector towards the lamp (x right, y up the canvas, z towards the viewer). relief: strengths of the
    effects. scale: px/mm. seed: of the random lamp samples and grain. Hands are rendered with their own folds
    shaded already, so only their large form is shaded again.
    """
    rng = np.random.default_rng([seed, 0x2E11EF])
    above = as_heights(raised - bare)
    piece = np.clip(above, 0, 1)
    heap = as_heights(cv2.GaussianBlur(above, (0, 0), 0.4 * scale))
    gain = np.ones(above.shape, np.float32)
    for reach in (2.0, 5.0, 11.0):
        around = cv2.GaussianBlur(heap, (0, 0), reach * scale)
        gain *= np.exp(-0.6 * relief.occlusion * np.clip((around - heap) / reach, 0, 2.0))
    gain *= 1 - relief.shadow * _shadowed(heap, light, relief.lamp, scale, rng)
    gain *= 1 + relief.form * _slope_shading(bare, light, 5 * scale, scale)
    # Where the surface is convex at the scale of a millimetre, an edge has a highlight.
    curved = heap - cv2.GaussianBlur(heap, (0, 0), 0.9 * scale)
    gain *= 1 + relief.edges * piece * (
        0.3 * np.clip(curved, -0.8, 0.8)
        + 0.8 * np.clip(_slope_shading(raised, light, 0.5 * scale, scale), -0.3, 0.4)
    )
    speckle = cv2.GaussianBlur(rng.standard_normal(above.shape, dtype=np.float32), (0, 0), 2.2, sigmaY=0.6)
    gain *= 1 + 0.25 * relief.grain * piece * speckle
    lit = colour * np.clip(gain, 0.2, 1.6)[..., None]
    near = cv2.GaussianBlur(colour, (0, 0), 4 * scale).astype(np.float32)
    tinge = near / np.maximum(near.mean(axis=2, keepdims=True), 1)
    lit *= 1 + relief.bleed * (tinge - 1) * np.clip(1.15 - gain, 0.1, 1)[..., None]
    return as_image(np.clip(lit, 0, 255))


def _shadowed(ground: Heights, light: Floats, lamp: float, scale: float, rng: np.random.Generator) -> Heights:
    """Return the share of the lamp that is occluded at each pixel, 0..1.

    ground: heights, mm. light: unit vector towards the lamp. lamp: size of the lamp, tangent of its half angle.
    scale: px/mm.
    """
    slope = light[:2] / max(0.3, float(light[2]))
    dark = np.zeros(ground.shape, np.float32)
    for _ in range(_LAMP_SAMPLES):
        towards = slope + lamp * rng.normal(0, 0.7, 2)
        steep = float(np.hypot(*towards)) + 1e-6
        hidden = np.zeros(ground.shape, np.float32)
        for step in _STEPS_MM:
            shift = towards / steep * step * scale
            matrix = np.array([[1, 0, -shift[0]], [0, 1, shift[1]]])
            there = cv2.warpAffine(ground, matrix, ground.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
            np.maximum(hidden, there - ground - step / steep, out=hidden)
        dark += np.clip(hidden / 1.5, 0, 1)
    return as_heights(dark / _LAMP_SAMPLES)


def _slope_shading(ground: Heights, light: Floats, over: float, scale: float) -> Heights:
    """Return the brightness of each pixel relative to a level surface, minus 1, from its slope towards the lamp.

    ground: heights, mm. light: unit vector towards the lamp. over: standard deviation of the smoothing of heights,
    px. scale: px/mm.
    """
    smooth = cv2.GaussianBlur(ground, (0, 0), over)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=scale / 8)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=scale / 8)
    facing = (-across * light[0] + down * light[1] + light[2]) / np.sqrt(1 + across**2 + down**2)
    return as_heights(np.clip(facing / max(0.35, float(light[2])) - 1, -0.9, 0.8))
