"""What people wear, and how their hands differ."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.hands.arm_pictures import ORIGIN, SCALE, bare, person
from vision.cameras.simulated.hands.worn_item_drawing import arm, arm_with_bent_fingers
from vision.cameras.simulated.hands.worn_item_parameters import METALS, Band, Glove, Pattern, Ring, Worn
from vision.cameras.simulated.renderer import Truth
from vision.cameras.simulated.scene import HandOnTable, Scene
from vision.cameras.simulated.solids import Solid

WHO = replace(person(9), cloth=None)
LOOK = replace(Look(), varied_people=True)


def changed(worn: Worn) -> tuple[int, int, float]:
    """Return the first and last canvas row that `worn` changes, and the fraction of the arm's pixels."""
    plain, dressed = arm(WHO, "open"), arm(replace(WHO, worn=worn), "open")
    weight = plain.cover[..., None] / 255.0
    differs = (np.abs(plain.colour.astype(int) - dressed.colour) * weight).max(axis=2) > 12
    rows = np.flatnonzero(differs.any(axis=1))
    return int(rows[0]), int(rows[-1]), float(differs.sum() / (plain.cover > 128).sum())


def test_people_are_plain_unless_varied_ones_are_asked_for() -> None:
    assert person(5).worn == Worn()
    varied = [person(number, varied=True) for number in range(60)]
    assert person(5, varied=True) == varied[5]
    for feature in ("rings", "bands", "nails", "glove", "pattern", "curled"):
        assert any(getattr(who.worn, feature) for who in varied), feature
    sizes = [who.worn.size for who in varied]
    assert 0.75 <= min(sizes) < 0.82
    assert 1.1 < max(sizes) <= 1.2
    assert len({who.cloth for who in varied}) > 30


def test_a_ring_lies_across_its_finger_and_a_band_round_the_wrist() -> None:
    shown = bare(WHO, "open")
    first, last, share = changed(Worn(rings=(Ring(2, 5.0, METALS[0]),)))
    knuckle, middle, _ = shown.fingers[2]
    assert min(knuckle[1], middle[1]) - 8 * SCALE < first < last < max(knuckle[1], middle[1]) + 8 * SCALE
    assert share < 0.01
    first, last, share = changed(Worn(bands=(Band("watch", 25.0, 20.0, ((20, 20, 20), (240, 240, 240)), 0.0),)))
    assert shown.wrist < first < last < shown.wrist + 60 * SCALE
    assert 0.005 < share < 0.08


def test_a_glove_covers_the_hand_and_a_fingerless_one_leaves_the_tips() -> None:
    shown = bare(WHO, "open")
    blue = Glove((200, 60, 30), False, 0.5)
    for glove, tips in ((blue, True), (replace(blue, fingerless=True), False)):
        colour = arm(replace(WHO, worn=Worn(glove=glove)), "open").colour
        palm = colour[round(ORIGIN[1]), round(ORIGIN[0])].astype(int)
        assert palm[0] > palm[2] + 60
        x, y = (0.8 * shown.fingers[2][2] + 0.2 * shown.fingers[2][1]).round().astype(int)
        tip = colour[y, x].astype(int)
        assert (tip[0] > tip[2]) == tips


def test_nails_stand_out_beyond_the_tips() -> None:
    plain, painted = (arm(replace(WHO, worn=worn), "open") for worn in (Worn(), Worn(nails=((40, 30, 220), 5.0))))
    new = (painted.cover > 128) & (plain.cover < 30)
    red = painted.colour[new].astype(int)
    assert 30 < new.sum() < 4000
    assert (red[:, 2] > red[:, 0] + 80).mean() > 0.9


def test_a_childs_hand_is_smaller_and_a_large_mans_larger() -> None:
    areas = []
    for size in (0.75, 1.0, 1.2):
        cover = arm(replace(WHO, worn=Worn(size=size)), "open").cover[: round(ORIGIN[1] + 40 * SCALE)]
        areas.append(float((cover > 128).sum()))
    assert areas[0] < 0.7 * areas[1]
    assert areas[2] > 1.25 * areas[1]


