from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.detector.dataset import HANDS, PALMS, add_photographs, crop_files, read
from models.detector.hand_photographs import STATES, framed, photograph_files, photographed_crops
from vision.detector import CROP_PX, LABELS

NUMBER = 64


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hands")
    rng = np.random.default_rng(3)
    for state in STATES:
        (root / state).mkdir()
        for number in range(NUMBER):
            picture = rng.integers(60, 200, (110, 80, 3), np.uint8)
            cv2.imwrite(str(root / state / f"{number:04}.jpg"), picture)
    return root


def test_no_photograph_is_both_trained_with_and_judged_by(folder: Path) -> None:
    for state in STATES:
        used, aside = (set(photograph_files(folder, state, held_out=held_out)) for held_out in (False, True))
        assert not used & aside
        assert len(used | aside) == NUMBER
        assert 0 < len(aside) < len(used)


@pytest.mark.slow
def test_close_crops_have_no_box_and_wide_ones_a_box_for_every_hand(folder: Path) -> None:
    crops = list(photographed_crops(folder))
    close, wide = [crop for crop in crops if not crop.boxes], [crop for crop in crops if crop.boxes]
    used = sum(len(photograph_files(folder, state, held_out=False)) for state in STATES)
    assert len(close) == 2 * used
    assert wide
    assert {crop.image.shape for crop in crops} == {(CROP_PX, CROP_PX, 3)}
    for crop in wide:
        for label, (x, y, width, height) in crop.boxes:
            assert label in STATES.values()
            assert min(x, y) >= 0
            assert max(x + width, y + height) <= CROP_PX
            assert min(width, height) > 20


@pytest.mark.slow
def test_the_same_crops_come_out_each_time(folder: Path) -> None:
    one, other = (list(photographed_crops(folder)) for _ in range(2))
    assert all(np.array_equal(a.image, b.image) and a.boxes == b.boxes for a, b in zip(one, other, strict=True))


@pytest.mark.slow
def test_the_data_set_takes_them_in_once(folder: Path, tmp_path: Path) -> None:
    add_photographs(tmp_path, folder)
    written = {file: file.stat().st_mtime_ns for file in crop_files(tmp_path)}
    add_photographs(tmp_path, folder)
    assert {file: file.stat().st_mtime_ns for file in crop_files(tmp_path)} == written
    wide, close = (
        [crops for file in written if (crops := read(file, sort)) is not None] for sort in (HANDS, PALMS)
    )
    assert sum(len(crops.images) for crops in (*wide, *close)) == len(list(photographed_crops(folder)))
    assert {LABELS[int(label)] for crops in wide for label in crops.boxes[:, 1]} == {"open", "closed"}
    assert not any(len(crops.boxes) for crops in close)


def test_a_photograph_lies_whole_in_the_middle_of_a_square() -> None:
    photo = np.full((300, 150, 3), 60, np.uint8)
    photo[:, :40] = 200
    square = framed(photo, 230, 256)
    assert square.shape == (256, 256, 3)
    assert (square[5, 5] == 60).all(), "the square has the photograph's middling colour"
    rows, columns = np.nonzero(square[..., 0] == 200)
    assert (rows.min(), np.ptp(rows) + 1) == (13, 230)
    assert columns.min() == (256 - 115) // 2
