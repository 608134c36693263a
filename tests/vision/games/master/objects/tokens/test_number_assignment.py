"""Tests of the joint assignment of numbers to discs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from vision.games.master.objects.tokens.number_assignment import assignment_marginals


def enumerated(logs: np.ndarray, none: np.ndarray) -> np.ndarray:
    """Return exact marginals by enumeration of all assignments in which no number occurs twice."""
    discs, numbers = logs.shape
    total, marginals = 0.0, np.zeros(logs.shape)
    for choice in product(range(-1, numbers), repeat=discs):
        used = [number for number in choice if number >= 0]
        if len(used) != len(set(used)):
            continue
        weight = np.exp(sum(none[d] if n < 0 else logs[d, n] for d, n in enumerate(choice)))
        total += weight
        for disc, number in enumerate(choice):
            if number >= 0:
                marginals[disc, number] += weight
    return marginals / total


@pytest.mark.parametrize("seed", range(8))
def test_marginals_are_close_to_those_of_all_assignments(seed: int) -> None:
    rng = np.random.default_rng(seed)
    logs, none = rng.normal(0, 2.5, (4, 5)), rng.normal(0, 1, 4)
    assert np.abs(assignment_marginals(logs, none) - enumerated(logs, none)).max() < 0.06


def test_two_discs_that_resemble_one_number_share_it() -> None:
    logs = np.array([[30.0, 0.0], [30.0, 0.0]])
    marginals = assignment_marginals(logs, np.zeros(2))
    assert marginals[:, 0] == pytest.approx([0.5, 0.5], abs=0.01)


def test_the_better_disc_leaves_the_other_its_second_number() -> None:
    marginals = assignment_marginals(np.array([[40.0, 0.0], [30.0, 25.0]]), np.zeros(2))
    assert marginals.argmax(axis=1).tolist() == [0, 1]
    assert marginals.max(axis=1).min() > 0.99


def test_large_likelihoods_stay_finite() -> None:
    marginals = assignment_marginals(np.full((21, 21), -500.0) + 1500 * np.eye(21), np.zeros(21))
    assert np.allclose(np.diag(marginals), 1.0)


def test_no_discs_yield_no_marginals() -> None:
    assert assignment_marginals(np.zeros((0, 21)), np.zeros(0)).shape == (0, 21)
