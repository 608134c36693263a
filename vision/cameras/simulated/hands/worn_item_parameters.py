"""Random parameters of simulated people: rings, watches, gloves, nails and sleeves, and how their hands differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from vision.cameras.simulated.table_surfaces.colours import hsv, paint, unlike
from vision.cameras.simulated.table_surfaces.parameters import Bgr

METALS: tuple[Bgr, ...] = ((70, 170, 215), (190, 192, 194), (120, 150, 200), (60, 60, 62))
"""Gold, silver, rose gold and blackened steel, BGR."""


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring."""

    finger: int
    """Finger, 0: thumb … 4: little finger."""
    width: float
    """Width, mm."""
    metal: Bgr
    """Colour of the metal, BGR."""
    stone: Bgr | None = None
    """Colour of its stone, BGR; None without one."""


@dataclass(frozen=True, slots=True)
class Band:
    """A watch or bracelet."""

    sort: Literal["watch", "cuff", "beads"]
    """Kind."""
    below: float
    """Distance of its centre below the wrist, mm."""
    width: float
    """Width, mm."""
    paints: tuple[Bgr, Bgr]
    """Two paints, BGR."""
    tilt: float
    """Tilt, degrees."""


@dataclass(frozen=True, slots=True)
class Glove:
    """A glove."""

    paint: Bgr
    """Paint, BGR."""
    fingerless: bool
    """Whether the fingertips are bare."""
    knit: float
    """Strength of its knit, 0..1."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """The pattern of a sleeve."""

    sort: Literal["along", "round", "checked"]
    """Stripes along the arm, around it, or both."""
    paint: Bgr
    """Second paint, BGR."""
    period: float
    """Period, mm."""


@dataclass(frozen=True, slots=True)
class Worn:
    """How one person's hand and arm differ from the catalogue's."""

    size: float = 1.0
    """Size relative to the catalogue's; a child's: 0.75, a large man's: 1.2."""
    rings: tuple[Ring, ...] = ()
    """Rings."""
    bands: tuple[Band, ...] = ()
    """Watches and bracelets."""
    nails: tuple[Bgr, float] | None = None
    """Paint of the nails (BGR) and the length by which they protrude, mm."""
    glove: Glove | None = None
    """Glove."""
    pattern: Pattern | None = None
    """Pattern of the sleeve."""
    cloth: Bgr | None = None
    """Colour of the sleeve, BGR."""
    curled: tuple[int, ...] = ()
    """Fingers of the open hand that are bent over the palm, 0: thumb … 4: little finger."""

    @classmethod
    def random(cls, rng: np.random.Generator) -> Worn:
        """Return random values for one person; most people wear something."""
        share = rng.random()
        size = (
            rng.uniform(0.75, 0.9)
            if share < 0.22
            else rng.uniform(1.05, 1.2)
            if share < 0.4
            else rng.normal(1, 0.04)
        )
        cloth = paint(rng)
        return cls(
            size=float(np.clip(size, 0.75, 1.2)),
            rings=tuple(_ring(rng) for _ in range(int(rng.integers(1, 4)))) if rng.random() < 0.3 else (),
            bands=tuple(_band(rng) for _ in range(int(rng.integers(1, 3)))) if rng.random() < 0.35 else (),
            nails=(_varnish(rng), float(rng.uniform(0.5, 7))) if rng.random() < 0.2 else None,
            glove=_glove(rng) if rng.random() < 0.07 else None,
            pattern=_pattern(rng, cloth) if rng.random() < 0.35 else None,
            cloth=cloth,
            curled=_curled(rng) if rng.random() < 0.1 else (),
        )


def _ring(rng: np.random.Generator) -> Ring:
    stone = hsv(rng.uniform(0, 180), rng.uniform(60, 240), rng.uniform(60, 230)) if rng.random() < 0.3 else None
    finger = int(rng.choice(5, p=(0.1, 0.2, 0.25, 0.35, 0.1)))
    return Ring(finger, float(rng.uniform(2, 6.5)), METALS[int(rng.integers(len(METALS)))], stone)


def _band(rng: np.random.Generator) -> Band:
    sort: Literal["watch", "cuff", "beads"] = ("watch", "cuff", "beads")[int(rng.integers(3))]
    metal = METALS[int(rng.integers(len(METALS)))]
    first = metal if rng.random() < 0.4 else paint(rng)
    width = {"watch": rng.uniform(14, 24), "cuff": rng.uniform(2, 14), "beads": rng.uniform(4, 11)}[sort]
    return Band(sort, float(rng.uniform(6, 42)), float(width), (first, unlike(rng, first)), float(rng.normal(0, 7)))


def _varnish(rng: np.random.Generator) -> Bgr:
    if rng.random() < 0.5:
        return hsv(rng.uniform(165, 184), rng.uniform(90, 240), rng.uniform(90, 235))
    return paint(rng)


def _glove(rng: np.random.Generator) -> Glove:
    return Glove(paint(rng), bool(rng.random() < 0.4), float(rng.uniform(0, 1)))


def _pattern(rng: np.random.Generator, cloth: Bgr) -> Pattern:
    sort: Literal["along", "round", "checked"] = ("along", "round", "checked")[int(rng.integers(3))]
    return Pattern(sort, unlike(rng, cloth), float(rng.uniform(6, 50)))


def _curled(rng: np.random.Generator) -> tuple[int, ...]:
    first = int(rng.integers(0, 5))
    return (first, first + 1) if 0 < first < 4 and rng.random() < 0.4 else (first,)
