"""Hands to train with: over made-up tables, path-traced, photographed."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.open_closed import hand_crops
from models.open_closed.hand_crops import (
    FIRST_SEED,
    KEPT_PX,
    HandPatches,
    concatenate,
    load,
    path_traced_patches,
    photographed_patches,
    table_patches,
)
from tests.models.making import make_here

pytestmark = pytest.mark.slow

RENDERED = Path(__file__).parent.parent / "piece_sign" / "traced"


@pytest.fixture(scope="module")
def made() -> HandPatches:
    return table_patches(FIRST_SEED)


def test_about_half_of_the_hands_over_a_table_are_closed(made: HandPatches) -> None:
    assert made.hands.shape == (len(made.opened), KEPT_PX, KEPT_PX, 3)
    assert made.hands.dtype == np.uint8
    assert len(made.opened) / 4 < made.opened.sum() < 3 * len(made.opened) / 4
    assert made.hands.std(axis=(1, 2, 3)).min() > 5, "something is seen in each"


def test_a_path_traced_hand_is_as_large_as_the_others() -> None:
    only = path_traced_patches(RENDERED)
    assert only.opened.tolist() == [True]
    beyond = (KEPT_PX - 80) // 2
    picture = cv2.imread(str(RENDERED / "4001103.png"))
    assert picture is not None
    small = cv2.resize(picture, (80, 80), interpolation=cv2.INTER_AREA)
    assert (only.hands[0, beyond:-beyond, beyond:-beyond] == small).all()


def test_photographs_that_judge_are_left_out(tmp_path: Path) -> None:
    for state in ("open", "fist"):
        (tmp_path / state).mkdir()
        for number in range(60):
            cv2.imwrite(str(tmp_path / state / f"{number:03d}.jpg"), np.full((40, 30, 3), number, np.uint8))
    read = photographed_patches(tmp_path)
    assert read.opened.tolist() == [True] * 40 + [False] * 40
    assert int(read.hands.max()) < 42


def test_what_was_made_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: HandPatches) -> None:
    monkeypatch.setattr(hand_crops, "table_patches", lambda seed: made)
    monkeypatch.setattr(hand_crops, "make_missing", make_here)
    (file,) = hand_crops.make(tmp_path, 1)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    read = concatenate([load([file, file]), made])
    assert len(read.hands) == 3 * len(made.hands)
    assert (read.hands[: len(made.hands)] == made.hands).all()
