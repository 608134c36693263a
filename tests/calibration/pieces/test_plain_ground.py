from __future__ import annotations

import numpy as np
import pytest

from calibration.pieces.plain_ground import has_plain_ground
from calibration.plane import Image

TABLE = np.array([70, 110, 150], np.float32)


def noisy(top: np.ndarray) -> Image:
    return np.clip(top + np.random.default_rng(0).normal(0, 3, top.shape), 0, 255).astype(np.uint8)


def checked() -> Image:
    rows, columns = np.mgrid[0:400, 0:600] // 30
    return noisy(np.where(((rows + columns) % 2)[..., None] == 1, TABLE, 230))


def test_a_checked_cloth_is_patterned_and_a_table_with_marked_pieces_is_plain() -> None:
    top = np.tile(TABLE, (400, 600, 1))
    assert not has_plain_ground(checked(), 1.0)
    assert has_plain_ground(noisy(top), 1.0)
    boxes = [(float(x), float(y), 40.0, 40.0) for x in range(20, 500, 120) for y in range(20, 350, 120)]
    for x, y, width, height in boxes:
        top[int(y) : int(y + height), int(x) : int(x + width)] = (40, 40, 200)
    assert has_plain_ground(noisy(top), 1.0, boxes)


@pytest.mark.parametrize("px_per_mm", [0.0, 1e-9, 1e9])
def test_an_impossible_scale_still_has_an_answer(px_per_mm: float) -> None:
    assert has_plain_ground(np.full((16, 16, 3), 90, np.uint8), px_per_mm)
