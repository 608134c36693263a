"""Orders for the second renderer keep trained and held-out hands apart."""

import json

import pytest

from calibration.files.picture_files import read_picture
from models.path_tracing.hand_jobs import (
    FIRST_GROWN_HELD_OUT_SEED,
    FIRST_GROWN_SEED,
    FIRST_HELD_OUT_SEED,
    FIRST_SEED,
    GROUND_MM,
    write,
)
from vision.cameras.simulated.hands.arm_pictures import hands

pytestmark = pytest.mark.slow


def orders(folder, first, **how):
    write(folder, first, 12, **how)
    return json.loads((folder / "specs.json").read_text("utf-8"))


def test_the_same_seeds_order_the_same_pictures(tmp_path):
    assert orders(tmp_path / "a", FIRST_SEED) == orders(tmp_path / "b", FIRST_SEED)


def test_hands_that_judge_are_never_trained_with(tmp_path):
    judging = {hand["name"] for hand in hands("held out")}
    assert judging
    assert not judging & {hand["name"] for hand in hands("many")}
    assert {
        order["hand"]["name"] for order in orders(tmp_path / "judged", FIRST_HELD_OUT_SEED, held_out=True)
    } <= judging
    assert not {order["hand"]["name"] for order in orders(tmp_path / "trained", FIRST_SEED)} & judging


@pytest.mark.slow
def test_fists_hold_nothing_and_printed_faces_lie_beside(tmp_path):
    ordered = [*orders(tmp_path, FIRST_SEED), *orders(tmp_path, FIRST_SEED + 450)]
    fists = [order for order in ordered if order["hand"]["state"] == "closed"]
    assert 0 < len(fists) < len(ordered) / 2
    assert not any(order["pieces"] for order in fists)
    faces = [piece["face"] for order in ordered for piece in order["pieces"] if piece["face"]]
    assert faces
    assert all((tmp_path / face).is_file() for face in faces)


def test_what_judges_is_open_hands_alone(tmp_path):
    assert all(order["hand"]["state"] == "open" for order in orders(tmp_path, FIRST_HELD_OUT_SEED, held_out=True))


@pytest.mark.slow
def test_grown_hands_are_nobodys_and_many_of_them_fists(tmp_path):
    ordered = [
        *orders(tmp_path, FIRST_GROWN_SEED, grown=True),
        *orders(tmp_path, FIRST_GROWN_SEED + 12, grown=True),
    ]
    assert all(order["hand"]["grown"] and "name" not in order["hand"] for order in ordered)
    fists = [order for order in ordered if order["hand"]["state"] == "closed"]
    assert len(ordered) / 5 < len(fists) < len(ordered) / 1.5
    assert not any(order["pieces"] for order in fists)
    assert any(order["pieces"] for order in ordered)
    judging = orders(tmp_path, FIRST_GROWN_HELD_OUT_SEED, grown=True, held_out=True)
    assert all(order["hand"] == {"grown": True, "state": "open"} for order in judging)


@pytest.mark.slow
def test_most_hands_are_held_over_a_ground_of_the_simulated_table(tmp_path):
    laid = [order["ground"] for order in orders(tmp_path, FIRST_SEED) if order["ground"]]
    assert 6 <= len(laid) < 12
    for name in laid:
        picture = read_picture(tmp_path / name)
        assert picture.shape == (GROUND_MM, GROUND_MM, 3)
    assert len(set(laid)) == len(laid)
