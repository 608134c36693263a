"""The figures of the latest readings."""

from __future__ import annotations

from companion.table.reading.reading_durations import Timings
from tests.companion.director.rehearsal import Clock


def test_only_the_last_minutes_count() -> None:
    clock = Clock()
    timings = Timings(300, clock)
    timings.add(5000.0)
    clock.advance(299.0)
    timings.add(50.0)
    assert timings.view().readings == 2
    clock.advance(2.0)
    view = timings.view()
    assert (view.readings, view.median, view.slowest20th, view.latest) == (1, 50.0, 50.0, 50.0)


def test_without_a_reading_there_are_no_figures() -> None:
    view = Timings().view()
    assert (view.readings, view.median, view.slowest20th, view.latest) == (0, None, None, None)
    assert set(view.bars) == {0.0}


def test_the_median_and_the_slow_ones_are_separate_and_bars_keep_the_slowest() -> None:
    clock = Clock()
    timings = Timings(300, clock)
    for spent in [40.0] * 90 + [400.0] * 10:
        timings.add(spent)
    view = timings.view()
    assert (view.median, view.slowest20th) == (40.0, 400.0)
    assert view.bars[-1] == 400.0
    clock.advance(150.0)
    timings.add(60.0)
    view = timings.view()
    assert (view.bars[-1], max(view.bars[:-1])) == (60.0, 400.0)


def test_no_more_is_kept_than_fits() -> None:
    timings = Timings()
    for number in range(5000):
        timings.add(float(number))
    assert len(timings.recent()) == 2000
