"""Parts of close crops that are shown from nearer, to train with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.detector.crops import Crop
from models.detector.nearer import nearer
from vision.cameras.simulated.renderer import Box
from vision.detector import CROP_PX

TOGETHER: tuple[tuple[str, Box], ...] = (
    ("piece", (100.0, 110.0, 24.0, 20.0)),
    ("piece", (134.0, 128.0, 20.0, 26.0)),
    ("loose", (20.0, 20.0, 22.0, 22.0)),
)
APART: tuple[tuple[str, Box], ...] = (("piece", (2.0, 2.0, 20.0, 20.0)), ("piece", (230.0, 230.0, 20.0, 20.0)))


def drawn(boxes: tuple[tuple[str, Box], ...]) -> Crop:
    image = np.full((CROP_PX, CROP_PX, 3), 90, np.uint8)
    for _, (x, y, width, height) in boxes:
        image[int(y) : int(y + height), int(x) : int(x + width)] = (20, 40, 220)
    return Crop(image, boxes)


def test_pieces_are_shown_larger_and_boxes_lie_round_them() -> None:
    crop = drawn(TOGETHER)
    for seed in range(40):
        seen = nearer(crop, np.random.default_rng(seed))
        pieces = [box for label, box in seen.boxes if label == "piece"]
        assert len(pieces) == 2
        assert 1.15 * 24 < pieces[0][2] < 1.75 * 24
        # However it is toned, what is red there is redder than what is grey.
        reddish = seen.image[..., 2].astype(int) - seen.image[..., 1]
        for x, y, width, height in pieces:
            assert x >= 0
            assert y >= 0
            assert max(x + width, y + height) <= CROP_PX
            inside = reddish[int(y) + 3 : int(y + height) - 3, int(x) + 3 : int(x + width) - 3]
            around = reddish[max(0, int(y) - 5) : max(1, int(y) - 3), int(x) : int(x + width)]
            assert np.median(inside) > np.median(around) + 20


def test_pieces_that_lie_far_apart_are_all_shown_as_they_are() -> None:
    crop = drawn(APART)
    for seed in range(10):
        assert nearer(crop, np.random.default_rng(seed)).boxes == crop.boxes


def test_no_part_is_like_another_and_the_same_lot_gives_the_same() -> None:
    crop = drawn(TOGETHER)
    one, same, other = (nearer(crop, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(one.image, same.image)
    assert one.boxes == same.boxes
    assert not np.array_equal(one.image, other.image)


def test_what_is_no_thing_is_shown_larger_and_not_asked_for() -> None:
    crop = replace(drawn((("piece", (116.0, 116.0, 24.0, 24.0)),)), boxes=())
    for seed in range(10):
        seen = nearer(crop, np.random.default_rng(seed))
        assert seen.boxes == ()
        reddish = seen.image[..., 2].astype(int) - seen.image[..., 1]
        across = int((reddish.max(axis=0) > reddish.max() / 2).sum())
        assert 1.1 * 24 < across < 1.8 * 24
