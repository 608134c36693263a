"""Tests of the training examples from path-traced crowds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.maze_objects.scene import DISC, PAWN, RINGS, WIZARDS, Example
from models.maze_objects.traced import traced_examples
from models.maze_objects.train import mixed, stack
from models.path_tracing.maze_orders import FIRST_CROWD_SEED, OTHER, write_crowds
from vision.games.master.objects.object_network import CELL_PX, COLOURS, INPUT_PX
from vision.games.master.objects.views import MARGIN
from vision.games.master.readings import SIZE

_CORNERS = [[40.0, 50.0], [330.0, 30.0], [350.0, 340.0], [60.0, 350.0]]
_VERSIONS = 3


@pytest.fixture(scope="module")
def order(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return the folder of one crowd and its order; its picture shows a green disc for each token on black."""
    folder = tmp_path_factory.mktemp("crowds")
    write_crowds(folder, 1)
    made = json.loads((folder / "specs.json").read_text("utf-8"))[0]
    field = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float32)
    to_picture = cv2.getPerspectiveTransform(field, np.array(_CORNERS, np.float32))
    image = np.zeros((400, 400, 3), np.uint8)
    discs = []
    for _, place in made["tokens"]:
        row, column = divmod(place, SIZE)
        discs.append([column + 0.6, row + 0.45, 0.25])
        at = cv2.perspectiveTransform(np.array([[discs[-1][:2]]], np.float32), to_picture)[0, 0]
        cv2.circle(image, (round(float(at[0])), round(float(at[1]))), 9, (40, 220, 40), -1)
    cv2.imwrite(str(folder / f"{FIRST_CROWD_SEED}.jpg"), image)
    line = {
        "seed": FIRST_CROWD_SEED,
        "corners": _CORNERS,
        "spare_box": None,
        "tilt": 20.0,
        "exposure": 1.0,
        "camera": [3.0, 9.0, 18.0],
        "discs": discs,
        "visible": {
            "discs": [0.0, *[1.0] * (len(discs) - 1)],
            "wizards": [0.1, *[0.9] * (len(made["wizards"]) - 1)],
            "rings": [0.2, 1.0, 1.0, 1.0],
        },
    }
    (folder / "truth-0.jsonl").write_text(json.dumps(line), "utf-8")
    return folder, made


@pytest.fixture(scope="module")
def examples(order: tuple[Path, dict[str, Any]]) -> list[Example]:
    return traced_examples(order[0], _VERSIONS)


def test_each_version_of_a_picture_has_other_errors_and_the_same_pieces(examples: list[Example]) -> None:
    assert len(examples) == _VERSIONS
    first, second = examples[:2]
    assert first.image.shape == (INPUT_PX, INPUT_PX, 3)
    assert not np.array_equal(first.image, second.image)
    assert not np.array_equal(first.camera, second.camera)
    assert np.array_equal(first.present, second.present)


def test_every_piece_of_the_order_is_present_on_its_place(
    order: tuple[Path, dict[str, Any]], examples: list[Example]
) -> None:
    made, present = order[1], examples[0].present.reshape(-1, SIZE**2)
    assert sorted(np.flatnonzero(present[DISC])) == sorted(place for _, place in made["tokens"])
    assert sorted(np.flatnonzero(present[PAWN])) == sorted({place for _, place in made["wizards"]})
    for index, colour in enumerate(COLOURS):
        standing = {place for one, place in made["wizards"] if one == colour}
        assert set(np.flatnonzero(present[WIZARDS][index])) == standing
        assert np.flatnonzero(present[RINGS][index]).tolist() == [dict(made["starts"])[colour]]


def test_hidden_pieces_are_not_learned_from(order: tuple[Path, dict[str, Any]], examples: list[Example]) -> None:
    made, weight = order[1], examples[0].weight.reshape(-1, SIZE**2)
    hidden = made["tokens"][0][1]
    assert np.flatnonzero(weight[DISC] == 0).tolist() == [hidden]
    colour, place = next((colour, place) for colour, place in made["starts"])
    assert weight[RINGS][COLOURS.index(colour), place] == 0
    assert (weight[RINGS] == 0).sum() == 1
    colour, place = made["wizards"][0]
    if colour != OTHER:
        assert weight[WIZARDS][COLOURS.index(colour), place] == 0
    assert (weight[WIZARDS] == 0).sum() == (colour != OTHER)


def test_the_picture_shows_discs_where_the_labels_have_them(examples: list[Example]) -> None:
    for one in examples:
        for row, column in zip(*np.nonzero(one.present[DISC]), strict=True):
            dx, dy, _ = one.discs[:, row, column]
            x, y = (round((MARGIN + middle + 0.5) * CELL_PX) for middle in (column + dx, row + dy))
            assert one.image[y - 1 : y + 2, x - 1 : x + 2, 1].mean() > 100


def test_a_folder_without_crowds_is_refused(tmp_path: Path) -> None:
    write_crowds(tmp_path, 1)
    with pytest.raises(FileNotFoundError, match="make traced-crowds"):
        traced_examples(tmp_path, 1)


def test_a_third_of_the_examples_of_an_epoch_are_path_traced(examples: list[Example]) -> None:
    drawn, traced = stack(examples[:2] * 5), stack(examples[2:])
    together, picked = mixed(drawn, traced)
    assert len(together.image) == 11
    assert np.bincount(picked).tolist() == [*[1] * 10, 5]
    alone, all_drawn = mixed(drawn, None)
    assert alone is drawn
    assert all_drawn.tolist() == list(range(10))
