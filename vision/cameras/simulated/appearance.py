"""Appearance of a simulated table: camera pose, lens, light, table top, paint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from vision.cameras.simulated.array_types import Floats
from vision.cameras.simulated.hands.relighting import Relief
from vision.cameras.simulated.table_surfaces import Ground

Cast = Literal["everybody", "training", "many", "held out"]
"""Set of hand pictures. training: four fifths of the hands; held out: the other fifth, for evaluation; everybody:
both; many: those of training and further ones that only training uses."""
TableTop = Literal["wood", "felt", "stone"]


@dataclass(frozen=True, slots=True)
class Look:
    """All parameters of a simulated picture but its scene: camera, lens, light, materials, people."""

    seed: int = 0
    """Seed of table grain, noise and paints."""
    height: float = 1060.0
    """Height of the camera, mm."""
    tilt: float = 7.0
    """Angle between the optical axis and straight down, degrees; the camera is tilted towards +y."""
    yaw: float = 0.0
    """Rotation about the optical axis, degrees."""
    hfov: float = 71.0
    """Horizontal field of view without distortion, degrees."""
    k1: float = -0.06
    """First radial distortion coefficient (OpenCV)."""
    k2: float = 0.01
    """Second radial distortion coefficient (OpenCV)."""
    aim: tuple[float, float] = (0.0, 0.0)
    """Point of the table on the optical axis, mm."""
    light_azimuth: float = 320.0
    """Azimuth of the key light, degrees clockwise from +y."""
    light_elevation: float = 55.0
    """Elevation of the key light above the table, degrees."""
    ambient: float = 0.5
    """Share of ambient light, 0..1."""
    tint: tuple[float, float, float] = (0.96, 1.0, 1.03)
    """Colour of the key light, BGR gains."""
    falloff: float = 0.25
    """Falloff of the light over the picture."""
    vignette: float = 0.25
    """Vignetting."""
    exposure: float = 1.0
    """Exposure gain."""
    softness: float = 8.0
    """Softness of shadows, about the blur in px."""
    table: TableTop = "wood"
    """Material of the plain table top, used if `ground` is None."""
    noise: float = 4.0
    """Standard deviation of the sensor noise, grey levels."""
    blur: float = 0.6
    """Standard deviation of the lens blur, px."""
    tones: int = 0
    """Seed by which people are drawn from the cast."""
    cast: Cast = "everybody"
    """Set of hand pictures to use."""
    gloss: float = 0.0
    """Share of the key light that varnished pieces reflect, 0..1."""
    paint: float = 1.0
    """Amount by which pieces' paints vary at random; 0: none, 1: default."""
    relief: Relief | None = None
    """Effects by which hands and pieces in them are relit; None: one shade per face, which is faster."""
    heap: float = 1.0
    """Spread of pieces in a palm relative to the default."""
    ground: Ground | None = None
    """Table top; None draws a plain one of the kind `table`."""
    varied_people: bool = False
    """Whether people vary in hand size, with jewellery, gloves and sleeves of any cloth."""
    second_tint: tuple[float, float, float] | None = None
    """BGR gains of a second light on the opposite side, such as a window."""
    flicker: float = 0.0
    """Relative amplitude of mains flicker over the rows."""
    flicker_bands: float = 1.5
    """Number of flicker bands per picture."""

    @classmethod
    def from_seed(cls, seed: int) -> Look:
        """Return the random, plausible camera, light and table top of a living room; deterministic for a seed."""
        rng = np.random.default_rng([seed, 0x10CC])
        hfov = float(rng.uniform(68.5, 75.5))
        half_width = float(rng.uniform(745.0, 784.0))
        height = min(1140.0, half_width / float(np.tan(np.radians(hfov / 2))))
        lamp = rng.random() < 0.5
        warm = float(rng.uniform(0.02, 0.16)) if lamp else float(rng.uniform(-0.06, 0.05))
        tables: tuple[TableTop, ...] = ("wood", "felt", "stone")
        return cls(
            seed=seed,
            height=height,
            tilt=float(rng.uniform(2.0, 10.0)),
            yaw=float(rng.uniform(-2.0, 2.0)),
            hfov=hfov,
            k1=float(rng.uniform(-0.085, -0.02)),
            k2=float(rng.uniform(-0.005, 0.015)),
            aim=(float(rng.uniform(-12, 12)), float(rng.uniform(-14, 0))),
            light_azimuth=float(rng.uniform(0, 360)),
            light_elevation=float(rng.uniform(42, 68)),
            ambient=float(rng.uniform(0.38, 0.5)) if lamp else float(rng.uniform(0.48, 0.62)),
            tint=(1.0 - 1.1 * warm, 1.0 - 0.25 * warm, 1.0 + 0.35 * warm),
            falloff=float(rng.uniform(0.12, 0.4)),
            vignette=float(rng.uniform(0.08, 0.32)),
            exposure=float(rng.uniform(0.92, 1.18)),
            softness=float(rng.uniform(4, 8)) if lamp else float(rng.uniform(8, 15)),
            table=tables[int(rng.choice(3, p=(0.5, 0.32, 0.18)))],
            noise=float(rng.uniform(2.0, 5.5)),
            blur=float(rng.uniform(0.45, 0.75)),
            tones=int(rng.integers(1 << 16)),
            paint=float(rng.uniform(0.6, 1.4)),
            ground=Ground.from_seed(seed),
        )

    @property
    def light(self) -> Floats:
        """Unit vector from the table towards the key light, in table coordinates: x right, y away, z up."""
        azimuth, elevation = np.radians(self.light_azimuth), np.radians(self.light_elevation)
        flat = float(np.cos(elevation))
        return np.array([np.sin(azimuth) * flat, np.cos(azimuth) * flat, np.sin(elevation)])
