"""Which pixels are table, also in shadow of any tint."""

from __future__ import annotations

import numpy as np

from calibration.light.light_field import LightField
from calibration.pieces.samples import PieceSamples, Specimen
from vision.counting.pixel_classification import map_kinds
from vision.kind_colours import learn_varnished

TABLE = np.array([70, 110, 150], np.float32)


def noisy(top: np.ndarray, seed: int = 0) -> np.ndarray:
    return np.clip(top + np.random.default_rng(seed).normal(0, 3, top.shape), 0, 255).astype(np.uint8)


def test_shadows_that_all_have_one_tint_are_table() -> None:
    top = np.tile(TABLE, (300, 400, 1))
    empty = noisy(top)
    # A warm lamp is gone there, and a blue sky is left: 60 % of blue, 40 % of red.
    for x in range(30, 350, 80):
        top[100:118, x : x + 40] *= np.array([0.78, 0.70, 0.64], np.float32)
    grey = np.full((300, 3), (25.0, 0.0, 0.0), np.float32)
    crop = np.zeros((56, 56, 4), np.uint8)
    black = learn_varnished(PieceSamples((Specimen(grey, (16.0, 16.0), 200.0, crop),)))
    light = LightField(np.ones((300, 400), np.float32))
    seen = map_kinds(noisy(top, 1), light, empty, {"search:black": black}, 1.0)
    assert (seen.table[102:116, 32:68] > 0.5).mean() > 0.95
