"""Grown hands are held as hands are: fists close, open hands leave room in the palm."""

import numpy as np
import pytest

from models.path_tracing.hand_pose import BELOW_CM, Bone, random_bones, random_rotation, random_skin

SEEDS = range(40)
KNUCKLES_CM = 3.9
"""So far from the middle of the palm fingers begin, the little one nearer."""


def tips(seed, *, closed):
    """Where the four fingers end, and the thumb after them, (5, 3)."""
    return np.array(
        [bone.end for bone in random_bones(np.random.default_rng(seed), closed=closed) if bone.part == "tip"]
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_fingers_of_a_fist_end_over_the_palm(seed):
    fingers = tips(seed, closed=True)[:4]
    assert fingers[:, 1].mean() < KNUCKLES_CM + 1.5
    assert (fingers[:, 2] > BELOW_CM - 1.5).all()


def test_the_fingers_of_open_hands_end_beyond_those_of_fists_however_cupped_they_are():
    reach = {closed: [tips(seed, closed=closed)[:4, 1].mean() for seed in SEEDS] for closed in (False, True)}
    assert min(reach[False]) > KNUCKLES_CM
    assert np.median(reach[False]) > max(reach[True]) + 3


@pytest.mark.parametrize("closed", [False, True])
def test_limbs_hang_together_and_have_some_thickness(closed):
    bones = random_bones(np.random.default_rng(5), closed=closed)
    fingers = [bone for bone in bones if bone.part in ("finger", "tip")]
    for bone in fingers:
        joined = [other for other in bones if np.allclose(other.end, bone.start)]
        assert joined, "a phalanx begins where another bone ends"
    assert all(min(bone.thick) > 0.5 and np.linalg.norm(bone.end - bone.start) > 1 for bone in bones)


def test_fists_are_seen_from_all_sides_and_open_hands_from_the_palm():
    up = np.array([0, 0, 1.0])
    fists = [float(random_rotation(np.random.default_rng(seed), closed=True)[2] @ up) for seed in range(200)]
    opened = [float(random_rotation(np.random.default_rng(seed), closed=False)[2] @ up) for seed in range(200)]
    assert min(opened) > 0.6
    assert min(fists) < -0.8
    assert sum(side > 0.7 for side in fists) > sum(side < -0.7 for side in fists)


@pytest.mark.parametrize("seed", range(8))
def test_a_stretched_finger_has_a_fold_at_its_joint_that_sinks_in_and_is_darker(seed):
    up, (root, joint, end) = np.array([0, 0, 1.0]), (np.array([0, y, 0.0]) for y in (0, 4, 6))
    finger = [Bone(root, joint, (1.0, 0.9), "finger", up), Bone(joint, end, (0.9, 0.8), "tip", up)]
    at = np.array([[0, y, 0.95] for y in np.linspace(1, 5, 81)])
    colours, sunk = random_skin(at, finger, np.random.default_rng(seed))
    deep = np.linalg.norm(sunk - at, axis=1)
    folded, smooth = deep > 0.03, deep < 0.005
    assert folded[60]
    assert 0 < folded.sum() < 10 < smooth.sum()
    assert colours[folded].mean() < 0.95 * colours[smooth].mean()
