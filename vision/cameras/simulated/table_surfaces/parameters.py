"""Parameters of a simulated table top: material or cover, playmat, edge, and clutter."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, get_args

import numpy as np

Kind = Literal[
    "wood", "planks", "parquet", "veneer", "checks", "gingham", "stripes", "dots", "flowers", "paisley", "lace",
    "tiles", "newspaper", "felt", "stone", "plain", "patchwork", "herringbone", "tartan", "terrazzo", "hexagons",
]  # fmt: skip # a list of names
"""Material or pattern of a ground."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""All kinds of ground."""
Outline = Literal["rectangle", "round"]
"""Outline of a table."""
Bgr = tuple[int, int, int]
"""Colour as blue, green, red, 0..255."""

_COMMON: Final[dict[Kind, float]] = {"wood": 4.0, "planks": 2.0, "veneer": 2.0, "felt": 1.5, "plain": 2.0}
"""Relative frequency of common kinds in `Ground.from_seed`; 1 for the others."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Edge of a table top, and the floor beyond."""

    outline: Outline = "rectangle"
    """Outline of the table."""
    size: tuple[float, float] = (1400.0, 850.0)
    """Width and depth, mm."""
    centre: tuple[float, float] = (0.0, 0.0)
    """Centre, mm."""
    seed: int = 0
    """Seed of the floor beyond."""


@dataclass(frozen=True, slots=True)
class Playmat:
    """A printed mat."""

    seed: int = 0
    """Seed of its print."""
    size: tuple[float, float] = (610.0, 360.0)
    """Width and depth, mm."""
    angle: float = 0.0
    """Angle, degrees clockwise."""
    centre: tuple[float, float] = (0.0, 0.0)
    """Centre, mm."""


@dataclass(frozen=True, slots=True)
class Ground:
    """All parameters of a table top; equal grounds produce equal pictures."""

    kind: Kind = "wood"
    """Material or pattern."""
    seed: int = 0
    """Seed of grain, layout, and colours that are not given."""
    angle: float = 0.0
    """Angle of the grain or pattern, degrees clockwise; at 0 grain and stripes run along +x."""
    scale: float = 1.0
    """Size of the pattern relative to the default."""
    contrast: float = 1.0
    """Contrast of the pattern relative to the default."""
    colours: tuple[Bgr, ...] = field(default=())
    """Colours (BGR) to use first, the base colour first of all; further ones are random."""
    gloss: float = 0.0
    """Strength of lamp reflections, 0..1."""
    wear: float = 0.0
    """Stains and uneven colour, 0..1."""
    clutter: int = 0
    """Number of objects that lie on the table."""
    playmat: Playmat | None = None
    """Printed mat, if any."""
    edge: Edge | None = None
    """Edge of the table, if visible."""

    @classmethod
    def from_seed(cls, seed: int, kinds: tuple[Kind, ...] = KINDS, straight: float = 0.5) -> Ground:
        """Return the random parameters of a table top of one of these kinds.

        straight: probability that grain or pattern is about parallel to the table's sides.
        """
        rng = np.random.default_rng([seed, 0x6A0D])
        weights = np.array([_COMMON.get(kind, 1.0) for kind in kinds])
        kind = kinds[int(rng.choice(len(kinds), p=weights / weights.sum()))]
        parallel = float(rng.integers(4) * 90 + rng.normal(0, 3))
        return cls(
            kind=kind,
            seed=seed,
            angle=parallel if rng.random() < straight else float(rng.uniform(0, 360)),
            scale=float(np.exp(rng.uniform(-0.5, 0.5))),
            contrast=float(rng.uniform(0.35, 0.9)) if rng.random() < 0.3 else 1.0,
            gloss=float(rng.uniform(0.2, 1.0)) if rng.random() < (0.1 if kind in _CLOTHS else 0.3) else 0.0,
            wear=float(rng.uniform(0.1, 1.0)) if rng.random() < 0.35 else 0.0,
            clutter=int(rng.integers(1, 8)) if rng.random() < 0.35 else 0,
            playmat=_playmat(rng) if rng.random() < 0.12 else None,
            edge=_edge(rng) if rng.random() < 0.25 else None,
        )


_CLOTHS: Final = frozenset(
    ("checks", "gingham", "stripes", "dots", "flowers", "paisley", "lace", "felt", "patchwork", "tartan")
)
"""Kinds of cloth."""


def _playmat(rng: np.random.Generator) -> Playmat:
    width = float(rng.uniform(420, 1100))
    return Playmat(
        seed=int(rng.integers(1 << 30)),
        size=(width, float(width * rng.uniform(0.5, 0.75))),
        angle=float(rng.normal(0, 3)) if rng.random() < 0.8 else float(rng.uniform(0, 360)),
        centre=(float(rng.normal(0, 40)), float(rng.normal(0, 30))),
    )


def _edge(rng: np.random.Generator) -> Edge:
    round_table = rng.random() < 0.3
    width = float(rng.uniform(1050, 1400) if round_table else rng.uniform(1150, 1800))
    depth = width if round_table else float(rng.uniform(720, 1150))
    return Edge(
        outline="round" if round_table else "rectangle",
        size=(width, depth),
        centre=(float(rng.normal(0, 40)), float(rng.normal(0, 30))),
        seed=int(rng.integers(1 << 30)),
    )
