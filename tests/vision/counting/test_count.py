from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.errors import ProfileError
from calibration.pieces.enrolment import enrol, enrol_marked
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from tests.calibration.drawn import blob, camera, photograph, table_top
from vision.counting.count_by_size import PieceMeasures
from vision.counting.piece_patches import find_patches
from vision.counting.pixel_classification import KindMap
from vision.counting.table_counter import PieceCounter

COLOURS = {
    "search:purple": (150, 58, 104),
    "search:red": (42, 44, 192),
    "search:yellow": (46, 184, 232),
    "token:blue": (186, 104, 48),
}
SIZE = (800, 450)
Lying = tuple[str, float, float]


@cache
def plane() -> TablePlane:
    return camera(height=620.0, size=SIZE)


def picture(*lying: Lying, light: float = 1.0, seed: int = 0) -> Image:
    top = table_top()
    for kind, x, y in lying:
        top = blob(top, COLOURS[kind], x, y)
    return photograph(top, plane(), seed=seed, light=light)


@pytest.fixture(scope="module")
def profile() -> TableProfile:
    enrolled = TableProfile(4, plane(), table_light=(0.06, 0.15, 0.29))
    for number, kind in enumerate(COLOURS):
        shown = [(kind, x, y) for x in (-60.0, 0.0, 60.0) for y in (-30.0, 30.0)]
        enrolled = enrol(enrolled, kind, [picture(*shown, seed=number)])
    return enrolled


@pytest.fixture(scope="module")
def counter(profile: TableProfile) -> PieceCounter:
    return PieceCounter(profile)


def scattered(seed: int, number: int) -> tuple[Lying, ...]:
    """Pieces of all kinds that do not touch."""
    rng = np.random.default_rng(seed)
    lying: list[Lying] = []
    while len(lying) < number:
        x, y = float(rng.uniform(-230, 230)), float(rng.uniform(-120, 120))
        if all(np.hypot(x - a, y - b) > 24 for _, a, b in lying):
            lying.append((str(rng.choice(list(COLOURS))), x, y))
    return tuple(lying)


def counted(lying: tuple[Lying, ...]) -> dict[str, int]:
    kinds = [kind for kind, _, _ in lying]
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))}


@pytest.mark.first_is_quick
@pytest.mark.parametrize(("seed", "light"), [(1, 1.0), (2, 1.2), (3, 0.6)])
def test_every_piece_is_counted_by_kind_under_any_light(counter: PieceCounter, seed: int, light: float) -> None:
    lying = scattered(seed, 20)
    reading = counter.count(picture(*lying, light=light, seed=seed))
    assert reading.counts == counted(lying)
    assert light < 0.8 or reading.doubtful == ()


def test_each_piece_has_its_box_and_a_confidence(counter: PieceCounter) -> None:
    lying = scattered(4, 9)
    reading = counter.count(picture(*lying))
    for kind, x, y in lying:
        u, v = plane().to_image((x, y))
        near = [
            piece
            for piece in reading.pieces
            if piece.box[0] <= u <= piece.box[0] + piece.box[2] and piece.box[1] <= v <= piece.box[1] + piece.box[3]
        ]
        assert [piece.kind for piece in near] == [kind]
        assert near[0].confidence > 0.85
        assert 0.7 < near[0].box[2] / near[0].box[3] < 1.4


def test_an_empty_table_has_no_pieces(counter: PieceCounter) -> None:
    reading = counter.count(picture(seed=9))
    assert (reading.counts, reading.pieces, reading.doubtful) == ({}, (), ())


def test_pieces_of_one_kind_that_touch_are_distinguished_or_asked_about(counter: PieceCounter) -> None:
    reading = counter.count(picture(("search:red", 0, 0), ("search:red", 15, 0), ("search:red", 90, 40)))
    assert reading.counts == {"search:red": 3} or reading.doubtful


def test_pieces_of_two_kinds_that_touch_are_both_counted(counter: PieceCounter) -> None:
    reading = counter.count(picture(("search:red", 0, 0), ("search:yellow", 15, 0)))
    assert reading.counts == {"search:red": 1, "search:yellow": 1}


