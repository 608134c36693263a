"""What is printed on made-up boards: paintings, bands that tiles fade into, boards that end in sight."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.print_segmentation.art import end_board, fade_into_band
from models.print_segmentation.painting import clouds, painting

SIDE = 300


def test_clouds_are_even_and_as_fine_as_asked_for() -> None:
    coarse, fine = (clouds(np.random.default_rng(1), SIDE, spot, 0.5, 3) for spot in (150.0, 12.0))
    for layer in (coarse, fine):
        assert layer.shape == (SIDE, SIDE)
        assert layer.mean() == pytest.approx(0, abs=1e-4)
        assert layer.std() == pytest.approx(1, abs=1e-3)
    assert np.abs(np.diff(coarse, axis=1)).mean() < 0.5 * np.abs(np.diff(fine, axis=1)).mean()


def test_paintings_are_textured_and_each_another() -> None:
    painted = [painting(np.random.default_rng(seed), SIDE) for seed in range(16)]
    assert (painting(np.random.default_rng(3), SIDE) == painted[3]).all()
    for image in painted:
        assert image.shape == (SIDE, SIDE, 3)
        assert image.std() > 4
    means = np.array([image.reshape(-1, 3).mean(axis=0) for image in painted])
    assert (means.std(axis=0) > 15).all(), "of all colours"
    # Most of them have edges as strong as those of things that lie on them.
    edges = [np.quantile(np.abs(cv2.Laplacian(image.mean(axis=2), cv2.CV_64F)), 0.95) for image in painted]
    assert np.median(edges) > 8


@pytest.mark.parametrize("seed", range(5))
def test_tiles_fade_into_the_band_between_them(seed: int) -> None:
    board = np.full((SIDE, SIDE, 3), (200, 30, 30), np.uint8)
    fade_into_band(
        np.random.default_rng(seed), board, [((0, SIDE // 2), (SIDE - 1, SIDE // 2))], 20, (120, 200, 240)
    )
    rows = board.astype(float).mean(axis=1)
    on, off = rows[SIDE // 2], rows[20]
    assert np.abs(on - (120, 200, 240)).max() < 45
    assert np.abs(off - (200, 30, 30)).max() < 12
    nearer = np.abs(board.astype(float) - (120, 200, 240)).sum(axis=2) < np.abs(board - (200.0, 30, 30)).sum(axis=2)
    ends = SIDE // 2 - np.argmax(nearer, axis=0)
    assert 5 < ends.mean() < 16, "half as far as the band is wide, on either side"
    assert ends.std() > 0.25, "ragged"


def test_a_board_that_ends_in_sight_keeps_a_part() -> None:
    for seed in range(8):
        board = np.full((SIDE, SIDE, 3), 77, np.uint8)
        end_board(np.random.default_rng(seed), board)
        kept = (board == 77).all(axis=2)
        assert 0.3 < kept.mean() < 0.85
        assert kept[SIDE // 2 - 3 : SIDE // 2 + 4].any(), "a straight edge near the middle"
