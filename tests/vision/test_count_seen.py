"""What colours say and what the detector sees, held against each other."""

import numpy as np
import pytest

from vision.count_seen import Thing, agree
from vision.count_things import Measure, Patch

MEASURES = {
    "sign:soul": Measure(300.0, 0.15, 20.0, 0.95, -2.0),
    "search:yellow": Measure(190.0, 0.15, 17.0, 0.8, -2.0),
}


def patch(left=40, count=1, chance=0.99, unlike=0.3, share=1.1, kind="sign:soul", **others):
    rest = (1 - chance) / 2
    chances = [rest, rest, rest]
    chances[count - 1] = chance
    kinds = ((kind, 0.99), *((name, 0.01) for name in MEASURES if name != kind))
    return Patch(kind, left, 50, np.ones((16, 16), np.uint8), tuple(chances), kinds, unlike, share, **others)


def thing(x, y=58.0, score=0.8):
    return Thing((x, y), (x - 8, y - 8, 16.0, 16.0), score)


def test_a_piece_that_both_see_is_sure():
    agreed = agree([patch()], [thing(48.0)], MEASURES)
    assert [one.count for one in agreed.counted] == [1]
    assert not agreed.disputed | agreed.odd
    assert (agreed.dropped, agreed.strange) == ((), ())


@pytest.mark.parametrize(("chance", "asked"), [(0.5, False), (0.95, True)])
def test_one_thing_is_one_piece_though_its_colours_look_like_two(chance, asked):
    agreed = agree([patch(count=2, chance=chance, share=1.9)], [thing(48.0)], MEASURES)
    assert agreed.counted[0].count == 1
    assert (0 in agreed.disputed) == asked


def test_two_strong_things_where_colours_see_one_are_asked_about():
    assert agree([patch()], [thing(44.0), thing(54.0)], MEASURES).disputed == {0}
    assert not agree([patch()], [thing(44.0), thing(54.0, score=0.3)], MEASURES).disputed


def test_a_stain_that_does_not_look_like_a_piece_is_not_counted():
    agreed = agree([patch(unlike=4.0, share=0.4), patch(left=90, unlike=4.0)], [], MEASURES)
    assert agreed.counted == ()
    assert [one.left for one in agreed.dropped] == [90], "what is as large as a piece is asked about"


def test_the_very_colour_and_size_of_a_piece_are_believed_without_the_detector():
    assert len(agree([patch()], [], MEASURES).counted) == 1


def test_a_thing_of_no_colour_is_told_of_where_the_detector_is_sure():
    agreed = agree([patch()], [thing(48.0), thing(200.0), thing(300.0, score=0.3)], MEASURES)
    assert [one.middle[0] for one in agreed.strange] == [200.0]


def test_odd_colours_on_too_little_are_of_the_kind_of_that_size_and_asked_about():
    agreed = agree([patch(unlike=2.7, share=0.65)], [thing(48.0)], MEASURES)
    assert agreed.counted[0].kind == "search:yellow"
    assert agreed.counted[0].share == pytest.approx(0.65 * 300 / 190)
    assert agreed.odd == {0}
    tiny = agree([patch(unlike=2.7, share=0.3)], [thing(48.0)], MEASURES)
    assert (tiny.counted[0].kind, tiny.odd) == ("sign:soul", {0})