def test_a_bent_finger_reaches_over_the_palm_and_no_longer_beyond_it() -> None:
    who = replace(WHO, worn=Worn(curled=(2,)))
    flat, over = arm(who, "open"), arm_with_bent_fingers(who)
    tip = bare(who, "open").fingers[2][2].round().astype(int)
    inward = bare(who, "open").fingers[2][2] - bare(who, "open").fingers[2][0]
    inside = (bare(who, "open").fingers[2][0] - 0.4 * inward).round().astype(int)
    assert flat.cover[tip[1] + 6, tip[0]] > 128
    assert over.cover[tip[1] + 6, tip[0]] < 128
    assert over.height[inside[1], inside[0]] > flat.height[inside[1], inside[0]] + 8
    assert np.array_equal(arm_with_bent_fingers(WHO).colour, arm(WHO, "open").colour)


@pytest.mark.parametrize("sort", ["along", "round", "checked"])
def test_sleeves_are_patterned(sort: str) -> None:
    sleeved = replace(person(9), cloth=(30, 30, 30), cuff_mm=30.0)
    pattern = Pattern(
        "along" if sort == "along" else "round" if sort == "round" else "checked", (230, 230, 230), 14.0
    )
    plain, patterned = (arm(replace(sleeved, worn=worn), "open").colour for worn in (Worn(), Worn(pattern=pattern)))
    part = patterned[800:1000, round(ORIGIN[0]) - 30 : round(ORIGIN[0]) + 30].astype(int).max(axis=2)
    assert plain[800:1000, round(ORIGIN[0])].max() < 90
    assert 0.2 < (part > 110).mean() < 0.95


@pytest.mark.slow
def test_hands_that_are_dressed_are_in_the_truth_like_others() -> None:
    pieces = ("search:red",) * 4
    scene = Scene(4, hands=tuple(HandOnTable(seat, 1.0, 1.0, pieces, 3000 + seat) for seat in range(4)))
    image, truth = Renderer(LOOK, {}).render_with_truth(scene)
    plain, _ = Renderer(replace(LOOK, varied_people=False), {}).render_with_truth(scene)
    assert len(truth.hands) == 4
    assert sum(len(hand.pieces) for hand in truth.hands) >= 10
    assert cv2.absdiff(image, plain).mean() > 0.3


def test_a_ball_is_round_and_shines() -> None:
    turns = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    circle = tuple((float(8 * np.cos(t)), float(8 * np.sin(t))) for t in turns)
    ball = Solid("search:red", circle, 16.0, (30, 30, 180), sphere=True)
    scene = Scene(4, tile=False, hands=(HandOnTable(0, 1.0, 1.0, ("search:red",), 7),))
    image, truth = Renderer(replace(Look(), noise=0.0), {}, {"search:red": ball}).render_with_truth(scene)
    (piece,) = _pieces(truth)
    x, y, width, height = (round(v) for v in piece)
    assert 0.8 < width / height < 1.25
    part = image[y : y + height, x : x + width].astype(int)
    assert part.min(axis=2).max() > 110, "the lamp's mirror image is white"
    assert (part[..., 2] > part[..., 1] + 40).mean() > 0.5


def _pieces(truth: Truth) -> list[tuple[float, float, float, float]]:
    return [piece.box for hand in truth.hands for piece in hand.pieces]


def test_mains_light_brightens_rows_differently_in_each_picture() -> None:
    scene = Scene(4)
    still = replace(Look(), noise=0.0)
    steady = Renderer(still, {}).render(scene).astype(float).mean(axis=(1, 2))
    renderer = Renderer(replace(still, flicker=0.08), {})
    first, second = (renderer.render(scene, number).astype(float).mean(axis=(1, 2)) / steady for number in (0, 1))
    assert first.max() - first.min() > 0.1
    assert np.abs(first - second).max() > 0.02


def test_a_second_light_colours_the_far_side() -> None:
    scene = Scene(4)
    still = replace(Look(), noise=0.0, light_azimuth=90.0)
    plain = Renderer(still, {}).render(scene).astype(float)
    mixed = Renderer(replace(still, second_tint=(1.4, 1.0, 0.7)), {}).render(scene).astype(float)
    blue = mixed[..., 0] / np.maximum(plain[..., 0], 1)
    assert blue[:, :200].mean() > 1.15
    assert abs(blue[:, -200:].mean() - 1) < 0.06