def test_a_disc_with_a_dark_rim_is_one_printed_piece_and_not_another_piece_around_it() -> None:
    rows, columns = np.mgrid[0:60, 0:60]
    away = np.hypot(rows - 30, columns - 30)
    # The rim looks more like the dark kind, the middle only like the printed one; a shadow makes it look larger.
    rim, middle = (away < 11) & (away >= 6), away < 6
    densities = np.full((2, 60, 60), -5.0, np.float32)
    densities[0, rim], densities[1, rim | middle] = 2.0, 1.5
    posterior = np.zeros((2, 60, 60), np.float32)
    posterior[0, rim], posterior[1, middle] = 0.9, 0.95
    bare = 1 - posterior.sum(axis=0)
    seen = KindMap(("search:black", "sign:witch"), np.zeros((60, 60, 3), np.float32), densities, posterior, bare)
    measures = {
        kind: PieceMeasures(area, 0.15, 17.0, 0.95, 1.5)
        for kind, area in (("search:black", 160.0), ("sign:witch", 250.0))
    }
    (patch,) = find_patches(seen, measures, np.full((60, 60), 1.0, np.float32))
    assert (patch.kind, patch.count) == ("sign:witch", 1)


@pytest.mark.slow
def test_paint_is_not_taken_for_a_print_of_which_only_one_colour_is_seen() -> None:
    flat = TableProfile(4).with_flat(1.2, 4)
    flat = enrol(flat, "search:purple", [picture(("search:purple", -30, 0), ("search:purple", 30, 0))])
    flat = enrol(flat, "sign:witch", [signs((-30, 0), (30, 0))])
    between, top = (150, 58, 120), table_top()
    for x, y in ((0, 0), (60, 20)):
        top = blob(top, between, x, y)
    counter = PieceCounter(flat)
    assert counter.count(photograph(top, plane())).counts == {"search:purple": 2}
    assert counter.count(signs((0, 0), (60, 20))).counts == {"sign:witch": 2}


def signs(*spots: tuple[float, float]) -> Image:
    """Lay round signs: green in the midst of a purple that is not quite the search pieces'."""
    top = table_top()
    for x, y in spots:
        top = blob(top, (150, 58, 150), x, y)
        top = blob(top, (120, 220, 140), x, y, radius=4.0, shadow=False)
    return photograph(top, plane())


@pytest.mark.slow
def test_without_a_picture_of_the_empty_table_one_picture_is_enough() -> None:
    flat = TableProfile(4).with_flat(1.2, 4)
    for kind in COLOURS:
        shown = [(kind, x, y) for x in (-40.0, 0.0, 40.0) for y in (-30.0, 30.0)]
        flat = enrol(flat, kind, [picture(*shown)])
    lying = scattered(5, 12)
    wider = np.asarray(np.pad(picture(*lying), ((20, 20), (40, 40), (0, 0)), mode="reflect"), np.uint8)
    assert wider.shape[1::-1] != SIZE
    assert PieceCounter(flat).count(wider).counts == counted(lying)


@pytest.mark.first_is_quick
@pytest.mark.parametrize("paint", [(60, 160, 70), (240, 240, 240), (30, 30, 30), (200, 200, 90)])
def test_a_piece_of_no_enrolled_kind_is_reported_as_not_known(
    counter: PieceCounter, paint: tuple[int, int, int]
) -> None:
    reading = counter.count(photograph(blob(table_top(), paint, 0, 0), plane()))
    assert (reading.counts, reading.pieces) == ({}, ())
    (thing,) = reading.unknown
    assert thing.confidence > 0.5
    assert [(one.box, one.reason) for one in reading.doubtful] == [
        (thing.box, "not known: it fits none of the enrolled kinds")
    ]


def test_a_profile_of_one_kind_counts_it_and_nothing_else(profile: TableProfile) -> None:
    counter = PieceCounter(replace(profile, pieces={"search:red": profile.pieces["search:red"]}))
    reading = counter.count(picture(("search:red", 0, 0), ("search:red", 60, 0), ("token:blue", -60, 0)))
    assert reading.counts == {"search:red": 2}
    assert len(reading.unknown) == 1


def test_pieces_pointed_out_on_a_plain_table_without_a_sheet_are_counted_on_one() -> None:
    flat = TableProfile(4).with_flat(1.2, 4)
    for kind in ("search:purple", "search:yellow"):
        shown = [(kind, x, y) for x in (-40.0, 0.0, 40.0) for y in (-30.0, 30.0)]
        spots = [tuple(plane().to_image((x, y)).tolist()) for _, x, y in shown]
        flat = enrol_marked(flat, kind, picture(*shown), spots=spots)
    counter = PieceCounter(flat)
    lying = (("search:purple", -80.0, 20.0), ("search:purple", 50.0, -30.0), ("search:yellow", 10.0, 40.0))
    assert counter.count(picture(*lying)).counts == {"search:purple": 2, "search:yellow": 1}


