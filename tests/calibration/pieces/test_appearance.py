from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from calibration.errors import EnrolError
from calibration.pieces.appearance import COLOURS, distance_to_kind, embedding
from calibration.pieces.enrolment import enrol_marked
from calibration.pieces.samples import PieceSamples
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile

FLAT = TablePlane.flat(2.0, (640, 360))
RED, DARK_RED, BLACK = (40, 40, 190), (38, 38, 180), (34, 32, 32)


def _shown(colour: Sequence[int], seed: int = 0, radius: int = 15, light: float = 1.0) -> Image:
    rng = np.random.default_rng(seed)
    picture = np.full((360, 640, 3), (70, 110, 150), np.float64)
    for x, y in CENTRES:
        cv2.circle(picture, (x, y), radius, tuple(float(value) for value in colour), cv2.FILLED)
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0) * light + rng.normal(0, 3, picture.shape)
    return np.clip(soft, 0, 255).astype(np.uint8)


CENTRES = ((100, 100), (220, 90), (330, 200), (480, 260))
BOXES = [(x - 22.0, y - 22.0, 44.0, 44.0) for x, y in CENTRES]


def _samples(image: Image) -> PieceSamples:
    table = TableProfile(4, FLAT)
    return enrol_marked(table, "search:red", image, boxes=BOXES).pieces["search:red"]


def test_one_kind_in_two_pictures_is_alike_and_others_are_not() -> None:
    red, again = _samples(_shown(RED)), _samples(_shown(DARK_RED, 1))
    assert distance_to_kind(again.specimens, red) < 1.25
    for other in (_samples(_shown(BLACK)), _samples(_shown(RED, 2, radius=20))):
        assert distance_to_kind(other.specimens, red) > 2


def test_an_embedding_is_of_finite_numbers_and_tells_prints_from_plain_colour() -> None:
    plain = _shown(BLACK)
    printed = plain.copy()
    for x, y in CENTRES:
        cv2.circle(printed, (x, y), 6, (230, 230, 230), cv2.FILLED)
    one, other = (embedding(_samples(picture).specimens[0]) for picture in (plain, printed))
    assert one.shape == other.shape == (13,)
    assert np.isfinite(one).all()
    assert np.abs(one - other)[:COLOURS].max() > 3
    assert np.abs(one - other)[COLOURS:].max() < 1


@pytest.fixture(scope="module")
def red_known() -> TableProfile:
    table = TableProfile(4).with_flat(2.0, 4)
    return enrol_marked(table, "search:red", _shown(RED), boxes=BOXES)


def test_a_kind_shown_as_another_is_refused_unless_forced(red_known: TableProfile) -> None:
    with pytest.raises(EnrolError, match="look like search:red, which is already enrolled, not like search:black"):
        enrol_marked(red_known, "search:black", _shown(DARK_RED, 1), boxes=BOXES)
    forced = enrol_marked(red_known, "search:black", _shown(DARK_RED, 1), boxes=BOXES, force=True)
    assert set(forced.pieces) == {"search:red", "search:black"}
    both = enrol_marked(red_known, "search:black", _shown(BLACK, 1), boxes=BOXES)
    assert set(both.pieces) == {"search:red", "search:black"}


def test_another_kind_is_not_mixed_into_a_known_one(red_known: TableProfile) -> None:
    with pytest.raises(EnrolError, match="do not look like the search:red enrolled before"):
        enrol_marked(red_known, "search:red", _shown(BLACK, 1), boxes=BOXES)
    both = enrol_marked(red_known, "search:black", _shown(BLACK, 1), boxes=BOXES)
    with pytest.raises(EnrolError, match="look like search:black, which is already enrolled"):
        enrol_marked(both, "search:red", _shown(BLACK, 2), boxes=BOXES)
    more = enrol_marked(red_known, "search:red", _shown(RED, 3, light=0.9), boxes=BOXES)
    assert len(more.pieces["search:red"].specimens) == 2 * len(BOXES)
    anew = enrol_marked(red_known, "search:red", _shown(BLACK, 1), boxes=BOXES, replace=True)
    assert len(anew.pieces["search:red"].specimens) == len(BOXES)


def test_two_things_unlike_each_other_are_not_one_kind() -> None:
    picture = _shown(RED)
    cv2.circle(picture, CENTRES[1], 15, BLACK, cv2.FILLED)
    with pytest.raises(EnrolError, match="do not look alike"):
        enrol_marked(TableProfile(4).with_flat(2.0, 4), "search:red", picture, boxes=BOXES[:2])
