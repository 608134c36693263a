"""Made-up boards: what is said of each pixel is what is drawn there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.print_segmentation import train
from models.print_segmentation.scenes import SIDE_PX, PrintedScene, scene
from models.print_segmentation.train import PER_FILE, load, stack, wanted
from tests.models.making import make_here
from vision.counting.pixel_features import STEP
from vision.counting.print_segmentation import FAR_PX


def made(seed: int) -> PrintedScene:
    return scene(np.random.default_rng(seed))


@pytest.fixture(scope="module")
def scenes() -> list[PrintedScene]:
    return [made(seed) for seed in range(12)]


def test_the_same_seed_makes_the_same_board(scenes: list[PrintedScene]) -> None:
    again = made(3)
    assert (again.image == scenes[3].image).all()
    assert (again.whose == scenes[3].whose).all()


def test_things_cover_some_of_a_board_and_each_has_a_paint(scenes: list[PrintedScene]) -> None:
    for one in scenes:
        assert one.image.shape == (SIDE_PX, SIDE_PX, 3)
        assert one.whose.shape == (SIDE_PX, SIDE_PX)
        assert one.whose.max() <= len(one.paints)
    covered = [float((one.whose > 0).mean()) for one in scenes]
    assert 0.01 < np.mean(covered) < 0.3
    assert len({one.image.tobytes() for one in scenes}) == len(scenes)


def test_things_are_drawn_where_they_are_said_to_be(scenes: list[PrintedScene]) -> None:
    """Each thing's own light is far more even than that of as many pixels anywhere round it."""
    inside, around = [], []
    for one in scenes:
        grey = one.image.mean(axis=2)
        for number in np.unique(one.whose[one.whose > 0]):
            own = one.whose == number
            if own.sum() < 60:
                continue
            rows, columns = np.nonzero(own)
            window = (slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1))
            inside.append(float(grey[own].std()))
            around.append(float(grey[window].std()))
    assert len(inside) > 40
    assert np.median(inside) < 0.9 * np.median(around)


def test_what_is_wanted_of_the_network_is_where_a_things_sides_are() -> None:
    whose = np.zeros((32, 32), np.uint8)
    whose[10:20, 4:24] = 1
    paints = np.zeros((256, 3), np.uint8)
    paints[1] = (10, 20, 200)
    there, sides, colour = wanted(whose, paints)
    assert there.shape == (16, 16)
    assert there.sum() == (whose[STEP // 2 :: STEP, STEP // 2 :: STEP] > 0).sum()
    row, column = 15, 11  # px; a place is told of at every odd pixel
    at = (row // STEP, column // STEP)
    assert there[at] == 1
    assert (sides[:, *at] * FAR_PX).tolist() == [column - 4, row - 10, 23 - column, 19 - row]
    assert colour[1, *at] > 1, "red beside green"
    assert not sides[:, there == 0].any()


def test_what_was_made_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scenes: list[PrintedScene]) -> None:
    monkeypatch.setattr(train, "scene", lambda rng: scenes[0])
    monkeypatch.setattr(train, "make_missing", make_here)
    (file,) = train.make(tmp_path, 1)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    read = load([file])
    assert len(read.images) == PER_FILE
    assert (read.whose[7] == scenes[0].whose).all()
    assert (read.paints[7] == stack(scenes[:1]).paints[0]).all()
