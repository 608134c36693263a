"""Random poses and skin colours of generated hands.

Needs nothing but NumPy. Lengths in centimetres, z up, fingers towards +y, a right hand with its palm up; the
proportions are those of a common adult hand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

_KNUCKLES = ((2.55, 3.9), (0.85, 4.35), (-0.9, 4.05), (-2.5, 3.3))
"""Positions of the knuckles, index finger first, of a right hand with its palm up."""
_PHALANGES = ((4.1, 2.5, 2.1), (4.6, 2.9, 2.2), (4.3, 2.7, 2.2), (3.4, 2.0, 1.9))
"""Lengths of the phalanges of index, middle, ring and little finger, cm."""
_THICK = (1.0, 0.94, 0.86, 0.74)
"""Radius of a finger at its base, at its joints and at its tip, cm."""
BELOW_CM = -1.25
"""Height of the bones relative to the palm's skin, cm."""
_TONES = (
    (0.72, 0.46, 0.35), (0.62, 0.37, 0.26), (0.52, 0.29, 0.19), (0.40, 0.21, 0.13), (0.28, 0.14, 0.085),
    (0.17, 0.085, 0.055), (0.09, 0.045, 0.032), (0.66, 0.36, 0.30),
)  # fmt: skip # a table of colours
"""Skin reflectances (linear red, green, blue)."""


@dataclass(frozen=True, slots=True)
class Bone:
    """A section of a hand: a cone with rounded ends."""

    start: Any
    """Start point, cm."""
    end: Any
    """End point, cm."""
    thick: tuple[float, float]
    """Radius at start and end, cm."""
    part: str
    """Name of the section: "palm", "finger", "tip" or "arm"."""
    flexor: Any
    """Unit vector towards which the finger bends, from the bone to the palm side."""


def random_bones(rng: np.random.Generator, *, closed: bool) -> list[Bone]:
    """Return a random pose of a right hand, palm up, as bones. closed: whether it is a fist."""
    up = np.array([0.0, 0.0, 1.0])
    stout = float(rng.uniform(0.88, 1.15))
    bones = [
        Bone(_point(0, -7), _point(0, -22, -0.5), (2.2 * stout, 3.3 * stout), "arm", up),
        Bone(_point(0.5, -7.5), _point(0.6, -4), (2.0 * stout, 1.8), "palm", up),
        Bone(_point(-0.7, -7.5), _point(-0.9, -4), (1.9 * stout, 1.7), "palm", up),
        Bone(_point(-2, -3.6, 0.2), _point(-2.5, 1.6), (1.6, 1.25), "palm", up),
        *(
            Bone(_point(0.45 * x, -4.2), _point(x, 3.4 - 0.2 * abs(x)), (1.55, 1.3), "palm", up)
            for x in (-1.8, 0.0, 1.7)
        ),
    ]
    bend = _fist_angles(rng) if closed else _cupped_angles(rng)
    splay = float(rng.uniform(0, 5) if closed else rng.uniform(2, 14))
    for finger, ((x, y), lengths) in enumerate(zip(_KNUCKLES, _PHALANGES, strict=True)):
        at = _point(x, y, float(rng.normal(0, 0.1)))
        bones.append(Bone(_point(0.62 * x, -3.8), at, (1.6, 1.3), "palm", up))
        away = math.radians(splay * (1.1 - 0.75 * finger) + float(rng.normal(0, 2.5)))
        total = 0.0
        for joint, length in enumerate(lengths):
            further = bend[joint] + float(rng.normal(0, 6)) + (0 if closed else 4 * finger)
            total += math.radians(max(-8.0, further))
            flat = np.array([math.sin(away), math.cos(away), 0.0])
            along = math.cos(total) * flat + math.sin(total) * up
            flexor = -math.sin(total) * flat + math.cos(total) * up
            end = at + along * length * float(rng.uniform(0.94, 1.06))
            first, then = (wide * stout * (0.85 if finger == 3 else 1.0) for wide in _THICK[joint : joint + 2])
            bones.append(Bone(at, end, (first, then), "finger" if joint < 2 else "tip", flexor))
            at = end
    return bones + _thumb_bones(closed, stout, rng)


