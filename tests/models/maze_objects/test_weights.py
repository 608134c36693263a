"""Tests of fitting the weights of the evidence for wizards."""

from __future__ import annotations

import numpy as np

from models.maze_objects.weights import Case, cases, fit
from vision.games.master.objects.wizards import FEATURES
from vision.games.master.readings import SIZE


def test_evidence_is_read_on_every_place_of_a_random_board() -> None:
    first, again = cases(1), cases(1)
    assert {case.colour for case in first} <= set(range(4))
    for case, same in zip(first, again, strict=True):
        assert case.features.shape == (SIZE**2, len(FEATURES))
        assert np.isfinite(case.features).all()
        assert 0 <= case.place <= SIZE**2
        assert np.array_equal(case.features, same.features)


def test_the_fit_weighs_evidence_that_shows_the_place_and_no_other() -> None:
    rng = np.random.default_rng(5)
    examples = []
    for index in range(200):
        features = rng.normal(0, 1, (SIZE**2, len(FEATURES)))
        place = int(rng.integers(SIZE**2 + 1))
        if place < SIZE**2:
            features[place, 1] += 6
        examples.append(Case(index % 4, place, features))
    weights, nowhere = fit(examples)
    assert weights[1] > 2
    assert weights[1] > 3 * np.abs(np.delete(weights, 1)).max()
    assert (nowhere > 2).all(), "places without a wizard have some evidence by chance"
