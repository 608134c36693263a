"""The order in which tokens are taken decides about faint discs and does not override clear ones."""

from __future__ import annotations

import numpy as np
import pytest

from vision.games.master.objects.tokens.taking_order_prior import numbers_given_taking_order
from vision.games.master.readings import NUMBERS


def _discs(numbers: list[int], clear: float = 12.0) -> np.ndarray:
    """Return the weights of discs that show these numbers clearly."""
    weights = np.full((len(numbers), len(NUMBERS)), np.exp(-8.0))
    for disc, number in enumerate(numbers):
        weights[disc, NUMBERS.index(number)] = np.exp(clear)
    return weights


def test_a_faint_disc_is_the_number_that_is_missing() -> None:
    weights = _discs([12, 13, 14, 16, 17, 18, 19, 20, 25, 15])
    weights[-1] = np.exp(-2.0)  # hardly a disc, and of no number more than of another
    left = numbers_given_taking_order(weights, hidden=0.05)
    assert NUMBERS[int(left.marginals[-1].argmax())] == 15
    assert left.marginals[-1].max() > 0.5
    assert left.marginals[:-1].max(axis=1).min() > 0.98


def test_a_number_that_no_disc_shows_is_said_to_be_unseen() -> None:
    left = numbers_given_taking_order(_discs([12, 13, 14, 16, 17, 18, 19, 20, 25]), hidden=0.05)
    assert left.unseen[NUMBERS.index(15)] > 0.9
    assert left.unseen[: NUMBERS.index(12)].sum() < 0.2


@pytest.mark.parametrize("numbers", [[3, 7, 8, 14, 20], [1, 25], []])
def test_plain_discs_are_read_in_any_order(numbers: list[int]) -> None:
    left = numbers_given_taking_order(_discs(numbers), hidden=0.05)
    assert [NUMBERS[index] for index in left.marginals.argmax(axis=1)] == numbers
    assert (left.marginals.max(axis=1) > 0.98).all()


def test_the_lowest_number_on_the_table_may_be_hidden() -> None:
    """Whether 8 is taken or under a wizard cannot be seen; it is the likelier, the more is hidden."""
    chances = [
        numbers_given_taking_order(_discs(list(NUMBERS[8:])), hidden).unseen[7] for hidden in (0.0, 0.1, 0.3)
    ]
    assert chances == sorted(chances)
    assert chances[0] < 0.02