def _fist_angles(rng: np.random.Generator) -> tuple[float, float, float]:
    """Return random angles (degrees) of the three joints of a fist's fingers, tight or loose."""
    first = float(rng.uniform(10, 95))
    second = float(rng.uniform(95, 122))
    return first, second, min(85.0, max(float(rng.uniform(30, 80)), 200 - first - second))


def _cupped_angles(rng: np.random.Generator) -> tuple[float, float, float]:
    """Return random angles (degrees) of the three joints of an open hand's fingers, flat to strongly cupped."""
    cup = float(rng.uniform(0, 1)) ** 1.3
    return 38 * cup * float(rng.uniform(0.6, 1)), 5 + 55 * cup * float(rng.uniform(0.6, 1)), 5 + 30 * cup


def _thumb_bones(closed: bool, stout: float, rng: np.random.Generator) -> list[Bone]:
    """Return the bones of a random thumb: stretched, or for a fist across, beside or under the fingers.

    stout: factor on its thickness.
    """
    root, side = _point(2, -4, 0.4), np.array([-0.4, 0.3, 0.85])
    chance = rng.random()
    if closed and chance < 0.55:
        high = float(rng.uniform(2.2, 3.9))
        places = [
            (3.9, -0.6, 1.2),
            (3.4, 1.9, high),
            (float(rng.uniform(-0.4, 1.8)), float(rng.uniform(1.2, 3.4)), high + 0.3),
        ]
    elif closed and chance < 0.85:
        places = [
            (4.0, -0.4, 0.3),
            (4.0, 2.4, 1.6),
            (float(rng.uniform(2.8, 4.2)), 4.4, float(rng.uniform(1.4, 2.8))),
        ]
    elif closed:
        places = [(3.6, -0.6, 0.6), (2.4, 1.6, 0.9), (0.4, 2.8, 0.7)]
    else:
        out, rise = float(rng.uniform(0.25, 1.25)), float(rng.uniform(-0.2, 0.75))
        along = np.array([math.sin(out), math.cos(out), rise])
        along /= np.linalg.norm(along)
        inward = np.array([-0.25, 0.25, 0.2]) * float(rng.uniform(0, 1.4))
        first = _point(3.5, -1, 0.5)
        second = first + 3.1 * along
        tip = along + inward
        places = [tuple(first), tuple(second), tuple(second + 2.8 * tip / np.linalg.norm(tip))]
    ends = [root, *(np.array(place) + rng.normal(0, 0.15, 3) for place in places)]
    thick = ((1.7, 1.35), (1.1 * stout, 0.95 * stout), (0.98 * stout, 0.72 * stout))
    parts = ("palm", "finger", "tip")
    return [Bone(a, b, t, part, side) for (a, b), t, part in zip(pairwise(ends), thick, parts, strict=True)]


def _point(x: float, y: float, higher: float = 0.0) -> Any:
    """Return the point (x, y) at the height of the bones, as an array (3,). higher: height above that, cm."""
    return np.array([x, y, BELOW_CM + higher])


def random_rotation(rng: np.random.Generator, *, closed: bool) -> Any:
    """Return a random rotation (3, 3), mainly about the arm; fists may also lie on a side or palm down."""
    roll = float(rng.choice([0, 90, 180], p=[0.6, 0.25, 0.15])) if closed else 0.0
    roll = math.radians(roll + float(rng.normal(0, 18 if closed else 9)))
    pitch = math.radians(float(rng.normal(0, 12 if closed else 9)))
    about_y = np.array([[math.cos(roll), 0, math.sin(roll)], [0, 1, 0], [-math.sin(roll), 0, math.cos(roll)]])
    about_x = np.array([[1, 0, 0], [0, math.cos(pitch), -math.sin(pitch)], [0, math.sin(pitch), math.cos(pitch)]])
    return about_x @ about_y


