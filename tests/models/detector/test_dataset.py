"""The training data on disk."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.detector.dataset import (
    HANDS,
    PALMS,
    TRACED_VARIANTS,
    PackedCrops,
    add_traced,
    crop_files,
    draw,
    is_held_out,
    read,
    session_file,
    write,
)
from models.detector.scenes import FIRST_SEED
from models.detector.train import MOST_BOXES, padded_boxes
from vision.detector import CROP_PX, LABELS

WHOLE = {"open", "closed", "card"}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    draw(folder, 1, processes=1)
    return folder


def crops_of(file: Path, sort: str) -> PackedCrops:
    crops = read(file, sort)
    assert crops is not None
    return crops


def labels(crops: PackedCrops) -> set[str]:
    return {LABELS[int(label)] for label in crops.boxes[:, 1]}


@pytest.mark.slow
def test_each_sort_of_crops_shows_what_its_network_looks_for(drawn: Path) -> None:
    (file,) = crop_files(drawn)
    wide, close = (crops_of(file, sort) for sort in (HANDS, PALMS))
    assert len(wide.images) == 45
    assert len(close.images) > 15
    assert labels(wide) <= WHOLE
    assert "open" in labels(wide)
    assert not labels(close) & WHOLE
    assert "piece" in labels(close)
    for crops in (wide, close):
        assert crops.images.shape[1:] == (CROP_PX, CROP_PX, 3)
        number, _, left, top, right, bottom = crops.boxes.T
        assert number.max() < len(crops.images)
        assert min(left.min(), top.min()) >= 0
        assert max(right.max(), bottom.max()) <= CROP_PX
        assert (right > left).all()
        assert (bottom > top).all()


@pytest.mark.slow
def test_drawing_goes_on_where_it_stopped(drawn: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in crop_files(drawn)}
    draw(drawn, 1, processes=1)
    draw(drawn, 30, processes=1, until=0.0)
    assert {file: file.stat().st_mtime_ns for file in crop_files(drawn)} == before


def test_one_session_in_twenty_five_is_kept_apart(tmp_path: Path) -> None:
    apart = [seed for seed in range(FIRST_SEED, FIRST_SEED + 100) if is_held_out(seed)]
    assert len(apart) == 4
    assert {session_file(tmp_path, seed).parent.name for seed in apart} == {"judged"}
    assert session_file(tmp_path, FIRST_SEED).parent.name == "train"


def test_what_was_written_is_read_back_and_a_missing_sort_is_none(tmp_path: Path) -> None:
    images = np.random.default_rng(1).integers(0, 256, (2, CROP_PX, CROP_PX, 3), np.uint8)
    crops = PackedCrops(images, np.array([[1, 2, 3, 4, 30, 40]], np.float32))
    write(tmp_path / "one.npz", {PALMS: crops})
    back = crops_of(tmp_path / "one.npz", PALMS)
    assert np.array_equal(back.images, images)
    assert np.array_equal(back.boxes, crops.boxes)
    assert read(tmp_path / "one.npz", HANDS) is None
    assert [file.name for file in tmp_path.iterdir()] == ["one.npz"]


def test_boxes_are_padded_to_the_same_number_for_every_crop() -> None:
    boxes = np.array([[1, 2, 3, 4, 30, 40], *[[0, 0, 5, 5, 9, 9]] * (MOST_BOXES + 3)], np.float32)
    table = padded_boxes(PackedCrops(np.zeros((3, CROP_PX, CROP_PX, 3), np.uint8), boxes))
    assert table.shape == (3, MOST_BOXES, 5)
    assert (table[0, :, 3] == 9).all()
    assert table[1, 0].tolist() == [2, 3, 4, 30, 40]
    assert not table[1, 1:].any()
    assert not table[2].any()


def test_path_traced_hands_are_added_once(tmp_path: Path) -> None:
    traced = tmp_path / "traced"
    traced.mkdir()
    picture = np.random.default_rng(2).integers(40, 220, (170, 170, 3), np.uint8)
    cv2.imwrite(str(traced / "4000000.png"), picture)
    truth = {"seed": 4_000_000, "pieces": [{"visible": 1.0, "box": [60, 60, 24, 22]}]}
    (traced / "truth-0.jsonl").write_text(json.dumps(truth) + "\n", "utf-8")
    for _ in range(2):
        add_traced(tmp_path / "data", traced)
    (file,) = crop_files(tmp_path / "data")
    close = crops_of(file, PALMS)
    assert len(close.images) == TRACED_VARIANTS
    assert labels(close) == {"piece"}
