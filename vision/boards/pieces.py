"""Loose pieces on or beside a board, in the colours of its light: which pixels are of which kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.profile import TableProfile
from vision.count_things import Measure, measure
from vision.reveal.colour import Colours
from vision.reveal.kinds import KindColours, learn_kind

_LOG_OTHER = float(np.log(0.02 * 0.25))


@dataclass(frozen=True, eq=False)
class PieceMap:
    """What each pixel may be: (kinds, height, width) log densities, and probabilities 0..1 of each kind."""

    kinds: tuple[str, ...]
    densities: NDArray[np.float32]
    posterior: NDArray[np.float32]


def measures_of(profile: TableProfile, models: Mapping[str, KindColours]) -> dict[str, Measure]:
    """Sum up what enrolled pieces of each kind measure."""
    return {kind: measure(profile.pieces[kind], model) for kind, model in models.items()}


def models_of(profile: TableProfile) -> dict[str, KindColours]:
    """Learn the colours of all kinds that a profile knows."""
    return {kind: learn_kind(samples) for kind, samples in profile.pieces.items()}


def kind_map(colours: Colours, there: NDArray[np.bool_], models: Mapping[str, KindColours]) -> PieceMap:
    """Weigh for each pixel (height, width, 3) which kind it is of; there: where anything lies at all."""
    kinds = tuple(models)
    shape = there.shape
    densities = np.full((len(kinds), *shape), _LOG_OTHER, np.float32)
    posterior = np.zeros((len(kinds), *shape), np.float32)
    pixels = np.ascontiguousarray(colours[there])
    if len(pixels):
        own = np.stack([model.log_density(pixels) for model in models.values()])
        scores = np.concatenate([own - np.log(len(kinds)), np.full((1, len(pixels)), _LOG_OTHER)])
        chances = np.exp(scores - scores.max(axis=0))
        chances /= chances.sum(axis=0)
        densities[:, there] = np.maximum(own, _LOG_OTHER)
        posterior[:, there] = chances[:-1]
    return PieceMap(kinds, densities, posterior)
