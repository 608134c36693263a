"""What a path-traced hand's table would have been taught: nothing was enrolled there.

What the hand's wood looks like is told by pieces in plain sight; what signs do, by their prints in the light of
that wood: of those that lie in the hand, and of others that do not.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import linear
from models.detector.shapes import emblem, paint
from models.reveal.tables import SIGNS, WOOD
from models.traced.crops import Lying, area_of, seen_in
from vision.cameras.frame import Image
from vision.readings import Box
from vision.reveal.kinds import KindColours, under_all_shades

_PLAINLY, _MIDDLING = 0.9, 0.5
"""Pieces of which so much is in sight show what the wood looks like; where there are none, the second will do."""
_EVENLY = 0.25
"""Enrolled pieces lie flat and are lit evenly: brightness (log) differs by so much from the middle."""
_LIGHTER, _TINTED = 0.15, 0.04
"""Spread (log) of how much lighter it was, and of how else the light was coloured, where things were enrolled."""
_ENROLLED_OFF, _USUAL_MM2, _UNUSUAL = 0.15, 250.0, 0.3
"""Spread (log) of areas from one enrolment to another; how large things are that nobody holds, and its spread."""
_SHOWN, _GRAIN, _MADE_UP = 0.5, 0.05, 40
"""Wood of which nothing is in sight is made up: so much of its paint's light is seen, so much grain, so many
pixels."""
_SPECK_PX = 3.0
"""What is smaller in the picture is not looked for."""

Light = NDArray[np.float32]
"""Linear BGR 0..1, shape (n, 3)."""


@dataclass(frozen=True, slots=True)
class Traced:
    """One path-traced hand: its picture, what lies in it, and what was ordered to fall into it, each with a face
    (BGR, of signs alone), a paint (BGR) and the area of the smallest rectangle round it as enrolled, mm²."""

    seed: int
    picture: Image
    pieces: tuple[Lying, ...]
    faces: tuple[Image | None, ...]
    paints: tuple[tuple[int, int, int], ...]
    areas: tuple[float, ...]


def ordered(source: Path) -> list[Traced]:
    """Read the hands rendered in a folder beside their orders, by seed."""
    orders = {
        int(order["seed"]): order["pieces"] for order in json.loads((source / "specs.json").read_text("utf-8"))
    }
    return [
        Traced(
            seed, picture, pieces, tuple(_face(source, thing) for thing in orders[seed]),
            tuple((int(b), int(g), int(r)) for b, g, r in (thing["paint"] for thing in orders[seed])),
            tuple(area_of(thing["outline"]) for thing in orders[seed]),
        )
        for seed, picture, pieces in seen_in(source)
    ]  # fmt: skip


def _face(source: Path, thing: dict[str, Any]) -> Image | None:
    if thing["face"] is None:
        return None
    face = cv2.imread(str(source / thing["face"]))
    return None if face is None else np.asarray(face, np.uint8)


def in_sight(hand: Traced) -> list[Lying]:
    """Give the pieces of a hand of which more than a speck is in sight."""
    return [one for one in hand.pieces if one.box is not None and min(one.box[2:]) > _SPECK_PX]


def names(hand: Traced) -> list[str]:
    """Call what was ordered by the names of kinds: what has a face is a sign, each kind of them by its face."""
    signs = iter(SIGNS)
    return [WOOD if face is None else next(signs, SIGNS[-1]) for face in hand.faces]


def models_of(
    hand: Traced,
    there: Sequence[Lying],
    square: Image,
    placed: Sequence[Box],
    rng: np.random.Generator,
    known: Collection[str],
) -> dict[str, KindColours]:
    """Say what wood and signs look like, as if they had been enrolled under a light of their own.

    there: what lies in sight; placed: where, in px of the square, the hand's crop; known: the signs enrolled.
    """
    wood = [(one, box) for one, box in zip(there, placed, strict=True) if hand.faces[one.ordered] is None]
    plain = [middle_of(square, box) for one, box in wood if one.visible >= _PLAINLY]
    plain = plain or [middle_of(square, box) for one, box in wood if one.visible >= _MIDDLING]
    if plain:
        of_wood = next(of for of, face in zip(hand.paints, hand.faces, strict=True) if face is None)
        seen = np.concatenate(plain) if rng.random() < 0.5 else _evenly_lit(plain[int(rng.integers(len(plain)))])
        shown = np.median(seen, axis=0).mean() / max(0.01, float(_linear_of(of_wood).mean()))
    else:
        shown = _SHOWN
        seen = shown * _linear_of(paint(rng)) * np.exp(rng.normal(0, _GRAIN, (_MADE_UP, 1))).astype(np.float32)
    light = np.exp(rng.normal(0, _LIGHTER) + rng.normal(0, _TINTED, 3)).astype(np.float32)
    models = {WOOD: under_all_shades(seen * light)}
    held = [face for face in hand.faces if face is not None]
    for number, sign in enumerate(SIGNS):
        face = held[number] if number < len(held) else np.asarray(emblem(rng)[..., :3], np.uint8)
        if sign in known:
            models[sign] = under_all_shades(_print_of(face) * np.float32(shown) * light)
    return models


def areas_of(hand: Traced, models: Mapping[str, KindColours], rng: np.random.Generator) -> dict[str, float]:
    """Say how large each kind is, mm², as if it had been enrolled; what no hand holds is as large as something."""
    known = dict(zip(reversed(names(hand)), reversed(hand.areas), strict=True))
    return {
        kind: known.get(kind, _USUAL_MM2 * math.exp(rng.normal(0, _UNUSUAL)))
        * math.exp(rng.normal(0, _ENROLLED_OFF))
        for kind in models
    }


def _linear_of(of: tuple[int, int, int]) -> Light:
    return np.asarray(linear(np.array([[of]], np.uint8)), np.float32).reshape(1, 3)


def _print_of(face: Image) -> Light:
    """Give the linear light of a face, as a camera would see it, (n, 3)."""
    small = cv2.resize(face, (16, 16), interpolation=cv2.INTER_AREA).astype(np.uint8)
    return np.asarray(linear(small), np.float32).reshape(-1, 3)


def _evenly_lit(light: Light) -> Light:
    bright = np.log(light.mean(axis=1) + 0.003)
    return np.asarray(light[np.abs(bright - np.median(bright)) <= _EVENLY], np.float32)


def middle_of(square: Image, box: Box) -> Light:
    """Give the linear light of the middle of a box, (n, 3)."""
    x, y, width, height = box
    rows, columns = (slice(int(a + side / 4), int(a + 3 * side / 4) + 1) for a, side in ((y, height), (x, width)))
    return np.asarray(linear(square[rows, columns]).reshape(-1, 3), np.float32)
