"""Path-traced pictures become crops whose boxes lie where the things are."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.path_tracing.__main__ import main
from models.path_tracing.hand_crops import crop, rendered_boxes
from vision.detector import CROP_PX


@pytest.fixture
def folder(tmp_path):
    """One picture of 150 px with a bright thing in sight and a hidden one."""
    picture = np.full((150, 150, 3), 40, np.uint8)
    cv2.rectangle(picture, (90, 40), (109, 59), (230, 230, 230), -1)
    cv2.imwrite(str(tmp_path / "7.png"), picture)
    pieces = [
        {"visible": 0.9, "box": [90, 40, 20, 20]},
        {"visible": 0.1, "box": [10, 10, 5, 5]},
        {"visible": 0.0, "box": None},
    ]
    (tmp_path / "truth-0.jsonl").write_text(json.dumps({"seed": 7, "size": 150, "pieces": pieces}) + "\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize("seed", range(12))
def test_boxes_follow_the_picture(folder, seed):
    ((_, picture, boxes),) = rendered_boxes(folder)
    made = crop(picture, boxes, np.random.default_rng(seed))
    assert made.image.shape == (CROP_PX, CROP_PX, 3)
    ((label, box),) = made.boxes
    assert label == "piece"
    grey = cv2.GaussianBlur(made.image, (0, 0), 1.5).mean(axis=2)
    rows, columns = np.nonzero(grey > (grey.min() + grey.max()) / 2)
    found = (columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1)
    assert np.allclose(found, box, atol=5)


def test_what_is_hardly_seen_is_not_asked_for(folder):
    ((_, _, boxes),) = rendered_boxes(folder)
    assert boxes == ((90, 40, 20, 20),)


def test_judging_says_how_many_hands_it_counted(folder):
    answer = CliRunner().invoke(main, ["evaluate", str(folder)], env={"COLUMNS": "150"})
    assert answer.exit_code == 0
    assert "1 path-traced hands" in answer.output
    assert "shipped" in answer.output


def test_an_empty_folder_is_refused_in_one_line(tmp_path):
    answer = CliRunner().invoke(main, ["evaluate", str(tmp_path)])
    assert answer.exit_code == 1
    assert answer.output.startswith("Error: Nothing is rendered in")
