"""Random boards for training agree with their truth, and the pool gives back what was drawn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from models.maze_sides import picture_files
from models.maze_sides.random_boards import random_maze, turned_openings
from models.maze_sides.random_textures import TextureBank
from models.maze_sides.synthetic_photographs import HEIGHT, WIDTH, random_picture
from vision.games.master.readings import FIXED, LOOSE_TILES


def _shape(openings: str) -> str:
    return min(turned_openings(openings, quarters) for quarters in range(4))


@pytest.mark.parametrize("seed", range(5))
def test_a_random_maze_uses_the_box(seed: int) -> None:
    tiles, spare = random_maze(np.random.default_rng(seed))
    loose = [tile for place, tile in enumerate(tiles) if place not in FIXED]
    assert {place: tiles[place] for place in FIXED} == dict(FIXED)
    counts = Counter(_shape(tile) for tile in [*loose, spare])
    assert counts == Counter({_shape(shape): count for shape, count in LOOSE_TILES.items()})


def test_scenes_hold_a_picture_with_corners_in_it() -> None:
    rng = np.random.default_rng(7)
    bank = TextureBank(7, 4)
    scenes = [random_picture(bank, rng) for _ in range(4)]
    boards = [scene for scene in scenes if scene.tiles]
    assert boards
    for scene in scenes:
        assert scene.image.shape == (HEIGHT, WIDTH, 3)
        assert bool(scene.tiles) == bool(np.isfinite(scene.field).all())
    for scene in boards:
        middle = scene.field.mean(0)
        assert (middle > 0).all()
        assert (middle < (WIDTH, HEIGHT)).all()


@pytest.mark.slow
def test_a_picture_file_is_drawn_once_and_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_files, "PART", 2)
    picture_files.make(tmp_path, range(1))
    first = (tmp_path / "000.npz").stat().st_mtime_ns
    picture_files.make(tmp_path, range(1))
    assert (tmp_path / "000.npz").stat().st_mtime_ns == first
    stored = picture_files.load_parts(tmp_path, range(1))
    assert len(stored) == 2
    scene = stored[0].decoded()
    assert scene.image.shape == (HEIGHT, WIDTH, 3)
    assert scene.covered.shape == (49,)
    assert len(scene.tiles) in (0, 49)
