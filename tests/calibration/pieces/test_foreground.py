"""What is new on a table whose empty picture is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.pieces.foreground import foreground
from calibration.plane import Image

SIZE = 360
RED, BLACK, WHITE = (40, 40, 190), (30, 28, 32), (235, 235, 235)
SPOTS = [(90, 90), (180, 200), (280, 120), (260, 280)]
RADIUS = 15


def _checked(seed: int) -> Image:
    """Draw a checked cloth, 40 px a check, with the noise of a sensor."""
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    checks = ((x // 40 + y // 40) % 2)[..., None]
    cloth = np.where(checks, np.array([60, 60, 170]), np.array([210, 215, 220])).astype(np.float32)
    return _noisy(cv2.GaussianBlur(cloth, (0, 0), 1.0), seed)


def _noisy(picture: np.ndarray, seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, 2.5, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def _with_pieces(table: Image, colour: tuple[int, int, int], *, shadow: float = 0.0) -> tuple[Image, np.ndarray]:
    picture, truth = table.astype(np.float32), np.zeros(table.shape[:2], np.uint8)
    for x, y in SPOTS:
        if shadow:
            dark = np.zeros(table.shape[:2], np.float32)
            cv2.line(dark, (x, y), (x + 14, y + 14), 1.0, 2 * RADIUS)
            picture *= (1 - shadow * cv2.GaussianBlur(dark, (0, 0), 2))[..., None]
        cv2.circle(truth, (x, y), RADIUS, 1, cv2.FILLED)
    picture[truth > 0] = colour
    picture[truth > 0] += np.random.default_rng(3).normal(0, 2.5, (int(truth.sum()), 3))
    return np.asarray(np.clip(picture, 0, 255), np.uint8), truth > 0


def _overlap(mask: np.ndarray, truth: np.ndarray) -> float:
    return float((mask & truth).sum() / (mask | truth).sum())


@pytest.mark.parametrize("colour", [RED, BLACK, WHITE])
def test_pieces_on_a_checked_cloth_are_cut_out_without_their_shadows(colour: tuple[int, int, int]) -> None:
    frame, truth = _with_pieces(_checked(1), colour, shadow=0.45)
    assert _overlap(foreground(frame, _checked(2)), truth) > 0.85


def test_another_exposure_and_a_nudge_of_the_camera_are_nothing_new() -> None:
    nudge = np.array([[1, 0, 1.6], [0, 1, -1.1]])
    moved = cv2.warpAffine(_checked(1), nudge, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)
    darker = np.asarray(moved * np.array([0.8, 0.7, 0.65]), np.uint8)
    assert not foreground(darker, _checked(2)).any()
    frame, truth = _with_pieces(darker, BLACK)
    assert _overlap(foreground(frame, _checked(2)), truth) > 0.8


def test_nothing_is_new_where_the_table_is_not_known() -> None:
    frame, truth = _with_pieces(_checked(1), BLACK)
    known = np.ones(truth.shape, np.bool_)
    known[:, : SIZE // 2 + 40] = False
    new = foreground(frame, _checked(2), known)
    assert not new[~known].any()
    assert _overlap(new, truth & known) > 0.8
