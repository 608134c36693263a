"""Bands of lamp flicker are distinguished from motion, along rows and along columns."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cameras.frame import Image
from vision.lamp_flicker import amplitude, band_gains
from vision.motion_state import HandsWatcher

RNG = np.random.default_rng(17)
TABLE = np.asarray(
    cv2.resize(RNG.integers(50, 190, (36, 64, 3)).astype(np.uint8), (1280, 720), interpolation=cv2.INTER_CUBIC),
    np.uint8,
)
NOISE = [RNG.normal(0.0, 4.0, TABLE.shape).astype(np.float32) for _ in range(3)]


def photographed(
    picture: Image, number: int, height: float, *, cycles: float = 3.3, columns: bool = False, steep: bool = False
) -> Image:
    """The picture with a sensor's noise, and with bands that have moved on since the one before.

    steep: bands with edges, as of a dimmed LED lamp that is switched on and off.
    """
    along = np.arange(picture.shape[1] if columns else picture.shape[0])
    wave = np.sin(2.0 * np.pi * cycles * along / len(along) + 2.1 * number)
    gain = 1.0 + height * (np.clip(20.0 * wave, -1.0, 1.0) if steep else wave)
    gains = (gain[None, :, None] if columns else gain[:, None, None]).astype(np.float32)
    return np.clip(picture * gains + NOISE[number % len(NOISE)], 0, 255).astype(np.uint8)


def with_arm(picture: Image, reach: int) -> Image:
    return np.asarray(cv2.rectangle(picture.copy(), (600, 720 - reach), (690, 720), (150, 190, 235), -1), np.uint8)


@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("cycles", [1.2, 3.3, 7.0])
@pytest.mark.parametrize("height", [0.02, 0.04, 0.08, 0.12])
def test_a_table_under_a_flickering_lamp_is_still(height: float, cycles: float, columns: bool) -> None:
    watcher = HandsWatcher()
    sights = [
        watcher.feed(photographed(TABLE, number, height, cycles=cycles, columns=columns)) for number in range(10)
    ]
    assert [sight.still for sight in sights] == [False] * 3 + [True] * 7
    assert {sight.state for sight in sights} == {"watching"}


@pytest.mark.parametrize("height", [0.04, 0.12])
def test_a_table_under_a_lamp_that_is_switched_on_and_off_is_still(height: float) -> None:
    watcher = HandsWatcher()
    sights = [watcher.feed(photographed(TABLE, number, height, cycles=7.0, steep=True)) for number in range(12)]
    assert all(sight.still for sight in sights[3:])


@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("height", [0.04, 0.12])
def test_a_hand_that_moves_under_a_flickering_lamp_is_motion(height: float, columns: bool) -> None:
    watcher = HandsWatcher()
    for number in range(6):
        watcher.feed(photographed(TABLE, number, height, columns=columns))
    moving = [
        watcher.feed(photographed(with_arm(TABLE, 100 + 40 * step), 6 + step, height, columns=columns))
        for step in range(5)
    ]
    assert [sight.state for sight in moving] == ["hands"] * 5
    resting = [
        watcher.feed(photographed(with_arm(TABLE, 260), 11 + step, height, columns=columns)) for step in range(5)
    ]
    assert resting[-1].state == "still"
    (box,) = resting[-1].hands
    assert box[0] == pytest.approx(600, abs=16)
    assert box[1] == pytest.approx(460, abs=16)
    gone = [watcher.feed(photographed(TABLE, 16 + step, height, columns=columns)) for step in range(4)]
    assert gone[0].motion > 0.0008
    assert gone[-1].state == "watching"


def test_the_height_of_bands_is_measured_beside_a_hand() -> None:
    one, other = (
        cv2.cvtColor(cv2.resize(image, (320, 180), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY).astype(float)
        for image in (photographed(TABLE, 0, 0.06), photographed(with_arm(TABLE, 300), 1, 0.06))
    )
    rows, columns = band_gains(one, other)
    # From one picture to the next the wave moves on by 2.1 rad: 2 sin(1.05) of its own height.
    assert amplitude(rows) == pytest.approx(0.06 * 2.0 * np.sin(1.05), rel=0.1)
    assert amplitude(columns) < 0.02
    assert np.abs(band_gains(one, one)[0] - 1.0).max() < 1e-6
