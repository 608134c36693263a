from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.renderer import HandTruth
from vision.cameras.simulated.scene import HandOnTable, Scene
from vision.detector import CROP_PX, Detection
from vision.detector.inference_augmentation import detect_augmented, detect_mirrored, fuse_passes
from vision.detector.network import Network

PX_PER_MM = 1.05
"""Of the renderer's default camera, at the height of palms."""
PIECES = ("search:green",) * 3


@pytest.fixture(scope="module")
def network() -> Network:
    return Network()


@pytest.fixture(scope="module")
def shown() -> tuple[Image, HandTruth]:
    renderer = Renderer(Look(), {})
    image, truth = renderer.render_with_truth(Scene(4, hands=(HandOnTable(0, 1.0, 1.0, PIECES, 5),)), 3)
    return image, truth.hands[0]


def square(image: Image, hand: HandTruth) -> Image:
    x, y, width, height = hand.box
    scale = CROP_PX / 160 / PX_PER_MM
    matrix = np.array([[scale, 0, CROP_PX / 2 - scale * (x + width / 2)],
                       [0, scale, CROP_PX / 2 - scale * (y + height / 2)]])  # fmt: skip # a matrix
    return np.asarray(cv2.warpAffine(image, matrix, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE), np.uint8)


@pytest.mark.parametrize("passes", [1, 2, 4])
def test_however_often_one_looks_every_piece_is_found_once_and_where_it_is(
    network: Network, shown: tuple[Image, HandTruth], passes: int
) -> None:
    crop = square(*shown)
    once = [found for found in network.detect([crop])[0] if found.label == "piece" and found.score > 0.5]
    found = detect_augmented([network], crop, "piece", 0.5, passes)
    assert len(found) == len(once) > 0
    for one in once:
        assert min(abs(one.box[0] - other.box[0]) + abs(one.box[1] - other.box[1]) for other in found) < 4


def test_one_look_says_what_the_network_says(network: Network, shown: tuple[Image, HandTruth]) -> None:
    crop = square(*shown)
    once = [found for found in network.detect([crop])[0] if found.label == "piece"]
    found = detect_augmented([network], crop, "piece", 0.05, 1)
    assert [one.box for one in found] == [pytest.approx(one.box) for one in once]


def test_four_mirrors_say_the_same_of_a_picture_and_of_its_mirror(
    network: Network, shown: tuple[Image, HandTruth]
) -> None:
    crop = square(*shown)[:192]
    height, width = crop.shape[:2]
    other = np.ascontiguousarray(crop[::-1, ::-1])
    seen, mirrored = (
        detect_mirrored(network, each, ("piece",), network.detect([each])[0]) for each in (crop, other)
    )
    strong = [one for one in seen if one.score > 0.5]
    assert strong
    for one in strong:
        x, y, w, h = one.box
        there = (pytest.approx(width - x - w, abs=0.1), pytest.approx(height - y - h, abs=0.1))
        assert [two.score for two in mirrored if two.box[:2] == there] == [pytest.approx(one.score, abs=1e-3)]


def test_what_only_one_of_two_looks_sees_is_half_as_likely() -> None:
    both, lone = (10.0, 10.0, 20.0, 20.0), (60.0, 10.0, 20.0, 20.0)
    seen = fuse_passes(
        [[Detection("piece", both, 0.9), Detection("piece", lone, 0.8)], [Detection("piece", both, 0.7)]]
    )
    assert [(one.box, one.score) for one in seen] == [
        (pytest.approx(both), pytest.approx(0.8)),
        (pytest.approx(lone), pytest.approx(0.4)),
    ]


def test_two_things_that_one_look_tells_apart_stay_two() -> None:
    side_by_side = [Detection("piece", (x, 10.0, 20.0, 20.0), 0.9) for x in (10.0, 18.0)]
    assert len(fuse_passes([side_by_side, [Detection("piece", (14.0, 10.0, 20.0, 20.0), 0.9)]])) == 2


def test_a_box_is_the_mean_of_what_was_seen_weighted_by_the_scores() -> None:
    seen = fuse_passes(
        [[Detection("piece", (10.0, 10.0, 20.0, 20.0), 0.9)], [Detection("piece", (14.0, 10.0, 20.0, 24.0), 0.3)]]
    )
    assert seen[0].box == pytest.approx((11.0, 10.0, 20.0, 21.0))
