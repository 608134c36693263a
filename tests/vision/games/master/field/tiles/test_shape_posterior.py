"""The posterior of the loose tiles equals brute force and keeps the numbers in the box."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vision.games.master.field.tiles.shape_posterior import (
    OPENINGS,
    SHAPE,
    LooseTileCounts,
    contradicted,
    likelihoods,
    posterior,
)
from vision.games.master.readings import LOOSE_TILES

_ROTATIONS = np.bincount(SHAPE)


def _certain(openings: list[str], strength: float = 12.0) -> np.ndarray:
    return np.array([[strength if side in one else -strength for side in "TRBL"] for one in openings])


def _boxful() -> list[str]:
    return [shape for shape, count in LOOSE_TILES.items() for _ in range(count)]


@pytest.mark.parametrize("seed", range(5))
def test_the_posterior_equals_a_sum_over_all_assignments(seed: int) -> None:
    likelihood = np.random.default_rng(seed).random((5, 10)) ** 3
    weight = likelihood / _ROTATIONS[SHAPE]
    marginal, best, total = np.zeros((5, 10)), 0.0, 0.0
    for assignment in itertools.product(range(10), repeat=5):
        if tuple(np.bincount(SHAPE[list(assignment)], minlength=3)) != (2, 2, 1):
            continue
        product = float(np.prod(weight[range(5), assignment]))
        total += product
        marginal[range(5), assignment] += product
    for shapes in set(itertools.permutations((0, 0, 1, 1, 2))):
        best = max(best, float(np.prod([weight[i, shape == SHAPE].sum() for i, shape in enumerate(shapes)])))
    probabilities, whole = posterior(likelihood, LooseTileCounts(2, 2, 1))
    assert probabilities == pytest.approx(marginal / total, abs=1e-9)
    assert 0 < whole <= best / total + 1e-9


def test_the_spare_follows_from_the_33_others() -> None:
    openings = _boxful()[:-1]
    likelihood = np.vstack([likelihoods(_certain(openings)), np.ones((1, 10))])
    probabilities, _ = posterior(likelihood)
    assert probabilities[-1, SHAPE == 2].sum() > 0.98
    assert probabilities[-1, SHAPE == 2] == pytest.approx(0.25, abs=0.005)


def test_one_unclear_side_is_settled_by_the_numbers() -> None:
    openings = _boxful()
    logits = _certain(openings)
    logits[-1, 2] = 0.0
    logits[20, 0] = 0.0
    probabilities, whole = posterior(likelihoods(logits))
    assert [OPENINGS[i] for i in probabilities.argmax(1)] == [
        OPENINGS[OPENINGS.index("".join(sorted(one, key="TRBL".index)))] for one in openings
    ]
    assert probabilities.max(1).min() > 0.98
    assert whole > 0.9


def test_no_single_side_outweighs_three_others() -> None:
    logits = _certain(["TB"])
    logits[0, 1] = 1e6
    likelihood = likelihoods(logits)[0]
    assert np.isfinite(likelihood).all()
    assert likelihood[OPENINGS.index("TB")] > 0


def test_a_tile_face_down_stays_open_and_leaves_the_others_alone() -> None:
    openings = _boxful()
    logits = _certain(openings)
    logits[5] = -12.0
    probabilities, _ = posterior(likelihoods(logits))
    assert probabilities[5].max() < 0.9
    others = np.delete(probabilities, 5, 0).max(1)
    assert others.min() > 0.95


def test_an_impossible_box_leaves_every_tile_of_the_shape_in_doubt() -> None:
    openings = [*_boxful()[:-1], "TB"]  # fourteen straight tiles: one too many
    probabilities, _ = posterior(likelihoods(_certain(openings)))
    straight = np.array([one == "TB" for one in openings])
    assert probabilities[straight].max() < 0.98


def test_a_clear_side_that_contradicts_the_likeliest_openings_is_reported() -> None:
    logits = _certain(_boxful())
    probabilities, _ = posterior(likelihoods(logits))
    assert not contradicted(logits, probabilities).any()
    logits[3, 1] = 12.0
    assert contradicted(logits, probabilities).tolist() == [index == 3 for index in range(34)]
