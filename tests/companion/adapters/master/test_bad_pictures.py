"""Pictures that cannot be read are refused in one line, by the command and at the table, and no game changes."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.drawing.raster import rasterise
from calibration.games.master.art.formula_cards import formula_face
from calibration.games.wicked.art.boards import board_face
from companion.adapters.master.adapter import ADAPTER
from companion.cli import main
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.referee.finding import Finding
from companion.table.game_adapter import Situation, StillReadings
from models.evaluation.maze.renderer import Image
from models.evaluation.maze.synthetic_pictures import picture
from tests.companion.adapters.master.findings import certain, found
from tests.companion.adapters.master.laid_table import CLEAN, LaidTable, NoisyReader, one_picture
from tests.companion.adapters.master.scenarios import random_turn
from tests.companion.games.master.mazes import random_position
from vision.games.master.reader import MazeReader
from vision.games.master.readings import MazeReading

NO_BOARD: Final = "No whole board is in the picture"
SIZE: Final = (960, 540)


def _board() -> Image:
    return picture(9021, "hedge", tilt=5, turn=3, size=SIZE)[0]


def _half_outside() -> Image:
    image = np.zeros_like(board := _board())
    image[:, : SIZE[0] // 2] = board[:, SIZE[0] // 2 :]
    return image


def _on_a_table(svg: str, px_per_mm: float) -> Image:
    face = rasterise(svg, px_per_mm)[..., :3]
    image = np.full((SIZE[1], SIZE[0], 3), (70, 95, 120), np.uint8)
    height, width = min(face.shape[0], SIZE[1] - 40), min(face.shape[1], SIZE[0] - 40)
    image[20 : 20 + height, 20 : 20 + width] = face[:height, :width]
    return image


def _glare_over_a_row() -> Image:
    image, truth = picture(9022, "hedge", tilt=5, turn=0, size=SIZE)
    corners = np.array(truth.corners)
    left, right = (
        (np.array(start) + (np.array(end) - start) * 3.5 / 7)
        for start, end in ((corners[0], corners[3]), (corners[1], corners[2]))
    )
    tile = float(np.hypot(*(corners[1] - corners[0])) / 7)
    light = np.zeros(image.shape[:2], np.float32)
    ends = [(round(float(x)), round(float(y))) for x, y in (left, right)]
    cv2.line(light, ends[0], ends[1], 1.0, round(tile))
    glare = cv2.GaussianBlur(light, (0, 0), tile / 5)
    return np.clip(image + 400 * glare[..., None], 0, 255).astype(np.uint8)


PICTURES: Mapping[str, tuple[Callable[[], Image], str]] = {
    "one colour": (lambda: np.full((SIZE[1], SIZE[0], 3), 90, np.uint8), NO_BOARD),
    "half a board": (_half_outside, "board is outside the picture|No whole board"),
    "two boards": (lambda: picture(9010, "hedge", situation="two_boards", tilt=20)[0], "More than one board"),
    "a board of another game": (lambda: _on_a_table(board_face("purple"), 4.0), NO_BOARD),
    "a formula card": (lambda: _on_a_table(formula_face((11, 3, 14)), 6.0), NO_BOARD),
    "glare over a row": (_glare_over_a_row, "Light dazzles"),
    "an arm over the board": (
        lambda: picture(9010, "hedge", situation="covered", tilt=20)[0],
        "Something covers part of the board",
    ),
    "a line half pushed in": (
        lambda: picture(9010, "hedge", situation="half_pushed", tilt=20)[0],
        "A line is pushed in only halfway",
    ),
}
"""By name: what makes the picture, and the line that names it (a regular expression)."""


@pytest.fixture(name="files", scope="module")
def _files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("bad")
    files = {name: folder / f"{name}.png" for name in PICTURES}
    for name, path in files.items():
        cv2.imwrite(str(path), PICTURES[name][0]())
    return files


@pytest.fixture(name="printed", scope="module")
def _printed(files: dict[str, Path]) -> dict[str, dict[str, object]]:
    """What `companion read maze --json` prints, by picture."""
    result = CliRunner().invoke(main, ["read", "maze", *map(str, files.values()), "--json"])
    assert result.exit_code == 0, result.output
    values = [json.loads(line) for line in result.output.splitlines()]
    return dict(zip(files, values, strict=True))


@pytest.mark.slow
def test_the_command_names_what_is_wrong_in_one_line(
    printed: dict[str, dict[str, object]], subtests: pytest.Subtests
) -> None:
    for name, (_, reason) in PICTURES.items():
        with subtests.test(name):
            value = printed[name]
            assert value["state"] != "board"
            assert isinstance(value["reason"], str)
            assert "\n" not in value["reason"]
            assert re.search(reason, value["reason"]), value["reason"]


@pytest.mark.slow
def test_at_the_table_the_same_line_is_shown_and_nothing_is_proposed(
    files: dict[str, Path], subtests: pytest.Subtests
) -> None:
    reader, playing = MazeReader(), new_game(("red", "brown"), MasterSetup(7))
    states = (new_game(("red", "brown"), MasterSetup()), playing)
    for name, path in files.items():
        image = cv2.imread(str(path))
        assert image is not None
        reading = reader.read(np.asarray(image, np.uint8))
        for state in states:
            with subtests.test(name, phase=state.phase):
                found = ADAPTER.interpret(
                    Situation(state, ("Ada", "Bruno"), lambda point: 0), StillReadings((), (reading,))
                )
                assert found.proposal is None
                assert found.unread == reading.reason != ""


def test_a_face_down_tile_is_a_question_about_one_tile() -> None:
    image, truth = picture(9023, "hedge", situation="foreign_tile", tilt=10)
    reading: MazeReading = MazeReader().read(image)
    foreign = truth.tiles.index("")
    assert reading.state != "board" or reading.tiles[foreign].doubtful


def test_a_board_is_read_only_if_most_pictures_show_it_whole() -> None:
    laying, playing = new_game(("red", "brown"), MasterSetup()), random_position(3)
    _, played = random_turn(playing, random.Random(3))
    half = one_picture("half_pushed", "A line is pushed in only halfway: push it in completely.")
    for state, table in ((laying, new_game(("red", "brown"), MasterSetup(7))), (playing, played)):
        (whole,) = NoisyReader(random.Random(1), CLEAN).read(LaidTable.of(table))
        assert found(state, [half] * 4 + [whole]) == found(state, [whole, half]) == Finding(unread=half.reason)
        assert certain(found(state, [half, half, whole, whole, whole])) == certain(found(state, [whole]))
