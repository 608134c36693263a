from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera import sheet
from calibration.camera.calibrate import calibrate
from calibration.errors import EnrolError, PictureError, ProfileError
from calibration.pieces.enrolment import enrol
from calibration.pieces.samples import PieceSamples
from calibration.pieces.segmentation import survey
from calibration.plane import Image
from calibration.profile import TableProfile
from tests.calibration.drawn import HALF_MM, PX_PER_MM, blob, camera, lay, photograph, sheet_picture, table_top

PLANE = camera()
WOOD, FELT, GREY = (70, 110, 150), (80, 84, 40), (120, 120, 120)
DUSK, SLATE = (69, 82, 90), (46, 47, 48)
"""A dark table, and a piece as dark as its own shadow there, that only its hue tells from it."""
PURPLE, BLACK, RED, WHITE = (120, 40, 90), (32, 30, 34), (40, 40, 190), (235, 235, 235)
SPOTS = [(-110.0, 60.0), (-40.0, -80.0), (20.0, 95.0), (75.0, -20.0), (120.0, 70.0)]


def _laid(colour: tuple[int, int, int], table: tuple[int, int, int], light: float = 1.0) -> Image:
    top = table_top(3, table)
    for x, y in SPOTS:
        top = blob(top, colour, x, y)
    return photograph(top, PLANE, seed=1, light=light)


@pytest.fixture(scope="module")
def profile() -> TableProfile:
    return TableProfile(4).calibrated(calibrate(sheet_picture(PLANE, seed=3), 4))


@pytest.mark.first_is_quick
@pytest.mark.parametrize(
    ("colour", "table"),
    [
        (PURPLE, WOOD),
        (BLACK, WOOD),
        (WHITE, WOOD),
        (RED, FELT),
        (BLACK, FELT),
        (BLACK, GREY),
        (WHITE, GREY),
    ],
)
def test_pieces_of_any_colour_are_found_on_any_table_without_their_shadows(
    colour: tuple[int, int, int], table: tuple[int, int, int]
) -> None:
    finds = survey(_laid(colour, table), PLANE).finds
    assert len(finds) == len(SPOTS)
    for find in finds:
        assert min(np.hypot(find.centre_mm[0] - x, find.centre_mm[1] - y) for x, y in SPOTS) < 2.5
        # A disc of 15 mm has 177 square mm; with its shadow it would have 250.
        assert 110 < find.area_mm2 < 225


@pytest.mark.slow
def test_a_piece_as_dark_as_its_long_shadow_is_distinguished_from_it_by_its_hue() -> None:
    top = table_top(3, DUSK).copy()
    for x, y in SPOTS:
        u, v = (x + HALF_MM[0]) * PX_PER_MM, (HALF_MM[1] - y) * PX_PER_MM
        shadow = np.zeros(top.shape[:2], np.float32)
        far = (round(u + 9 * PX_PER_MM), round(v + 9 * PX_PER_MM))
        cv2.line(shadow, (round(u), round(v)), far, 1.0, round(15 * PX_PER_MM))
        top = np.asarray(top * (1 - 0.45 * cv2.GaussianBlur(shadow, (0, 0), 2)[..., None]), np.uint8)
        cv2.circle(top, (round(u), round(v)), round(7.5 * PX_PER_MM), SLATE, cv2.FILLED)
    finds = survey(photograph(top, PLANE, seed=1), PLANE).finds
    assert len(finds) == len(SPOTS)
    assert all(110 < find.area_mm2 < 225 for find in finds)


def test_the_pale_ground_of_a_print_belongs_to_it() -> None:
    top = table_top(3, WOOD)
    for x, y in SPOTS:
        top = blob(blob(top, (110, 120, 215), x, y), (200, 20, 120), x, y, radius=4.0, shadow=False)
    finds = survey(photograph(top, PLANE), PLANE).finds
    assert len(finds) == len(SPOTS)
    assert all(115 < find.area_mm2 < 225 for find in finds)


