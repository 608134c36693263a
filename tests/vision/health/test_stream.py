"""A stream that is stuck on one picture, and one that lamp flicker runs through."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from vision.cameras.frame import Image
from vision.health import ViewHealth
from vision.health.change_from_table_at_rest import Downscaled
from vision.health.stream import StreamHealth

RNG = np.random.default_rng(29)
TABLE = np.kron(RNG.integers(60, 200, (45, 80, 3)), np.ones((8, 8, 1), int)).astype(np.uint8)


def noisy(number: int) -> Image:
    noise = np.random.default_rng(number).normal(0.0, 3.0, TABLE.shape)
    return np.clip(TABLE + noise, 0, 255).astype(np.uint8)


def fed(health: StreamHealth, pictures: Iterable[Image], start: float) -> list[tuple[str | None, bool]]:
    return [
        health.feed(image, Downscaled.of(image), start + number / 8, still=True)
        for number, image in enumerate(pictures)
    ]


def test_a_noisy_camera_that_repeats_a_picture_is_not_read_after_a_second_and_named_within_five() -> None:
    health = StreamHealth()
    assert set(fed(health, map(noisy, range(20)), 0.0)) == {(None, True)}
    stuck = fed(health, [noisy(19)] * 41, 2.5)
    assert stuck[4] == (None, True)
    assert stuck[12] == (None, False)
    assert stuck[40] == ("frozen", False)
    assert fed(health, [noisy(50)], 8.0) == [(None, True)]


@pytest.mark.slow
def test_a_camera_that_sends_some_pictures_twice_is_not_stuck() -> None:
    health = StreamHealth()
    fed(health, map(noisy, range(20)), 0.0)
    doubled = fed(health, (noisy(number // 3) for number in range(60)), 2.5)
    assert set(doubled) == {(None, True)}


def test_a_video_of_still_pictures_is_named_and_read_on() -> None:
    health = StreamHealth()
    reports = fed(health, [TABLE] * 60, 0.0)
    assert reports[20] == (None, True)
    assert reports[50] == ("frozen", True)
    other = np.roll(TABLE, 40, axis=1)
    assert fed(health, [other] * 20, 8.0)[-1] == (None, True)


def flickering(number: int, height: float) -> Image:
    rows = np.arange(TABLE.shape[0]) / TABLE.shape[0]
    gain = 1.0 + height * np.sin(2.0 * np.pi * 3.3 * rows + 2.1 * number)
    return np.clip(noisy(number) * gain[:, None, None], 0, 255).astype(np.uint8)


def test_flicker_is_named_within_three_seconds_while_reading_goes_on_and_is_over_with_the_lamp() -> None:
    view = ViewHealth()
    reports = [view.feed(flickering(number, 0.05), number / 8, still=True, hands=False) for number in range(24)]
    assert (reports[-1].trouble, reports[-1].fit) == ("flicker", True)
    after = [view.feed(noisy(100 + number), 3.0 + number / 8, still=True, hands=False) for number in range(24)]
    assert (after[-1].trouble, after[-1].fit) == (None, True)


def test_weak_flicker_is_not_worth_a_word() -> None:
    health = StreamHealth()
    assert set(fed(health, (flickering(number, 0.01) for number in range(40)), 0.0)) == {(None, True)}
