from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from models.detector.crops import Crop, close_crops, wide_crops, with_camera_defects
from models.detector.random_pieces import random_piece_set
from models.detector.scenes import FIRST_SEED, GROUNDS_A_SCENE, SyntheticPicture, session_look, session_pictures
from vision.cameras.simulated.appearance import Cast
from vision.cameras.simulated.hands.arm_pictures import person
from vision.detector import CROP_PX, LABELS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def drawn() -> tuple[SyntheticPicture, ...]:
    return tuple(islice(session_pictures(FIRST_SEED + 3), GROUNDS_A_SCENE + 1))


@pytest.fixture(scope="module")
def cut(drawn: tuple[SyntheticPicture, ...]) -> tuple[Crop, ...]:
    rng = np.random.default_rng(1)
    made = ((*wide_crops(picture, rng, 2), *close_crops(picture, rng)) for picture in drawn)
    return tuple(crop for crops in made for crop in crops)


def test_the_same_seed_gives_the_same_picture(drawn: tuple[SyntheticPicture, ...]) -> None:
    again = next(session_pictures(FIRST_SEED + 3))
    assert np.array_equal(again.image, drawn[0].image)
    assert again.truth == drawn[0].truth


def test_people_kept_for_judging_are_never_trained_with() -> None:
    def cast(name: Cast) -> set[int]:
        who = (person(number, name) for number in range(400))
        return {index for each in who for index in (each.open, each.closed)}

    assert not cast("training") & cast("held out")
    assert cast("training") | cast("held out") == cast("everybody") | cast("training") | cast("held out")
    assert min(len(cast("training")), len(cast("held out"))) >= 10


def test_crops_are_squares_with_boxes_inside(cut: tuple[Crop, ...]) -> None:
    assert len(cut) > 4
    for crop in cut:
        assert crop.image.shape == (CROP_PX, CROP_PX, 3)
        for label, (x, y, width, height) in crop.boxes:
            assert label in LABELS
            assert min(x, y) >= 0
            assert max(x + width, y + height) <= CROP_PX + 1e-6
            assert min(width, height) >= 3


def test_pieces_are_about_two_dozen_pixels_and_hands_about_sixty(cut: tuple[Crop, ...]) -> None:
    def sizes(*labels: str) -> list[float]:
        return [max(box[2:]) for crop in cut for label, box in crop.boxes if label in labels]

    assert 14 < float(np.median(sizes("piece"))) < 40
    assert 40 < float(np.median(sizes("open", "closed"))) < 90


def test_things_differ_from_game_to_game() -> None:
    one, other = random_piece_set(np.random.default_rng(1)), random_piece_set(np.random.default_rng(2))
    assert one.solids["search:0"].outline != other.solids["search:0"].outline
    for made in (one, other):
        for kind, solid in made.solids.items():
            span = np.ptp(np.asarray(solid.outline), axis=0).max()
            assert 6.5 < span < 27
            assert solid.printed == (kind in made.faces)


def test_strangers_pieces_are_among_the_things() -> None:
    made = [solid for seed in range(40) for solid in random_piece_set(np.random.default_rng(seed)).solids.values()]
    assert any(solid.sphere for solid in made)
    cubes = [s for s in made if len(s.outline) == 4 and np.ptp(np.asarray(s.outline)[:, 0]) < 1.15 * s.thickness]
    assert cubes


def test_a_scene_is_drawn_on_several_grounds_in_several_lights(drawn: tuple[SyntheticPicture, ...]) -> None:
    one, other, third, following = drawn
    assert one.truth == other.truth == third.truth != following.truth
    for a, b in ((one, other), (other, third)):
        assert np.abs(a.image.astype(int) - b.image).mean() > 5


def test_cameras_hang_where_people_hang_them_in_any_light() -> None:
    looks = [session_look(FIRST_SEED + seed) for seed in range(120)]
    assert all(600 < look.height < 1300 and 0 <= look.tilt <= 40 and 55 <= look.hfov <= 85 for look in looks)
    assert max(look.tilt for look in looks) > 33
    assert min(look.exposure for look in looks) < 0.6
    blue, _, red = np.array([look.tint for look in looks]).T
    assert (blue > 1.2).any()
    assert (red > 1.12).any()
    assert any(look.second_tint for look in looks)
    assert any(look.flicker for look in looks)
    assert {look.varied_people for look in looks} == {True, False}


def test_crops_of_hands_are_cut_at_the_scale_of_their_place(drawn: tuple[SyntheticPicture, ...]) -> None:
    for picture in drawn:
        assert len(picture.scales) == len(picture.truth.hands)
        assert all(0.5 < scale / picture.px_per_mm < 2 for scale in picture.scales)


def test_spoiling_keeps_what_is_seen(drawn: tuple[SyntheticPicture, ...]) -> None:
    image = drawn[0].image
    for seed in range(8):
        spoiled = with_camera_defects(image, np.random.default_rng(seed))
        assert spoiled.shape == image.shape
        assert np.corrcoef(spoiled[::9, ::9].ravel(), image[::9, ::9].ravel())[0, 1] > 0.85
