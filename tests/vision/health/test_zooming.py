"""A camera that looks through another lens than before is not read with: the table is seen larger or smaller."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.cameras.simulated.tables import faces, table
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import Scene
from vision.health import Health, ViewHealth
from vision.health.zoom_check import zoom_factor

EMPTY = Scene(seats=4, tile=False)
FULL = table(5, 4)
WOOD, STONE = (replace(Look.from_seed(seed), ground=None) for seed in (2, 12))


def wider(look: Look, times: float) -> Look:
    """Return the look through a lens that sees so many times as much of the table."""
    return replace(look, hfov=2 * math.degrees(math.atan(math.tan(math.radians(look.hfov / 2)) * times)))


@pytest.mark.first_is_quick
@pytest.mark.parametrize("look", [WOOD, STONE])
@pytest.mark.parametrize("times", [0.7, 1.4])
def test_another_lens_is_reported_with_and_without_things_on_the_table(look: Look, times: float) -> None:
    known = Renderer(look, faces()).render(EMPTY, 0)
    other = Renderer(wider(look, times), faces())
    for scene in (EMPTY, FULL):
        assert zoom_factor(known, other.render(scene, 1)) == pytest.approx(1 / times, rel=0.05)


@pytest.mark.slow
def test_nothing_is_claimed_of_a_moved_camera_another_table_or_another_size() -> None:
    known = Renderer(WOOD, faces()).render(EMPTY, 0)
    moved = Renderer(replace(WOOD, aim=(40.0, -30.0), yaw=WOOD.yaw + 3.0), faces())
    others = [moved.render(EMPTY, 1), moved.render(FULL, 1), Renderer(STONE, faces()).render(FULL, 1)]
    noise = np.random.default_rng(0).normal(120, 3, (720, 1280, 3)).astype(np.uint8)
    for picture in (*others, noise, known, known[:600]):
        assert zoom_factor(known, picture) is None


@pytest.mark.slow
def test_it_is_reported_at_the_start_until_the_lens_is_back() -> None:
    known = Renderer(WOOD, faces()).render(EMPTY, 0)
    other = Renderer(wider(WOOD, 1.4), faces())
    view = ViewHealth(known)
    for number in range(4):
        health = view.feed(other.render(EMPTY, number), 0.2 * number, still=number > 0, hands=False)
    assert (health.trouble, health.fit) == ("zoomed", False)
    right = Renderer(WOOD, faces())
    for number in range(4):
        health = view.feed(right.render(EMPTY, number), 1 + 0.2 * number, still=number > 0, hands=False)
    assert health == Health()
