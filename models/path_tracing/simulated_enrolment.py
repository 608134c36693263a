"""Simulated enrolment of the pieces in path-traced hands, which have no table to enrol pieces on.

The colours of painted pieces are measured on fully visible ones. Those of signs are computed from their printed
faces in the light of these pieces.
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

from calibration.light.light_field import linear
from models.detector.random_pieces import random_emblem, random_paint
from models.path_tracing.hand_crops import RenderedPiece, enrolled_area, rendered_hands
from models.synthetic_hand_reveals import ONLY_SEARCH_KIND, SIGNS
from vision.cameras.frame import Image
from vision.kind_colours import KindColours, model_in_any_light
from vision.readings import Box

_MIN_VISIBLE = 0.9
"""Visible fraction from which a piece is used to measure the paint's colour."""
_FALLBACK_VISIBLE = 0.5
"""Visible fraction that suffices where no piece is visible that much."""
_EVENLY = 0.25
"""Deviation of log brightness from the median within which a pixel counts as evenly lit."""
_EXPOSURE_SPREAD = 0.15
"""Standard deviation of the log of the light's strength between enrolment and play."""
_TINT_SPREAD = 0.04
"""Standard deviation of the log of each channel between enrolment and play."""
_AREA_SPREAD = 0.15
"""Standard deviation of the log of areas between enrolments."""
_TYPICAL_MM2 = 250.0
"""Typical area of kinds that a rendered hand does not contain, mm²."""
_OTHER_AREA_SPREAD = 0.3
"""Standard deviation of the log of areas of kinds that a rendered hand does not contain."""
_DEFAULT_LIGHT = 0.5
"""Ratio of visible to painted brightness, where no painted piece is visible."""
_GRAIN_SPREAD = 0.05
"""Standard deviation of the log of light within a painted piece."""
_DEFAULT_PIXELS = 40
"""Number of pixels generated for painted pieces that are not visible."""
_MIN_PIECE_PX = 3.0
"""Smallest visible size of a piece in the picture."""

Light = NDArray[np.float32]
"""Linear BGR 0..1, shape (n, 3)."""


@dataclass(frozen=True, slots=True)
class TracedHand:
    """One path-traced hand with its ground truth."""

    seed: int
    """Seed of the render job."""
    picture: Image
    """BGR picture."""
    pieces: tuple[RenderedPiece, ...]
    """Pieces that came to rest in the hand."""
    faces: tuple[Image | None, ...]
    """Printed face (BGR) of each piece of the job; None without print."""
    paints: tuple[tuple[int, int, int], ...]
    """Paint (BGR) of each piece of the job."""
    areas: tuple[float, ...]
    """Area that enrolment would measure for each piece of the job, mm²."""


def read_hands(source: Path) -> list[TracedHand]:
    """Return the rendered hands in a folder with their ground truth, sorted by seed."""
    jobs = {int(job["seed"]): job["pieces"] for job in json.loads((source / "specs.json").read_text("utf-8"))}
    return [
        TracedHand(
            seed,
            picture,
            pieces,
            tuple(_read_face(source, thing) for thing in jobs[seed]),
            tuple((int(b), int(g), int(r)) for b, g, r in (thing["paint"] for thing in jobs[seed])),
            tuple(enrolled_area(thing["outline"]) for thing in jobs[seed]),
        )
        for seed, picture, pieces in rendered_hands(source)
    ]


def _read_face(source: Path, thing: dict[str, Any]) -> Image | None:
    """Return the printed face (BGR) of a piece; None without one. thing: specification of the piece."""
    if thing["face"] is None:
        return None
    face = cv2.imread(str(source / thing["face"]))
    return None if face is None else np.asarray(face, np.uint8)


def visible_pieces(hand: TracedHand) -> list[RenderedPiece]:
    """Return the pieces in a hand whose visible part is wider and higher than a few pixels."""
    return [one for one in hand.pieces if one.box is not None and min(one.box[2:]) > _MIN_PIECE_PX]


