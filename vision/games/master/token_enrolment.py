"""Enrols the tokens of any printing from one picture in which all 21 lie in order, row by row."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import ProfileError
from calibration.pieces.samples import PieceSamples, Specimen
from calibration.wording import say
from vision.cameras.frame import Image
from vision.games.master.circles import circle_votes, edges_of, separate_peaks
from vision.games.master.readings import NUMBERS
from vision.games.master.token_faces import disc_crop

_SIDE_PX: Final = 640
"""Longer side of the picture in which discs are searched, px."""
_RADII: Final = np.geomspace(9, 60, 20)
"""Radii that are tried, px of that picture."""
_RATIOS: Final = (1.0, 0.94, 0.87, 0.8)
"""Heights of a disc in widths that are tried: a camera in the hand is rarely straight above."""
_SAME_SIZE: Final = 0.8
"""Share of the best score at which a larger radius is preferred: discs have rings inside their rim."""
_MIN_VOTES: Final = 0.5
"""Votes of a disc, in those of the median disc."""
_MAX_APART: Final = 2.2
"""Largest distance of a disc to the nearest other one, in median distances."""
_SKEWS_DEG: Final = np.arange(-20.0, 20.5, 1.0)
"""Rotations of the rows that are tried, degrees."""
_MAX_ROW_OFFSET: Final = 1.0
"""Largest distance of a disc from its row's line, in radii."""
_DIAMETER_MM: Final = 25.0
"""Diameter that is written down; nothing depends on it."""


@dataclass(frozen=True, slots=True)
class _Discs:
    """Discs of one size in a picture."""

    centres: NDArray[np.float64]
    """(n, 2), px."""
    radius: float
    """Half of a disc's width, px."""
    ratio: float
    """Height of a disc, in widths."""


def token_samples(image: Image) -> Mapping[str, PieceSamples]:
    """Return the samples of all tokens by kind (`token:1` …) from a BGR picture of the 21 in order.

    They lie in one row or several, each read from left to right, without touching one another.

    Raises ProfileError when other than 21 discs are found, or their rows cannot be told apart.
    """
    discs = _find(image)
    if len(discs.centres) != len(NUMBERS):
        raise ProfileError(
            say(
                "{found} discs are found, not {number}: lay all tokens in order in rows with space between them, "
                "on an even ground, and take the picture from above.",
                found=len(discs.centres),
                number=len(NUMBERS),
            )
        )
    axes = np.diag([discs.radius, discs.radius * discs.ratio])
    source = hashlib.sha256(image.tobytes()).hexdigest()[:16]
    samples = {}
    for number, (x, y) in zip(NUMBERS, _in_reading_order(discs), strict=True):
        crop = disc_crop(image, (float(x), float(y)), axes)
        lab = cv2.cvtColor(crop[..., :3].astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
        specimen = Specimen(
            pixels=np.ascontiguousarray(lab[crop[..., 3] > 0], np.float32),
            size_mm=(_DIAMETER_MM, _DIAMETER_MM),
            area_mm2=math.pi * _DIAMETER_MM**2 / 4,
            crop=crop,
            source=source,
        )
        samples[f"token:{number}"] = PieceSamples((specimen,))
    return samples


def _find(image: Image) -> _Discs:
    """Return the discs of the size of which most are seen, at most a few more than there are tokens."""
    shrink = min(1.0, _SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else image
    wanted = len(NUMBERS)
    tried: list[tuple[float, float, float, NDArray[np.float64]]] = []
    radii = _RADII
    for ratio in _RATIOS:
        # Stretched upright, so that discs in perspective are circles again.
        stretched = small if ratio == 1.0 else cv2.resize(small, None, fx=1.0, fy=1 / ratio)
        edges = edges_of(np.asarray(stretched, np.uint8))
        for radius in radii:
            peaks = separate_peaks(circle_votes(edges, float(radius)), float(radius), wanted + 9)
            if len(peaks) >= wanted:
                # The weakest of the first 21 counts as well: all of them must be there.
                score = float(peaks[:wanted, 2].mean() + peaks[wanted - 1, 2])
                tried.append((score, float(radius), ratio, peaks))
        if tried:
            near = max(tried, key=lambda one: one[0])[1]
            radii = near * np.geomspace(0.8, 1.25, 7)
    if not tried:
        return _Discs(np.zeros((0, 2)), 0.0, 1.0)
    best, _, ratio, _ = max(tried, key=lambda one: one[0])
    _, radius, ratio, peaks = max(
        (one for one in tried if one[2] == ratio and one[0] >= _SAME_SIZE * best), key=lambda one: one[1]
    )
    kept = peaks[peaks[:, 2] >= _MIN_VOTES * np.median(peaks[:wanted, 2])]
    apart = np.hypot(*(kept[:, None, :2] - kept[None, :, :2]).transpose(2, 0, 1)) + np.diag(
        np.full(len(kept), np.inf)
    )
    nearest = apart.min(axis=1)
    kept = kept[nearest <= _MAX_APART * np.median(nearest)]  # a cup on the table is a disc, too
    centres = np.stack([kept[:, 0], (kept[:, 1] + 0.5) * ratio - 0.5], axis=1)
    return _Discs((centres + 0.5) / shrink - 0.5, radius / shrink, ratio)


def _in_reading_order(discs: _Discs) -> NDArray[np.float64]:
    """Return the centres row by row, each from left to right; rows may run a little askew.

    Raises ProfileError when no rotation separates the rows.
    """
    best: tuple[float, list[NDArray[np.intp]], NDArray[np.float64]] | None = None
    for skew in np.radians(_SKEWS_DEG):
        along = discs.centres @ (math.cos(skew), math.sin(skew))
        down = discs.centres @ (-math.sin(skew), math.cos(skew))
        order = np.argsort(down)
        gaps = np.flatnonzero(np.diff(down[order]) > _MAX_ROW_OFFSET * discs.radius) + 1
        rows = np.split(order, gaps)
        off = max(float(np.ptp(down[row])) for row in rows) / 2
        if off <= _MAX_ROW_OFFSET * discs.radius and (best is None or off < best[0]):
            best = off, rows, along
    if best is None:
        raise ProfileError(
            say("The rows of the tokens cannot be told apart: lay them in straight rows with space between them.")
        )
    _, rows, along = best
    return np.asarray(discs.centres[np.concatenate([row[np.argsort(along[row])] for row in rows])], np.float64)
