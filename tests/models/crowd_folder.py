"""A folder with one crowd as `make traced-crowds` writes it, with a drawn picture in place of the rendered one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.path_tracing.maze_jobs import FIRST_CROWD_SEED, write_crowds
from vision.games.master.readings import SIZE

CORNERS = ((40.0, 50.0), (330.0, 30.0), (350.0, 340.0), (60.0, 350.0))
"""Corners of the field in the picture, px, clockwise from the outer corner of place 0."""


def write_crowd_folder(folder: Path) -> dict[str, Any]:
    """Write the crowd and return its job; its picture shows a green disc for each token on black."""
    write_crowds(folder, 1)
    made = json.loads((folder / "specs.json").read_text("utf-8"))[0]
    field = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float32)
    to_picture = cv2.getPerspectiveTransform(field, np.array(CORNERS, np.float32))
    image = np.zeros((400, 400, 3), np.uint8)
    for _, place in made["tokens"]:
        row, column = divmod(place, SIZE)
        at = cv2.perspectiveTransform(np.array([[[column + 0.6, row + 0.45]]], np.float32), to_picture)[0, 0]
        cv2.circle(image, (round(float(at[0])), round(float(at[1]))), 9, (40, 220, 40), -1)
    cv2.imwrite(str(folder / f"{FIRST_CROWD_SEED}.jpg"), image)
    line = {
        "seed": FIRST_CROWD_SEED,
        "corners": CORNERS,
        "spare_box": None,
        "tilt": 20.0,
        "exposure": 1.0,
        "camera": [3.0, 9.0, 18.0],
        "visible": {
            "discs": [0.0, *[1.0] * (len(made["tokens"]) - 1)],
            "wizards": [0.1, *[0.9] * (len(made["wizards"]) - 1)],
            "rings": [0.2, 1.0, 1.0, 1.0],
        },
    }
    (folder / "truth-0.jsonl").write_text(json.dumps(line), "utf-8")
    return dict(made)