def test_a_dark_rim_round_a_print_of_the_tables_colour_is_one_thing() -> None:
    top = table_top(3, WOOD).copy()
    rim = tuple(
        0.4 * level for level in WOOD
    )  # as its shadow would be, but for the paint that shows here and there
    for x, y in SPOTS:
        u, v = round((x + HALF_MM[0]) * PX_PER_MM), round((HALF_MM[1] - y) * PX_PER_MM)
        cv2.circle(top, (u, v), round(8 * PX_PER_MM), rim, cv2.FILLED)
        for turn in np.radians([0, 72, 144, 216, 288]):
            at = (u + round(6.2 * PX_PER_MM * np.cos(turn)), v + round(6.2 * PX_PER_MM * np.sin(turn)))
            cv2.circle(top, at, round(1.6 * PX_PER_MM), PURPLE, cv2.FILLED)
        cv2.circle(top, (u, v), round(4 * PX_PER_MM), WOOD, cv2.FILLED)
    finds = survey(photograph(top, PLANE, seed=1), PLANE).finds
    assert len(finds) == len(SPOTS)
    assert all(110 < find.area_mm2 < 225 for find in finds)


@pytest.mark.first_is_quick
@pytest.mark.parametrize("table", [WOOD, FELT, SLATE])
@pytest.mark.parametrize("colour", [BLACK, RED])
def test_corners_of_paper_below_the_pieces_are_no_pieces(
    table: tuple[int, int, int], colour: tuple[int, int, int], profile: TableProfile
) -> None:
    top = table_top(3, table).copy()
    left, right = (round((HALF_MM[0] + x) * PX_PER_MM) for x in (-105, 105))
    upper, lower = (round((HALF_MM[1] - y) * PX_PER_MM) for y in (74, -74))
    cv2.rectangle(top, (left, upper), (right, lower), (225, 228, 230), cv2.FILLED)
    nothing_yet = survey(photograph(top, PLANE, seed=1), PLANE).finds
    assert all(find.size_mm[1] < 8 for find in nothing_yet)  # a streak of the table, but no corner
    for x, y in ((-60.0, 40.0), (-20.0, -45.0)):
        top = blob(top, colour, x, y)
    samples = enrol(profile, "search:red", [photograph(top, PLANE, seed=1)]).pieces["search:red"]
    assert len(samples.specimens) == 2  # there are twice as many corners
    assert samples.mean[0] < 55


def test_nothing_is_found_on_an_empty_table() -> None:
    for table in (WOOD, FELT, GREY):
        assert survey(photograph(table_top(5, table), PLANE), PLANE).finds == ()


def test_a_kind_is_learned_from_one_picture(profile: TableProfile) -> None:
    enrolled = enrol(profile, "search:red", [_laid(RED, WOOD)])
    samples = enrolled.pieces["search:red"]
    assert len(samples.specimens) == len(SPOTS)
    assert samples.size_mm == pytest.approx((15, 15), abs=2.5)
    lightness, a, b = samples.mean
    assert a > 35
    assert b > 10
    assert 25 < lightness < 60
    assert all(len(specimen.pixels) > 30 for specimen in samples.specimens)
    assert "search:red" not in profile.pieces


def test_a_kind_is_as_large_as_its_specimens_that_lie_though_most_stand_on_edge(profile: TableProfile) -> None:
    samples = enrol(profile, "search:red", [_laid(RED, WOOD)]).pieces["search:red"]
    on_edge = [replace(specimen, size_mm=(specimen.size_mm[0], 9.0)) for specimen in samples.specimens[:3]]
    mixed = PieceSamples((*on_edge, *samples.specimens[3:]))
    assert mixed.size_mm[1] == 9.0
    assert mixed.flat_area_mm2 == pytest.approx(samples.flat_area_mm2, rel=0.1)


