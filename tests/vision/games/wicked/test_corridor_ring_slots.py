from __future__ import annotations

import random

import pytest

from vision.games.wicked.corridor_ring_slots import clockwise_from, slots_of_angles


@pytest.mark.parametrize("count", [4, 5, 6])
def test_loosely_laid_cards_get_their_slots(count: int) -> None:
    rng = random.Random(count)
    angles = [360 / count * slot + rng.uniform(-12, 12) for slot in range(count)]
    assert slots_of_angles([angle % 360 for angle in angles]) == tuple(range(count))


@pytest.mark.parametrize("hidden", range(5))
def test_a_hidden_card_does_not_shift_the_others_where_the_ring_is_known(hidden: int) -> None:
    seen = [slot for slot in range(5) if slot != hidden]
    assert slots_of_angles([72.0 * slot + 4 for slot in seen], 5) == tuple(seen)


def test_a_hidden_card_is_noticed_where_the_others_fit_no_smaller_ring() -> None:
    assert slots_of_angles([0.0, 72.0, 216.0, 288.0]) == (0, 1, 3, 4)


@pytest.mark.parametrize("seen", [(0, 1, 2, 3, 4), (1, 2, 3, 5), (0, 2, 4), (1, 2, 4)])
def test_a_ring_of_six_is_known_by_few_of_its_cards(seen: tuple[int, ...]) -> None:
    assert slots_of_angles([60.0 * slot + 3 for slot in seen]) == seen


def test_two_cards_opposite_may_belong_to_several_rings() -> None:
    assert slots_of_angles([2.0, 181.0]) == (0, None)


def test_uneven_cards_are_counted_only_where_the_whole_ring_is_seen() -> None:
    assert slots_of_angles([10.0, 40.0, 55.0, 200.0], 4) == (0, 1, 2, 3)
    assert slots_of_angles([350.0, 40.0, 55.0, 200.0], 4) == (0, 1, 2, 3)
    assert slots_of_angles([10.0, 40.0, 55.0, 200.0]) == (None, None, None, None)
    assert slots_of_angles([45.0, 100.0, 135.0, 200.0], 4).count(None) > 0


def test_a_card_between_two_places_of_a_known_ring_has_none() -> None:
    assert slots_of_angles([0.0, 91.0, 120.0], 6) == (0, None, 2)
    assert slots_of_angles([0.0, 115.0, 125.0], 6) == (0, None, None)


def test_a_table_without_ring_cards_has_no_slots() -> None:
    assert slots_of_angles([]) == ()


def test_angles_run_clockwise_from_the_head() -> None:
    assert clockwise_from(0.0, (0.0, 0.0), (0.0, 100.0)) == pytest.approx(0.0)
    assert clockwise_from(0.0, (0.0, 0.0), (100.0, 0.0)) == pytest.approx(90.0)
    assert clockwise_from(90.0, (10.0, 10.0), (110.0, 10.0)) == pytest.approx(0.0)
