"""The watcher over frames: hands come, move, rest, and leave."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.motion_state import HandsWatcher

Picture = NDArray[np.uint8]


@pytest.fixture(name="rng")
def _rng() -> np.random.Generator:
    return np.random.default_rng(11)


def table(rng: np.random.Generator) -> Picture:
    """A table with some texture, 1280x720."""
    coarse = rng.integers(60, 150, (36, 64, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (1280, 720), interpolation=cv2.INTER_CUBIC), np.uint8)


def noisy(picture: Picture, rng: np.random.Generator, light: float = 0.0) -> Picture:
    """The picture as a camera would give it: with noise, and perhaps a little brighter."""
    return np.clip(picture + rng.normal(light, 5.0, picture.shape), 0, 255).astype(np.uint8)


def with_arm(picture: Picture, reach: int, width: int = 90) -> Picture:
    """An arm that reaches in from the lower edge."""
    drawn = picture.copy()
    cv2.rectangle(drawn, (600, 720 - reach), (600 + width, 720), (150, 190, 235), -1)
    return drawn


def test_noise_and_a_slow_change_of_light_are_not_motion(rng: np.random.Generator) -> None:
    empty = table(rng)
    watcher = HandsWatcher()
    sights = [watcher.feed(noisy(empty, rng, light=index)) for index in range(12)]
    assert {sight.state for sight in sights} == {"watching"}
    assert sights[-1].still
    assert sights[-1].period == 1


def test_hands_come_move_settle_rest_and_leave(rng: np.random.Generator) -> None:
    empty = table(rng)
    watcher = HandsWatcher()
    for _ in range(5):
        watcher.feed(noisy(empty, rng))
    moving = [watcher.feed(noisy(with_arm(empty, reach), rng)).state for reach in (80, 160, 240)]
    assert moving == ["hands"] * 3
    resting = [watcher.feed(noisy(with_arm(empty, 240), rng)).state for _ in range(4)]
    assert resting == ["settling", "settling", "still", "still"]
    opened = [watcher.feed(noisy(with_arm(empty, 240, 160), rng)) for _ in range(5)]
    assert [sight.state for sight in opened] == ["hands", "settling", "settling", "still", "still"]
    assert opened[-1].period == 3
    watcher.taken()
    assert watcher.feed(noisy(with_arm(empty, 240, 160), rng)).state == "shown"
    left = [watcher.feed(noisy(empty, rng)).state for _ in range(3)]
    assert left[-1] == "watching"
    assert watcher.feed(noisy(with_arm(empty, 200), rng)).state == "hands"


def test_the_background_is_the_last_picture_at_rest_without_hands(rng: np.random.Generator) -> None:
    empty = table(rng)
    watcher = HandsWatcher()
    for _ in range(4):
        watcher.feed(noisy(empty, rng))
    before = watcher.background
    assert before is not None
    for _ in range(4):
        watcher.feed(noisy(with_arm(empty, 200), rng))
    assert watcher.background is before
    changed = empty.copy()
    cv2.rectangle(changed, (300, 300), (360, 380), (240, 240, 240), -1)
    for _ in range(6):
        watcher.feed(noisy(changed, rng))
    assert watcher.background is not before


def test_something_left_at_the_edge_becomes_part_of_the_table_once_a_reader_found_no_hand(
    rng: np.random.Generator,
) -> None:
    empty = table(rng)
    watcher = HandsWatcher()
    for _ in range(4):
        watcher.feed(noisy(empty, rng))
    glass = with_arm(empty, 150)
    for _ in range(5):
        last = noisy(glass, rng)
        sight = watcher.feed(last)
    assert sight.state == "still"
    watcher.no_hands(last)
    assert watcher.feed(noisy(glass, rng)).state == "watching"


def test_a_creeping_hand_is_motion_even_if_each_frame_hardly_differs(rng: np.random.Generator) -> None:
    empty = table(rng)
    watcher = HandsWatcher(background=empty)
    states = [watcher.feed(noisy(with_arm(empty, 200 + step), rng)).state for step in range(0, 40, 2)]
    assert states[5:].count("still") < len(states[5:]) / 2
