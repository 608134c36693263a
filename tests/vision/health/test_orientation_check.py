"""A picture that is turned or mirrored is known by the table itself, whatever lies on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.cameras.simulated.tables import faces, table
from tests.vision.health.true_plane import plane_of
from vision.cameras.frame import Image
from vision.cameras.orientation_correction import Orientation
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import Scene
from vision.health import Health, ViewHealth
from vision.health.orientation_check import correcting_turn

EMPTY = Scene(seats=4, tile=False)
FULL = table(5, 4)
WOOD, FELT, STONE = (replace(Look.from_seed(seed), ground=None) for seed in (1, 5, 9))
WAYS = (
    Orientation(2),
    Orientation(0, mirrored=True),
    Orientation(2, mirrored=True),
    Orientation(1),
    Orientation(3),
    Orientation(1, mirrored=True),
)


def turned(image: Image, turn: Orientation) -> Image:
    return np.ascontiguousarray(turn.apply(image))


@pytest.mark.first_is_quick
@pytest.mark.parametrize("look", [Look(), WOOD, FELT, STONE], ids=lambda look: f"{look.table}-{look.seed}")
def test_each_way_is_found_with_and_without_things_on_the_table(look: Look) -> None:
    renderer = Renderer(look, faces())
    known = renderer.render(EMPTY, 0)
    for picture in (renderer.render(EMPTY, 1), renderer.render(FULL, 2)):
        assert correcting_turn(known, picture) is None
        for turn in WAYS:
            correction = correcting_turn(known, turned(picture, turn))
            assert correction is not None
            assert turn.then(correction) == Orientation()


@pytest.mark.slow
@pytest.mark.parametrize("look", [Look(), WOOD, STONE], ids=lambda look: f"{look.table}-{look.seed}")
def test_a_camera_that_was_moved_besides_is_found_too(look: Look) -> None:
    known = Renderer(look, faces()).render(EMPTY, 0)
    aim = (look.aim[0] + 30, look.aim[1] - 18)
    moved = Renderer(replace(look, aim=aim, yaw=look.yaw + 4.0, exposure=0.8 * look.exposure), faces())
    for picture in (moved.render(EMPTY, 1), moved.render(FULL, 2)):
        assert correcting_turn(known, picture, moved=True) is None
        assert correcting_turn(known, turned(picture, Orientation(2)), moved=True) == Orientation(2)
        assert correcting_turn(known, turned(picture, Orientation(0, mirrored=True)), moved=True) == Orientation(
            0, mirrored=True
        )


@pytest.mark.slow
def test_nothing_is_claimed_of_another_table_or_a_plain_one() -> None:
    known = Renderer(WOOD, faces()).render(EMPTY, 0)
    other = Renderer(STONE, faces()).render(FULL, 1)
    noise = np.random.default_rng(0).normal(120, 3, (2, 720, 1280, 3)).astype(np.uint8)
    for before, now in ((known, other), (known, noise[0]), (noise[0], noise[1]), (known, other[:600])):
        for turn in (Orientation(), Orientation(2), Orientation(0, mirrored=True)):
            assert correcting_turn(before, turned(now, turn)) is None
            assert correcting_turn(before, turned(now, turn), moved=True) is None


@pytest.mark.first_is_quick
@pytest.mark.parametrize("turn", [Orientation(2), Orientation(1)])
def test_it_is_reported_at_the_start_and_in_mid_game_until_the_picture_is_right(turn: Orientation) -> None:
    renderer = Renderer(Look(), faces())
    empty = renderer.render(EMPTY, 0)
    full = [renderer.render(replace(FULL, hands=()), number) for number in range(2)]
    view = ViewHealth(empty, plane_of(Look()))
    at = 0.0

    def sees(images: list[Image], times: int, *, hands: bool = False) -> Health:
        nonlocal at
        for number in range(times):
            at += 0.2
            health = view.feed(images[number % len(images)], at, still=number > 0, hands=hands)
        return health

    wrong = [turned(image, turn) for image in full]
    for hands in (False, True):
        report = sees(wrong, 4, hands=hands)
        assert (report.trouble, report.fit) == ("turned", False)
        assert report.turn is not None
        assert turn.then(report.turn) == Orientation()
        assert sees(full, 8) == Health()
