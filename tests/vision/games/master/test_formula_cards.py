"""Tests of reading formula cards."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.drawing.raster import rasterise
from calibration.games.master.art.formula_cards import formula_face
from vision.cameras.simulated.table_surfaces import Ground, draw
from vision.games.master.formula_cards import Formula, read_formula

CARDS: tuple[Formula, ...] = ((11, 3, 14), (19, 7, 15), (1, 10, 13), (20, 17, 3), (9, 20, 11), (5, 25, 18))
"""Some of the cards."""


def shown(card: Formula | None, seed: int, size: float, angle: float) -> np.ndarray:
    """Return a noisy picture of a card above a table. size: px per mm; angle: degrees."""
    rng = np.random.default_rng(seed)
    image = cv2.resize(draw(Ground.from_seed(seed)), (1280, 720))
    if card is not None:
        face = rasterise(formula_face(card), 8.0)[..., :3]
        height, width = face.shape[:2]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, size / 8.0)
        matrix[:, 2] += np.array([640, 360]) - (width / 2, height / 2)
        tilted = np.vstack([matrix, [0, 0, 1]])
        tilted = np.array([[1, 0, 0], [0, 1, 0], [1e-4, 6e-5, 1]]) @ tilted
        mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), tilted, (1280, 720))
        image = np.where(mask[..., None] > 127, cv2.warpPerspective(face, tilted, (1280, 720)), image)
    lit = cv2.GaussianBlur(image, (0, 0), 0.9) * np.array([0.6, 0.8, 0.95])
    return np.clip(lit + rng.normal(0, 4, lit.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("seed", "size", "angle"), [(0, 4.0, 0.0), (1, 6.5, 25.0), (2, 3.5, 170.0)])
def test_a_card_is_read_in_any_size_and_rotation(seed: int, size: float, angle: float) -> None:
    reading = read_formula(shown(CARDS[seed], seed, size, angle), CARDS)
    assert reading is not None
    assert reading.numbers == CARDS[seed]
    assert not reading.doubtful


def test_a_table_without_a_card_is_none() -> None:
    assert read_formula(shown(None, 4, 1.0, 0.0), CARDS) is None


def test_a_card_of_another_game_is_none() -> None:
    assert read_formula(shown((2, 8, 17), 5, 5.0, 0.0), CARDS) is None
