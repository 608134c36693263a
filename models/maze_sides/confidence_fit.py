"""Fits `vision.games.master.confidence_calibration` on random boards that were not used for training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from models.maze_sides.picture_files import StoredScene
from vision.games.master.field.rectification import KNOWN, SIDES, rectified
from vision.games.master.field.tiles.open_sides import SideReader, known_loss
from vision.games.master.field.tiles.side_network import SIDES_WEIGHTS, SideNetwork

_CORNER_SPREAD = 0.03
"""Standard deviation of the error of the corners of located fields, in tiles."""


@dataclass(frozen=True, slots=True)
class FittedConfidence:
    """Fitted constants of `vision.games.master.confidence_calibration`, with the log loss before and after."""

    temperature: float
    """`TEMPERATURE`."""
    loss_weight: float
    """`LOSS_WEIGHT`."""
    before: float
    """Mean log loss of the raw logits."""
    after: float
    """Mean log loss of the calibrated logits."""


def fit(scenes: Sequence[StoredScene]) -> FittedConfidence:
    """Return the constants of the confidence calibration with the least log loss over the sides of loose tiles."""
    logits, opened, losses = _evidence(scenes)
    signed = np.where(opened, 1, -1) * logits

    def mean_loss(values: NDArray[np.float64]) -> float:
        divisor = np.exp(values[0]) + np.exp(values[1]) * losses
        return float(np.logaddexp(0, -signed / divisor).mean())

    best = minimize(mean_loss, np.log([1.5, 3.0]), method="Nelder-Mead")
    temperature, weight = np.exp(best.x).tolist()
    return FittedConfidence(temperature, weight, float(np.logaddexp(0, -signed).mean()), float(best.fun))


def _evidence(scenes: Sequence[StoredScene]) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
    """Return the logit of every visible side of a loose tile, whether it is open, and its picture's known loss.

    A side may be open: a path leads through it. The known loss of a picture is the log loss of the sides of its
    fixed tiles, which are known. All three: (sides,).
    """
    reader = SideReader(SideNetwork(SIDES_WEIGHTS))
    rng = np.random.default_rng(0)
    logits, opened, losses = list[NDArray[np.float64]](), list[NDArray[np.bool_]](), list[NDArray[np.float64]]()
    for stored in scenes:
        scene = stored.decoded()
        if not scene.tiles or scene.half_pushed >= 0:
            continue
        tile = np.linalg.norm(scene.field[0] - scene.field[2]) / 10
        corners = scene.field.astype(float) + rng.normal(0, _CORNER_SPREAD * tile, (4, 2))
        evidence = reader.read(rectified(scene.image, corners))
        clear = ~KNOWN & ~scene.covered & (evidence.visible > 0.8)
        logits.append(evidence.logits()[clear].reshape(-1))
        opened.append(np.array([[side in one for side in SIDES] for one in scene.tiles])[clear].reshape(-1))
        losses.append(np.full(len(logits[-1]), known_loss(evidence)))
    return np.concatenate(logits), np.concatenate(opened), np.concatenate(losses)
