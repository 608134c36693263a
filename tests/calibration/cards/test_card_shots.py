from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.cards.deck import CARD_MM, REFERENCE_PX_PER_MM
from calibration.cards.enrolment import card_picture
from calibration.errors import EnrolError
from calibration.games.wicked.art import card_back, corridor_face, rasterise, tile_face
from calibration.plane import Image
from tests.calibration.drawn import camera, lay, photograph, table_top

PLANE = camera()
FACE = rasterise(corridor_face("C01", ["yellow"], ["green"]), REFERENCE_PX_PER_MM)
WHOLE = (round(CARD_MM[1] * REFERENCE_PX_PER_MM), round(CARD_MM[0] * REFERENCE_PX_PER_MM))
FELT = (45, 38, 36)


def _likeness(picture: NDArray[np.uint8], face: NDArray[np.uint8]) -> float:
    """Correlate two pictures, without their rims: corners are round, and a tile has six."""
    size = (63, 88)
    small = [
        cv2.GaussianBlur(cv2.resize(each[..., :3], size, interpolation=cv2.INTER_AREA), (0, 0), 1.5)[14:-14, 14:-14]
        for each in (picture, face)
    ]
    return float(np.corrcoef(small[0].reshape(-1), small[1].reshape(-1))[0, 1])


def _lit(picture: Image, light: tuple[float, float, float]) -> Image:
    return np.asarray(np.clip(picture * np.array(light), 0, 255), np.uint8)


@pytest.mark.first_is_quick
@pytest.mark.parametrize("shade", [0.8, 0.72, 0.5])
def test_a_card_is_cut_out_where_the_table_under_it_is_known_only_roughly(shade: float) -> None:
    bare = table_top(3)
    patch = np.full((98, 100, 3), np.median(bare.reshape(-1, 3), axis=0) * shade, np.uint8)
    roughly = photograph(lay(bare, patch, 1.0, 0.0, 0.0), PLANE, 1)
    shot = photograph(lay(bare, FACE, REFERENCE_PX_PER_MM, 4.0, -3.0, 5.0), PLANE, 2)
    picture = card_picture(shot, PLANE, roughly)
    assert picture.shape[:2] == WHOLE
    assert _likeness(picture, FACE) > 0.9
    # What is known of the empty table is wrong, and nothing lies there.
    with pytest.raises(EnrolError, match="No card is found"):
        card_picture(photograph(bare, PLANE, 4), PLANE, roughly)


@pytest.mark.first_is_quick
@pytest.mark.parametrize("shade", [0.72, 0.4, 1.5])
def test_a_patch_that_is_no_card_is_refused(shade: float) -> None:
    bare = table_top(3)
    patch = np.full((98, 100, 3), np.clip(np.median(bare.reshape(-1, 3), axis=0) * shade, 0, 255), np.uint8)
    with pytest.raises(EnrolError, match=r"not a single card|No card is found"):
        card_picture(photograph(lay(bare, patch, 1.0, 0.0, 0.0), PLANE, 1), PLANE, photograph(bare, PLANE, 2))


@pytest.mark.first_is_quick
@pytest.mark.parametrize(
    ("light", "table"),
    [
        ((0.3, 0.3, 0.3), (70, 110, 150)),  # dim
        ((0.5, 0.8, 1.1), (70, 110, 150)),  # a warm lamp
        ((0.45, 0.45, 0.45), FELT),  # dim, and the table as dark as the card's frame
        ((1.3, 1.3, 1.3), (200, 205, 210)),  # bright on a white table
    ],
)
def test_cards_are_cut_out_in_any_light_without_knowing_the_table(
    light: tuple[float, float, float], table: tuple[int, int, int]
) -> None:
    bare = table_top(5, table)
    for name, face in (("face", FACE), ("back", rasterise(card_back("corridor"), REFERENCE_PX_PER_MM))):
        shot = _lit(photograph(lay(bare, face, REFERENCE_PX_PER_MM, -9.0, 12.0, -8.0), PLANE, 6), light)
        picture = card_picture(shot, PLANE, None)
        assert picture.shape[:2] == WHOLE, name
        assert _likeness(picture, face) > 0.65, name


def test_the_light_mirrored_on_a_glossy_card_does_not_shift_its_edges() -> None:
    shot = lay(table_top(2), FACE, REFERENCE_PX_PER_MM, 0.0, 0.0, 3.0).astype(np.float32)
    glare = np.zeros(shot.shape[:2], np.float32)
    cv2.ellipse(
        glare, (round(shot.shape[1] / 2) + 30, round(shot.shape[0] / 2) + 40), (60, 25), 30, 0, 360, 1.0, -1
    )
    shot += 170 * cv2.GaussianBlur(glare, (0, 0), 12)[..., None]
    picture = card_picture(photograph(np.clip(shot, 0, 255).astype(np.uint8), PLANE, 3), PLANE, None)
    assert picture.shape[:2] == WHOLE
    upper = slice(0, WHOLE[0] // 2)
    assert _likeness(picture[upper], FACE[upper]) > 0.9


def test_a_card_shows_on_a_patterned_cloth_that_is_known() -> None:
    rng = np.random.default_rng(1)
    spots = cv2.resize(rng.integers(60, 200, (60, 80, 3)).astype(np.uint8), None, fx=38, fy=37.3)
    bare = np.asarray(spots, np.uint8)
    shot = photograph(lay(bare, FACE, REFERENCE_PX_PER_MM, 5.0, 5.0, 4.0), PLANE, 1)
    picture = card_picture(shot, PLANE, photograph(bare, PLANE, 2))
    assert picture.shape[:2] == WHOLE
    assert _likeness(picture, FACE) > 0.9


def test_cards_of_another_size_are_measured() -> None:
    tarot = np.asarray(cv2.resize(FACE, (280, 480)), np.uint8)
    picture = card_picture(
        photograph(lay(table_top(), tarot, REFERENCE_PX_PER_MM, 3.0, 3.0, 6.0), PLANE, 1), PLANE, None
    )
    height, width = (side / REFERENCE_PX_PER_MM for side in picture.shape[:2])
    assert abs(width - 70) <= 3
    assert abs(height - 120) <= 3


@pytest.mark.parametrize("turn", [0.0, 9.0, -12.0])
def test_the_tile_is_taken_as_it_lies_not_turned_to_another_of_its_sides(turn: float) -> None:
    face = rasterise(tile_face(), REFERENCE_PX_PER_MM)
    shot = photograph(lay(table_top(), face, REFERENCE_PX_PER_MM, 4.0, -6.0, turn), PLANE, 1)
    picture = card_picture(shot, PLANE, None, tile=True)
    wanted = np.asarray(cv2.resize(face, (picture.shape[1], picture.shape[0])), np.uint8)
    assert abs(picture.shape[1] / REFERENCE_PX_PER_MM - 112) < 8
    assert _likeness(picture, wanted) > 0.7


def test_two_cards_are_not_taken_for_one() -> None:
    both = lay(table_top(), FACE, REFERENCE_PX_PER_MM, -31.5, 0.0)
    both = lay(both, FACE, REFERENCE_PX_PER_MM, 31.5, 0.0)
    with pytest.raises(EnrolError, match="not a single card"):
        card_picture(photograph(both, PLANE, 1), PLANE, None)