def test_colours_are_the_same_under_brighter_and_darker_light(profile: TableProfile) -> None:
    bright, dark = (
        enrol(profile, "search:red", [_laid(RED, WOOD, light)]).pieces["search:red"].mean for light in (1.15, 0.6)
    )
    assert np.linalg.norm(bright - dark) < 6


@pytest.mark.slow
def test_a_second_picture_adds_and_the_same_picture_again_does_not(profile: TableProfile) -> None:
    first, second = _laid(RED, WOOD), _laid(RED, WOOD, 0.8)
    once = enrol(profile, "search:red", [first])
    both = enrol(once, "search:red", [second])
    assert len(both.pieces["search:red"].specimens) == 2 * len(SPOTS)
    again = enrol(both, "search:red", [first])
    assert len(again.pieces["search:red"].specimens) == 2 * len(SPOTS)
    anew = enrol(both, "search:red", [second], replace=True)
    assert len(anew.pieces["search:red"].specimens) == len(SPOTS)


@pytest.mark.slow
def test_a_mark_of_the_table_that_the_sheet_did_not_hide_is_not_learned() -> None:
    marked = blob(table_top(3), (30, 60, 90), 178, 20, shadow=False)
    bare = TableProfile(4).calibrated(calibrate(photograph(lay(marked, sheet.picture(4.0), 4.0, 0, 0), PLANE), 4))
    picture = photograph(blob(marked, WHITE, -60, 20), PLANE, 7)
    assert len(survey(picture, PLANE).finds) == 2
    assert len(enrol(bare, "sign:soul", [picture]).pieces["sign:soul"].specimens) == 1


def test_marks_of_the_table_do_not_tell_how_large_pieces_are() -> None:
    marked = table_top(3)
    for number in range(6):
        marked = blob(marked, (30, 60, 90), 50.0 * number - 165, 165, 5.0, shadow=False)
    bare = TableProfile(4).calibrated(calibrate(photograph(lay(marked, sheet.picture(4.0), 4.0, 0, 0), PLANE), 4))
    for x, y in SPOTS:
        marked = blob(marked, WHITE, x, y, 6.5)
    enrolled = enrol(bare, "token:yellow", [photograph(marked, PLANE, 7)])
    assert len(enrolled.pieces["token:yellow"].specimens) == len(SPOTS)


def test_a_stray_thing_of_another_colour_is_left_out(profile: TableProfile) -> None:
    top = blob(table_top(3), WHITE, -20, 10)
    for x, y in SPOTS:
        top = blob(top, PURPLE, x, y)
    enrolled = enrol(profile, "search:purple", [photograph(top, PLANE)])
    assert len(enrolled.pieces["search:purple"].specimens) == len(SPOTS)


def test_an_empty_picture_a_picture_with_the_sheet_and_an_unknown_kind_are_refused(profile: TableProfile) -> None:
    with pytest.raises(EnrolError, match="No pieces found"):
        enrol(profile, "search:red", [photograph(table_top(), PLANE)])
    with pytest.raises(EnrolError, match="sheet is still on the table"):
        enrol(profile, "search:red", [sheet_picture(PLANE)])
    with pytest.raises(EnrolError, match="no kind “search:pink”"):
        enrol(profile, "search:pink", [_laid(RED, WOOD)])
    with pytest.raises(EnrolError, match="not calibrated"):
        enrol(TableProfile(4), "search:red", [_laid(RED, WOOD)])
    with pytest.raises(ProfileError, match="640×360"):
        enrol(profile, "search:red", [np.zeros((360, 640, 3), np.uint8)])


def test_pictures_without_colours_neither_calibrate_nor_enrol(profile: TableProfile) -> None:
    with pytest.raises(PictureError, match="no colours"):
        calibrate(_grey(sheet_picture(PLANE, seed=3)), 4)
    with pytest.raises(PictureError, match="no colours"):
        enrol(profile, "search:purple", [_grey(_laid(PURPLE, WOOD))])


def _grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