def checked(light: float, *lying: Lying) -> Image:
    """Lay pieces on a checked cloth, one of whose colours is nearly a piece's."""
    rows, columns = np.mgrid[0 : table_top().shape[0], 0 : table_top().shape[1]] // 70
    red = ((rows + columns) % 2 == 1)[..., None]
    top = np.asarray(np.where(red, np.array([60, 50, 190], np.uint8), np.uint8(235)), np.uint8)
    for kind, x, y in lying:
        top = blob(top, COLOURS[kind], x, y)
    return photograph(top, plane(), seed=len(lying), light=light)


@pytest.mark.slow
@pytest.mark.parametrize("light", [pytest.param(1.0, marks=pytest.mark.slow), 0.8])
def test_pieces_on_a_checked_cloth_are_found_by_what_is_new_on_it(profile: TableProfile, light: float) -> None:
    cloth = replace(profile, views=(), table_light=None, pieces={}).with_view(checked(1.0), [])
    for kind in COLOURS:
        shown = [(kind, x, y) for x in (-60.0, 0.0, 60.0) for y in (-30.0, 30.0)]
        boxes = [box_round(x, y) for _, x, y in shown]
        cloth = enrol_marked(cloth, kind, checked(1.0, *shown), boxes=boxes, force=True)
    lying = scattered(6, 12)
    reading = PieceCounter(cloth).count(checked(light, *lying))
    assert reading.counts == counted(lying)
    assert reading.unknown == ()


def box_round(x: float, y: float) -> tuple[float, float, float, float]:
    """Return a box (px) closely round a piece at (x, y) mm."""
    corners = plane().to_image(np.array([[x - 8, y - 8], [x + 8, y + 8]]))
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return float(left), float(top), float(right - left), float(bottom - top)


def test_pieces_marked_on_a_pattern_alone_are_not_counted_until_they_are_enrolled_on_a_plain_table() -> None:
    shown = [("search:red", x, y) for x in (-60.0, 0.0, 60.0) for y in (-30.0, 30.0)]
    boxes = [box_round(x, y) for _, x, y in shown]
    flat = TableProfile(4).with_flat(1.2, 4)
    pattern = enrol_marked(flat, "search:red", checked(1.0, *shown), boxes=boxes)
    with pytest.raises(ProfileError, match="cannot be counted: enrol them on a plain table"):
        PieceCounter(pattern)
    plain = enrol_marked(pattern, "search:red", picture(*shown), boxes=boxes, replace=True)
    assert PieceCounter(plain).count(picture(*shown[:4], seed=3)).counts == {"search:red": 4}


def test_a_kind_on_a_pattern_hinders_no_count_of_others(profile: TableProfile) -> None:
    flat = replace(profile, views=(), on_pattern=frozenset({"token:blue"}))
    with pytest.raises(ProfileError, match="cannot be counted"):
        PieceCounter(flat)
    others = {kind: samples for kind, samples in profile.pieces.items() if kind != "token:blue"}
    reading = PieceCounter(replace(flat, pieces=others)).count(picture(("search:red", 0, 0)))
    assert reading.counts == {"search:red": 1}


def test_a_picture_in_which_pieces_are_specks_is_refused(profile: TableProfile) -> None:
    far = TableProfile(4, TablePlane.flat(0.3, SIZE), pieces=profile.pieces, table_light=profile.table_light)
    with pytest.raises(ProfileError, match="too few to count"):
        PieceCounter(far).count(picture())


def test_a_profile_must_be_calibrated_and_know_pieces(profile: TableProfile) -> None:
    with pytest.raises(ProfileError, match="not calibrated"):
        PieceCounter(TableProfile(4, pieces=profile.pieces))
    with pytest.raises(ProfileError, match="No pieces are enrolled"):
        PieceCounter(TableProfile(4, plane()))


def test_a_picture_of_another_size_is_refused(counter: PieceCounter) -> None:
    with pytest.raises(ProfileError, match="calibrated at 800×450"):
        counter.count(np.zeros((480, 640, 3), np.uint8))
