"""Grounds of the simulated table."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.cameras.simulated import Look
from vision.cameras.simulated.camera_projection import CameraProjection
from vision.cameras.simulated.table_surfaces import KINDS, SPAN_MM, Edge, Ground, Kind, Playmat, draw
from vision.cameras.simulated.table_top_picture import tabletop

MIDDLE = (slice(450, 850), slice(700, 1300))
"""The middle of a table top: 400 mm deep, 600 mm wide."""


@pytest.mark.first_is_quick
@pytest.mark.parametrize("kind", KINDS)
def test_a_ground_is_drawn_alike_from_equal_values_and_otherwise_from_another_seed(kind: Kind) -> None:
    ground = Ground(kind, seed=4, angle=30.0)
    first, again, other = draw(ground), draw(ground), draw(replace(ground, seed=5))
    assert first.shape == (SPAN_MM[1], SPAN_MM[0], 3)
    assert first.dtype == np.uint8
    assert np.array_equal(first, again)
    assert cv2.absdiff(first, other).mean() > 1


@pytest.mark.parametrize("kind", ["wood", "planks", "veneer", "stripes"])
@pytest.mark.parametrize("angle", [0.0, 45.0, 90.0, 135.0])
def test_grain_and_stripes_run_at_their_angle(kind: Kind, angle: float) -> None:
    top = cv2.cvtColor(draw(Ground(kind, seed=2, angle=angle)), cv2.COLOR_BGR2GRAY).astype(np.float32)
    smooth = cv2.GaussianBlur(top[MIDDLE], (0, 0), 1.0)
    dx, dy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    # The strongest gradient is across the grain; rows of the picture go down, so angles are clockwise.
    across = np.degrees(np.arctan2(2 * (dx * dy).mean(), (dx**2 - dy**2).mean())) / 2
    along = (across + 90) % 180
    assert min(abs(along - angle), 180 - abs(along - angle)) < 8


def test_named_colours_are_used_in_order() -> None:
    ground = Ground("checks", seed=1, colours=((20, 40, 200), (230, 230, 230)))
    top = draw(ground).reshape(-1, 3).astype(int)
    for colour in ground.colours:
        near = np.abs(top - np.array(colour)).max(axis=1) < 40
        assert near.mean() > 0.3


def test_contrast_brings_the_pattern_closer_to_its_mean() -> None:
    full, pale = (draw(Ground("tartan", seed=3, contrast=contrast)) for contrast in (1.0, 0.3))
    assert pale.std() < 0.6 * full.std()
    assert abs(float(pale.mean()) - float(full.mean())) < 4


def test_a_playmat_lies_in_the_middle_and_nowhere_else() -> None:
    bare = Ground("wood", seed=7)
    changed = cv2.absdiff(draw(replace(bare, playmat=Playmat(seed=1))), draw(bare)).max(axis=2) > 8
    assert changed[520:780, 740:1260].mean() > 0.9
    assert changed[:350].mean() == changed[:, :600].mean() == 0


def test_clutter_leaves_the_middle_clear() -> None:
    bare = Ground("plain", seed=9)
    changed = cv2.absdiff(draw(replace(bare, clutter=12)), draw(bare)).max(axis=2) > 8
    assert changed.mean() > 0.005
    assert not changed[540:760, 850:1150].any()


@pytest.mark.parametrize("outline", ["rectangle", "round"])
def test_a_table_ends_at_its_edge_and_the_floor_is_seen_beyond(outline: str) -> None:
    bare = Ground("stone", seed=11)
    edge = Edge("round", (800.0, 800.0)) if outline == "round" else Edge("rectangle", (1000.0, 700.0))
    changed = cv2.absdiff(draw(replace(bare, edge=edge)), draw(bare)).max(axis=2) > 8
    assert not changed[500:800, 850:1150].any()
    assert changed[:200].mean() > 0.9
    assert changed[:, :400].mean() > 0.9


def test_mirrored_lamps_make_a_top_brighter_and_never_darker() -> None:
    bare = Ground("veneer", seed=5, colours=((40, 60, 90),))
    glossy, dull = draw(replace(bare, gloss=0.8)).astype(int), draw(bare).astype(int)
    assert (glossy - dull).min() >= 0
    assert (glossy - dull).max() > 60


def test_grounds_at_random_show_every_kind_and_everything_that_lies_on_them() -> None:
    drawn = [Ground.from_seed(seed) for seed in range(400)]
    assert {ground.kind for ground in drawn} == set(KINDS)
    for feature in ("gloss", "wear", "clutter", "playmat", "edge"):
        share = np.mean([bool(getattr(ground, feature)) for ground in drawn])
        assert 0.05 < share < 0.5, feature
    angles = np.array([ground.angle % 90 for ground in drawn])
    assert 0.2 < np.mean((angles > 15) & (angles < 75)) < 0.5
    assert {ground.kind for ground in (Ground.from_seed(seed, kinds=("lace", "felt")) for seed in range(30))} == {
        "lace",
        "felt",
    }


def test_looks_at_random_have_grounds_and_the_usual_look_is_plain_wood() -> None:
    assert Look().ground is None
    looks = [Look.from_seed(seed) for seed in range(40)]
    assert len({look.ground.kind for look in looks if look.ground is not None}) > 10
    assert np.array_equal(tabletop(replace(Look(), ground=Ground("dots", 3))), draw(Ground("dots", 3)))
    assert not np.array_equal(tabletop(Look()), tabletop(replace(Look(), table="felt")))


@pytest.mark.slow
def test_a_ground_is_seen_wherever_the_camera_looks_within_the_span() -> None:
    half = np.array(SPAN_MM) / 2
    for seed in range(20):
        view = CameraProjection(replace(Look.from_seed(seed), tilt=0.0))
        corners = np.array([[0, 0, 1], [view.size[0], 0, 1], [0, view.size[1], 1], [*view.size, 1]], float)
        table = corners @ np.linalg.inv(view.plane()).T
        assert (np.abs(table[:, :2] / table[:, 2:]) < half + 60).all()
