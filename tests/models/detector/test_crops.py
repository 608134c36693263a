from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from models.detector.crops import Crop, crops, label_lines, spoilt
from models.detector.scenes import FIRST_SEED, Picture, pictures, varied
from models.detector.shapes import things
from vision.cameras.simulated.arms import person
from vision.cameras.simulated.look import Cast
from vision.detector import CROP_PX, LABELS


@pytest.fixture(scope="module")
def evening() -> tuple[Picture, ...]:
    return tuple(islice(pictures(FIRST_SEED + 3), 2))


@pytest.fixture(scope="module")
def cut(evening: tuple[Picture, ...]) -> tuple[Crop, ...]:
    rng = np.random.default_rng(1)
    return tuple(crop for picture in evening for crop in crops(picture, rng))


def test_the_same_seed_gives_the_same_picture(evening: tuple[Picture, ...]) -> None:
    again = next(pictures(FIRST_SEED + 3))
    assert np.array_equal(again.image, evening[0].image)
    assert again.truth == evening[0].truth


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


def test_labels_are_fractions_of_the_crop(cut: tuple[Crop, ...]) -> None:
    crop = next(crop for crop in cut if crop.boxes)
    rows = [line.split() for line in label_lines(crop).splitlines()]
    assert len(rows) == len(crop.boxes)
    label, (x, y, width, height) = crop.boxes[0]
    assert LABELS[int(rows[0][0])] == label
    assert [float(v) * CROP_PX for v in rows[0][1:]] == pytest.approx(
        [x + width / 2, y + height / 2, width, height], abs=0.01
    )


def test_things_differ_from_game_to_game() -> None:
    one, other = things(np.random.default_rng(1)), things(np.random.default_rng(2))
    assert one.solids["search:0"].outline != other.solids["search:0"].outline
    for made in (one, other):
        for kind, solid in made.solids.items():
            span = np.ptp(np.asarray(solid.outline), axis=0).max()
            assert 8 < span < 27
            assert solid.printed == (kind in made.faces)


def test_cameras_hang_where_people_hang_them() -> None:
    looks = [varied(FIRST_SEED + seed) for seed in range(60)]
    assert {look.cast for look in looks} == {"training"}
    assert all(500 < look.height < 1600 and 0 <= look.tilt <= 26 for look in looks)
    assert np.ptp([look.tilt for look in looks]) > 10


def test_spoiling_keeps_what_is_seen(evening: tuple[Picture, ...]) -> None:
    image = evening[0].image
    for seed in range(8):
        spoiled = spoilt(image, np.random.default_rng(seed))
        assert spoiled.shape == image.shape
        assert np.corrcoef(spoiled[::9, ::9].ravel(), image[::9, ::9].ravel())[0, 1] > 0.85
