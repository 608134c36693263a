"""Pieces counted in masks by the outlines of enrolled ones."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pieces.samples import CROP_PX, CROP_PX_PER_MM, PieceSamples, Specimen
from vision.boards.outline_counting import PieceOutlines
from vision.boards.rectified import Mask
from vision.games.wicked.simulated_piece_shapes import solid

WOLF = np.array(solid("search:purple").outline)
Lying = tuple[float, float, float]
"""Where a piece lies (mm) and how it is turned (degrees)."""


def turned(outline: NDArray[np.float64], degrees: float) -> NDArray[np.float64]:
    angle = np.radians(degrees)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(outline @ spin.T)


def specimen(degrees: float) -> Specimen:
    crop = np.zeros((CROP_PX, CROP_PX, 4), np.uint8)
    points = turned(WOLF, degrees) * CROP_PX_PER_MM + CROP_PX / 2
    alpha = np.zeros(crop.shape[:2], np.uint8)
    cv2.fillPoly(alpha, [np.round(points).astype(np.int32)], 255)
    crop[..., 3] = alpha
    area = np.count_nonzero(alpha) / CROP_PX_PER_MM**2
    return Specimen(np.full((20, 3), 50.0, np.float32), (16.0, 15.0), area, crop)


@pytest.fixture(scope="module")
def outlines() -> PieceOutlines:
    return PieceOutlines.of(PieceSamples(tuple(specimen(angle) for angle in (0.0, 50.0, 200.0))))


def mask(pieces: Sequence[Lying]) -> Mask:
    drawn = np.zeros((200, 240), np.uint8)
    for x, y, degrees in pieces:
        points = turned(WOLF, degrees) + np.array([x, y])
        cv2.fillPoly(drawn, [np.round(points * 4).astype(np.int32)], 255)
    return np.asarray(cv2.resize(drawn, (60, 50), interpolation=cv2.INTER_AREA) > 127)


@pytest.mark.parametrize(
    "pieces",
    [
        [(30, 25, 10)],
        [(20, 25, 100), (36, 25, 30)],
        [(18, 18, 0), (34, 18, 75), (26, 34, 200)],
        [(15, 15, 0), (30, 15, 75), (15, 32, 200), (31, 33, 300)],
        [(30, 25, 293), (37.7, 32.7, 62), (27.3, 36.7, 212)],  # no piece lies where one alone would explain most
        [(30, 25, 93), (35.9, 35.4, 273), (24.2, 37.6, 169)],
    ],
)
def test_touching_pieces_are_counted(outlines: PieceOutlines, pieces: list[Lying]) -> None:
    chances, agreeing = outlines.count(mask(pieces))
    assert max(chances, key=lambda number: chances[number]) == len(pieces)
    assert agreeing > 0.6


def test_what_no_piece_explains_is_said_to_agree_badly(outlines: PieceOutlines) -> None:
    thin = np.zeros((50, 60), bool)
    thin[20:23, 5:55] = True
    chances, agreeing = outlines.count(thin)
    assert agreeing < 0.5
    assert sum(chances.values()) == pytest.approx(1.0)