def random_skin(at: Any, bones: list[Bone], rng: np.random.Generator) -> tuple[Any, Any]:
    """Return random skin colours (linear RGB) of points, and the points with creases engraved, both (points, 3).

    at: points on the skin, (points, 3), cm. Palms are lighter than backs of hands, and fingertips redder; there are
    nails, creases at the joints and lines in the palm.
    """
    tone = (
        np.array(_TONES[int(rng.integers(len(_TONES)))]) * rng.uniform(0.8, 1.2, 3) * float(rng.uniform(0.8, 1.2))
    )
    apart, along, bent = (np.empty((len(bones), len(at))) for _ in range(3))
    for number, bone in enumerate(bones):
        axis = bone.end - bone.start
        t = np.clip((at - bone.start) @ axis / (axis @ axis), 0, 1)
        off = at - bone.start - t[:, None] * axis
        thick = bone.thick[0] + t * (bone.thick[1] - bone.thick[0])
        away = np.linalg.norm(off, axis=1)
        apart[number], along[number], bent[number] = away - thick, t, off @ bone.flexor / np.maximum(away, 1e-6)
    nearest = apart.argmin(axis=0)
    each = np.arange(len(at))
    t, flexed = along[nearest, each], bent[nearest, each]
    parts = np.array([bone.part for bone in bones])[nearest]
    long = np.array([float(np.linalg.norm(bone.end - bone.start)) for bone in bones])[nearest]
    colour = np.tile(tone, (len(at), 1))
    lighter = float(rng.uniform(1.0, 1.25)) if tone.mean() > 0.2 else float(rng.uniform(1.2, 2.2))
    palmar = np.clip(flexed * 1.5 + 0.5, 0, 1)
    colour *= 1 + (lighter - 1) * palmar[:, None]
    red = np.where(parts == "tip", t, 0) + 0.5 * (parts == "palm") * np.clip(flexed, 0, 1)
    colour *= 1 + float(rng.uniform(0, 0.35)) * red[:, None] * np.array([0.3, -0.35, -0.35])
    joint = np.minimum(t, np.where(parts == "tip", 1.0, 1 - t)) * long
    crease = np.isin(parts, ("finger", "tip")) * np.exp(-((joint / 0.09) ** 2)) * np.clip(flexed * 2, 0, 1)
    for _ in range(int(rng.integers(1, 4))):
        crease = np.maximum(crease, (parts == "palm") * (flexed > 0) * _palm_line(at, rng))
    depth = float(rng.uniform(0.15, 0.55))
    colour *= 1 - depth * crease[:, None]
    nail = (parts == "tip") & (t > 0.45) & (flexed < -0.72)
    colour[nail] = colour[nail] * 0.5 + 0.5 * np.minimum(tone * 1.5 + 0.1, 0.8)
    blotch = np.sin(at @ rng.normal(0, 1.1, 3) + rng.uniform(0, 6)) * np.sin(at @ rng.normal(0, 1.4, 3))
    colour *= 1 + float(rng.uniform(0, 0.1)) * blotch[:, None]
    centre = np.array([bone.start for bone in bones])[nearest]
    inward = centre - at
    inward /= np.maximum(np.linalg.norm(inward, axis=1, keepdims=True), 1e-6)
    return np.clip(colour, 0.003, 0.95), at + 0.05 * crease[:, None] * inward


def _palm_line(at: Any, rng: np.random.Generator) -> Any:
    """Return the strength (0..1) of a random line of the palm, an arc, at each point. at: points, (points, 3)."""
    middle, radius = rng.uniform((-1, -9), (7, 1)), float(rng.uniform(3, 8))
    off = np.abs(np.hypot(at[:, 0] - middle[0], at[:, 1] - middle[1]) - radius)
    turn, reach = np.arctan2(at[:, 1] - middle[1], at[:, 0] - middle[0]), float(rng.uniform(0.3, 1.0))
    towards = math.atan2(-middle[1], -middle[0]) + float(rng.normal(0, 0.4))
    within = np.cos(turn - towards) > math.cos(reach)
    return within * np.exp(-((off / 0.09) ** 2))