def piece_kinds(hand: TracedHand) -> list[str]:
    """Return the kind of each piece of the render job: a sign if it has a printed face, else a search piece."""
    signs = iter(SIGNS)
    return [ONLY_SEARCH_KIND if face is None else next(signs, SIGNS[-1]) for face in hand.faces]


def enrolled_colours(
    hand: TracedHand,
    there: Sequence[RenderedPiece],
    square: Image,
    placed: Sequence[Box],
    rng: np.random.Generator,
    known: Collection[str],
) -> dict[str, KindColours]:
    """Return the colour model of each enrolled kind, as if enrolled in slightly different light.

    there: visible pieces of the hand. square: crop of the hand. placed: box of each visible piece, px of the crop.
    known: signs that count as enrolled.
    """
    wood = [(one, box) for one, box in zip(there, placed, strict=True) if hand.faces[one.job_index] is None]
    plain = [central_light(square, box) for one, box in wood if one.visible >= _MIN_VISIBLE]
    plain = plain or [central_light(square, box) for one, box in wood if one.visible >= _FALLBACK_VISIBLE]
    if plain:
        of_wood = next(of for of, face in zip(hand.paints, hand.faces, strict=True) if face is None)
        seen = np.concatenate(plain) if rng.random() < 0.5 else _evenly_lit(plain[int(rng.integers(len(plain)))])
        shown = np.median(seen, axis=0).mean() / max(0.01, float(_linear_paint(of_wood).mean()))
    else:
        shown = _DEFAULT_LIGHT
        seen = (
            shown
            * _linear_paint(random_paint(rng))
            * np.exp(rng.normal(0, _GRAIN_SPREAD, (_DEFAULT_PIXELS, 1))).astype(np.float32)
        )
    light = np.exp(rng.normal(0, _EXPOSURE_SPREAD) + rng.normal(0, _TINT_SPREAD, 3)).astype(np.float32)
    models = {ONLY_SEARCH_KIND: model_in_any_light(seen * light)}
    held = [face for face in hand.faces if face is not None]
    for number, sign in enumerate(SIGNS):
        face = held[number] if number < len(held) else np.asarray(random_emblem(rng)[..., :3], np.uint8)
        if sign in known:
            models[sign] = model_in_any_light(_face_light(face) * np.float32(shown) * light)
    return models


def enrolled_areas(
    hand: TracedHand, models: Mapping[str, KindColours], rng: np.random.Generator
) -> dict[str, float]:
    """Return the area (mm²) with which each kind of `models` would be enrolled, with random errors.

    Kinds that are not in the hand have a typical area. models: colour models of the enrolled kinds.
    """
    known = dict(zip(reversed(piece_kinds(hand)), reversed(hand.areas), strict=True))
    return {
        kind: known.get(kind, _TYPICAL_MM2 * math.exp(rng.normal(0, _OTHER_AREA_SPREAD)))
        * math.exp(rng.normal(0, _AREA_SPREAD))
        for kind in models
    }


def _linear_paint(of: tuple[int, int, int]) -> Light:
    """Return a paint (BGR, 0 to 255) as linear light, (1, 3)."""
    return np.asarray(linear(np.array([[of]], np.uint8)), np.float32).reshape(1, 3)


def _face_light(face: Image) -> Light:
    """Return the linear BGR pixels of a printed face, blurred as by a camera, (n, 3)."""
    small = cv2.resize(face, (16, 16), interpolation=cv2.INTER_AREA).astype(np.uint8)
    return np.asarray(linear(small), np.float32).reshape(-1, 3)


def _evenly_lit(light: Light) -> Light:
    """Return the pixels whose brightness is near the median, as on a piece that lies flat, (m, 3)."""
    bright = np.log(light.mean(axis=1) + 0.003)
    return np.asarray(light[np.abs(bright - np.median(bright)) <= _EVENLY], np.float32)


def central_light(square: Image, box: Box) -> Light:
    """Return the linear BGR pixels in the middle half of a box, (n, 3). square: picture, BGR. box: px."""
    x, y, width, height = box
    rows, columns = (slice(int(a + side / 4), int(a + 3 * side / 4) + 1) for a, side in ((y, height), (x, width)))
    return np.asarray(linear(square[rows, columns]).reshape(-1, 3), np.float32)
