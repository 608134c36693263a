"""Photographed hands are brought to the detector's scale, and counted."""

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.evaluation.hands.photographed_hands import main, measure
from vision.detector.model_set import ModelSet

pytestmark = pytest.mark.slow


def test_every_photograph_that_is_held_out_is_counted_once(tmp_path):
    rng = np.random.default_rng(1)
    for state, number in (("open", 43), ("fist", 62)):
        folder = tmp_path / "hands-photos" / state
        folder.mkdir(parents=True)
        for k in range(number):
            cv2.imwrite(str(folder / f"{k:04}.jpg"), rng.integers(90, 110, (120, 100, 3), np.uint8))
    measured = measure(tmp_path, ModelSet.shipped())
    assert {state: counts["photographs"] for state, counts in measured.items()} == {"open": 3, "fist": 20}
    # Where no hand is, none is found.
    assert all(counts["not_found"] == counts["photographs"] for counts in measured.values())


def test_a_folder_without_hands_is_refused_in_one_line(tmp_path):
    answer = CliRunner().invoke(main, [str(tmp_path)])
    assert answer.exit_code == 1
    assert answer.output.startswith("Error: There is no hands-photos in")
