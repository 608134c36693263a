from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.evaluation.maze.simulated_table_pictures import table_picture
from vision.games.master.readings import FIXED, SIZE


@pytest.mark.slow
def test_the_corners_of_the_truth_place_the_stand_ins_paths() -> None:
    right = total = 0
    for seed in range(3):
        image, truth = table_picture(seed)
        field = np.array([[0, 0], [700, 0], [700, 700], [0, 700]], np.float32)
        matrix = cv2.getPerspectiveTransform(np.asarray(truth.corners, np.float32), field)
        flat = cv2.cvtColor(cv2.warpPerspective(image, matrix, (700, 700)), cv2.COLOR_BGR2GRAY).astype(float)
        for place, openings in FIXED.items():
            x, y = place % SIZE * 100 + 50, place // SIZE * 100 + 50
            sides = {"T": (0, -38), "R": (38, 0), "B": (0, 38), "L": (-38, 0)}
            tones = {
                side: flat[y + dy - 4 : y + dy + 5, x + dx - 4 : x + dx + 5].mean()
                for side, (dx, dy) in sides.items()
            }
            lightest = sorted(tones, key=lambda side: -tones[side])[: len(openings)]
            right += set(lightest) == set(openings)
            total += 1
    assert right / total > 0.9
