from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.pieces.segmentation import survey
from calibration.pieces.touching_pieces import Mask, filled_hull, split_touching
from tests.calibration.drawn import blob, camera, photograph, table_top

PLANE = camera()
ONE_DISC = 709
"""Pixels of a disc of radius 15."""


def _discs(*centres: tuple[int, int]) -> Mask:
    mask = np.zeros((120, 120), np.uint8)
    for centre in centres:
        cv2.circle(mask, centre, 15, 1, cv2.FILLED)
    return mask.astype(bool)


def _sizes(masks: Sequence[Mask]) -> list[int]:
    return sorted(int(np.count_nonzero(part)) for _, part in split_touching(masks))


def test_two_and_three_together_come_apart_where_a_single_one_tells_the_size() -> None:
    single, pair = _discs((40, 40)), _discs((30, 40), (58, 42))
    three = _discs((30, 40), (58, 42), (42, 66))
    assert [number for number, _ in split_touching([pair, single, three])] == [0, 0, 1, 2, 2, 2]
    assert all(abs(size / ONE_DISC - 1) < 0.2 for size in _sizes([pair, single, three]))


def test_a_neck_tells_two_pieces_even_where_none_lies_alone() -> None:
    assert len(_sizes([_discs((30, 40), (58, 42))])) == 2


def test_squares_side_by_side_have_no_neck_but_twice_the_area() -> None:
    single, pair = np.zeros((80, 80), bool), np.zeros((80, 80), bool)
    single[10:40, 10:40] = True
    pair[10:40, 10:70] = True
    assert _sizes([single, single, pair]) == [900] * 4


def test_a_piece_that_lies_among_some_that_stand_is_one_though_it_has_the_area_of_two() -> None:
    standing, lying = np.zeros((80, 80), bool), np.zeros((80, 80), bool)
    standing[10:30, 10:35] = True
    lying[10:44, 10:37] = True
    assert _sizes([standing, standing, standing, lying]) == [500, 500, 500, 918]


def test_pieces_of_somewhat_different_outline_stay_whole() -> None:
    whole = [_discs((40, 40)), _discs((40, 40))[:40], _discs((40, 40), (48, 40))]
    assert len(split_touching(whole)) == 3


def test_what_does_not_come_apart_into_equal_parts_is_left_out() -> None:
    blot = np.ones((120, 120), bool)
    assert len(_sizes([_discs((40, 40)), _discs((40, 40)), blot])) == 2
    assert split_touching([]) == []


def test_touching_pieces_in_a_picture_are_found_one_by_one() -> None:
    top = table_top(3)
    for x, y in ((-100.0, 50.0), (-85.5, 51.0), (0.0, 0.0), (8.0, 12.5), (15.0, -0.5), (90.0, 40.0)):
        top = blob(top, (40, 40, 190), x, y)
    finds = survey(photograph(top, PLANE, 1), PLANE).finds
    assert len(finds) == 6
    assert all(110 < find.area_mm2 < 225 for find in finds)


def test_black_pieces_on_a_light_table_are_distinguished_from_their_deep_shadows() -> None:
    top = table_top(3, (150, 150, 150))
    for x, y in ((-100.0, 50.0), (0.0, 0.0), (90.0, 40.0)):
        for aside in (4.0, 7.0):
            top = blob(top, (80, 80, 80), x + aside, y - aside, shadow=False)
        top = blob(top, (28, 28, 30), x, y, shadow=False)
    finds = survey(photograph(top, PLANE, 1), PLANE).finds
    assert len(finds) == 3
    assert all(110 < find.area_mm2 < 225 for find in finds)


def test_thin_streaks_of_grain_do_not_tell_how_large_pieces_are() -> None:
    streak = np.zeros((120, 120), bool)
    streak[50:57, 5:115] = True
    assert [
        number for number, _ in split_touching([streak, _discs((40, 40)), streak, streak, _discs((60, 60))])
    ] == [1, 4]
    assert split_touching([streak, streak]) == []


def test_a_disc_of_which_print_and_rim_are_lost_is_made_whole() -> None:
    dented = _discs((60, 60))
    dented[48:66, 62:80] = False
    dented[70:78, 44:52] = False
    assert abs(np.count_nonzero(filled_hull(dented)) / ONE_DISC - 1) < 0.15
    assert np.count_nonzero(dented) < 0.7 * ONE_DISC
