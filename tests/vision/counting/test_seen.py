"""What colours say and what the detector sees, compared."""

import numpy as np
import pytest

from vision.counting.count_by_size import PieceMeasures
from vision.counting.detector_agreement import SmallObject, combine
from vision.counting.piece_patches import Patch
from vision.kind_colours import KindColours

MEASURES = {
    "sign:soul": PieceMeasures(300.0, 0.15, 20.0, 0.95, -2.0),
    "search:yellow": PieceMeasures(190.0, 0.15, 17.0, 0.8, -2.0),
}


def patch(left=40, count=1, chance=0.99, unlike=0.3, share=1.1, kind="sign:soul", **others):
    rest = (1 - chance) / 2
    chances = [rest, rest, rest]
    chances[count - 1] = chance
    kinds = ((kind, 0.99), *((name, 0.01) for name in MEASURES if name != kind))
    return Patch(kind, left, 50, np.ones((16, 16), np.uint8), tuple(chances), kinds, unlike, share, **others)


def thing(x, y=58.0, score=0.8):
    return SmallObject((x, y), (x - 8, y - 8, 16.0, 16.0), score)


FAR = 9.0
"""So far from all kinds a colour is of none."""


def of_one_colour(intensity):
    return KindColours(
        np.array([[intensity, 0, 0]], np.float32) / 0.12, np.zeros(1, np.float32), np.ones(1, np.float32)
    )


MODELS = {"sign:soul": of_one_colour(3.0), "search:yellow": of_one_colour(5.0)}


def seen(*coloured, density=-3.0):
    """Colour a table of which only what lies about these columns has a kind's colour: nearly yellow."""
    colours = np.full((120, 320, 3), FAR, np.float32)
    best = float(MODELS["search:yellow"].log_density(np.array([[5.0, 0, 0]], np.float32))[0])
    for x in coloured:
        colours[50:66, x - 8 : x + 8] = (5.0 + 0.12 * np.sqrt(2 * (best - density)), 0.0, 0.0)
    return colours


def agree_on(patches, things, table=None):
    return combine(patches, things, seen() if table is None else table, MODELS, MEASURES)


def test_a_piece_that_both_see_is_sure():
    agreed = agree_on([patch()], [thing(48.0)])
    assert [one.count for one in agreed.counted] == [1]
    assert not agreed.disputed | agreed.odd
    assert (agreed.dropped, agreed.strange) == ((), ())


@pytest.mark.parametrize(("chance", "asked"), [(0.5, False), (0.95, True)])
def test_one_thing_is_one_piece_though_its_colours_look_like_two(chance, asked):
    agreed = agree_on([patch(count=2, chance=chance, share=1.9)], [thing(48.0)])
    assert agreed.counted[0].count == 1
    assert (0 in agreed.disputed) == asked


def test_two_strong_things_where_colours_see_one_are_asked_about():
    assert agree_on([patch()], [thing(44.0), thing(54.0)]).disputed == {0}
    assert not agree_on([patch()], [thing(44.0), thing(54.0, score=0.3)]).disputed


def test_a_stain_that_does_not_look_like_a_piece_is_not_counted():
    agreed = agree_on([patch(unlike=4.0, share=0.4), patch(left=90, unlike=4.0)], [])
    assert agreed.counted == ()
    assert [one.left for one in agreed.dropped] == [90], "what is as large as a piece is asked about"


def test_the_very_colour_and_size_of_a_piece_are_believed_without_the_detector():
    assert len(agree_on([patch()], []).counted) == 1


def test_an_object_without_colour_is_reported_where_the_detector_is_sure():
    agreed = agree_on([patch()], [thing(48.0), thing(200.0), thing(300.0, score=0.3)])
    assert [one.middle[0] for one in agreed.strange] == [200.0]


def test_odd_colours_on_too_little_are_of_the_kind_of_that_size_and_asked_about():
    agreed = agree_on([patch(unlike=2.7, share=0.65)], [thing(48.0)])
    assert agreed.counted[0].kind == "search:yellow"
    assert agreed.counted[0].share == pytest.approx(0.65 * 300 / 190)
    assert agreed.odd == {0}
    tiny = agree_on([patch(unlike=2.7, share=0.3)], [thing(48.0)])
    assert (tiny.counted[0].kind, tiny.odd) == ("sign:soul", {0})


def test_what_hardly_stands_out_from_the_table_is_of_the_kind_of_its_colours():
    agreed = agree_on([patch()], [thing(48.0), thing(200.0)], seen(200))
    assert [(one.middle[0], kind) for one, kind in agreed.hidden] == [(200.0, "search:yellow")]
    assert agreed.strange == ()


@pytest.mark.parametrize(
    ("x", "density", "found"),
    [(200, -2.5, True), (200, -4.5, False), (68, -2.5, False)],
    ids=["of the very colour", "of other colours", "beside a piece, where its shadow falls"],
)
def test_what_the_detector_hardly_sees_must_look_like_a_kind_and_lie_apart(x, density, found):
    agreed = agree_on([patch()], [thing(48.0), thing(float(x), score=0.3)], seen(x, density=density))
    assert bool(agreed.hidden) == found


def test_a_small_patch_of_the_very_colour_is_asked_about():
    agreed = agree_on([patch(unlike=0.2, share=0.5)], [])
    assert (agreed.counted, len(agreed.dropped)) == ((), 1)


def test_two_patches_in_one_thing_are_one_piece_and_asked_about():
    print_, rest = patch(), patch(left=57, kind="search:yellow", share=0.5)
    agreed = agree_on([print_, rest], [SmallObject((50.0, 58.0), (38.0, 46.0, 30.0, 24.0), 0.8)])
    assert [one.kind for one in agreed.counted] == ["sign:soul"]
    assert [one.kind for one in agreed.dropped] == ["search:yellow"]


def test_where_all_pieces_of_a_kind_look_small_a_small_patch_is_one():
    small = [patch(share=0.5), patch(left=90, share=0.55), patch(left=140, share=0.5)]
    agreed = agree_on(small, [thing(48.0), thing(98.0)])
    assert ([one.left for one in agreed.counted], agreed.dropped) == ([40, 90, 140], ())
    usual = [patch(), patch(left=90), patch(left=140, share=0.5)]
    assert [one.left for one in agree_on(usual, [thing(48.0), thing(98.0)]).dropped] == [140]


@pytest.mark.parametrize(("x", "shadow"), [(62, True), (74, False)])
def test_what_touches_a_piece_and_hardly_stands_out_may_be_its_shadow_and_is_asked_about(x, shadow):
    agreed = agree_on([patch()], [thing(48.0), thing(float(x))], seen(x))
    assert [kind for _, kind in agreed.shadows] == ["search:yellow"] * shadow
    assert len(agreed.hidden) == (not shadow)
