"""Random boards for training agree with their truth, and the pool gives back what was drawn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from models.evaluation.maze.random_positions import SHAPES
from models.maze_sides import picture_files
from models.maze_sides.random_boards import random_maze, random_token_print
from models.maze_sides.random_textures import TextureBank
from models.maze_sides.synthetic_photographs import HEIGHT, WIDTH, random_picture, random_projection
from models.path_tracing.maze_jobs import write_crowds
from tests.models.crowd_folder import CORNERS, write_crowd_folder
from vision.games.master.readings import FIXED, LOOSE_TILES


@pytest.mark.parametrize("seed", range(5))
def test_a_random_maze_uses_the_box(seed: int) -> None:
    tiles, spare = random_maze(np.random.default_rng(seed))
    loose = [tile for place, tile in enumerate(tiles) if place not in FIXED]
    assert {place: tiles[place] for place in FIXED} == dict(FIXED)
    counts = Counter(SHAPES[tile] for tile in [*loose, spare])
    assert counts == Counter(LOOSE_TILES)


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


def test_a_path_traced_crowd_is_a_board_without_a_spare(tmp_path: Path) -> None:
    made = write_crowd_folder(tmp_path)
    (scene,) = (stored.decoded() for stored in picture_files.load_path_traced(tmp_path))
    assert scene.image.shape == (400, 400, 3)
    assert scene.tiles == tuple(made["tiles"])
    assert scene.field.tolist() == [list(corner) for corner in CORNERS]
    assert np.isnan(scene.spare).all()
    assert scene.half_pushed == -1


def test_a_folder_without_crowds_is_refused(tmp_path: Path) -> None:
    write_crowds(tmp_path, 1)
    with pytest.raises(FileNotFoundError, match="make traced-crowds"):
        picture_files.load_path_traced(tmp_path)


def test_tokens_have_one_to_three_rings_and_a_face() -> None:
    for seed in range(30):
        print_ = random_token_print(np.random.default_rng(seed))
        assert 1 <= len(print_.rings) <= 3
        assert print_.radius > len(print_.rings) * print_.ring_width


def test_what_is_high_leans_away_from_the_point_below_the_camera() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        projection = random_projection(rng)
        camera = -np.linalg.solve(projection[:, :3], projection[:, 3])
        assert camera[2] > 0
        shown = np.linalg.solve(projection[:, [0, 1, 3]], projection @ [0.4, -0.3, 0.3, 1.0])
        foot = np.array([0.4, -0.3])
        away = shown[:2] / shown[2] - foot
        assert away @ (foot - camera[:2]) > 0.99 * np.linalg.norm(away) * np.linalg.norm(foot - camera[:2])
