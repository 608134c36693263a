"""Painted hands with pieces and signs, and the colours of their kinds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from calibration.light.light_field import linear
from vision.cameras.frame import Image
from vision.kind_colours import NO_PIECE, KindColours, model_in_same_light

SKIN, RED, RIM, MIDDLE = (120, 150, 205), (40, 40, 200), (225, 235, 235), (160, 120, 30)

WITCH, SOUL, WOOD = "sign:witch", "sign:soul", "search:red"

LIGHT = np.ones(3)


def noisy(picture: Image) -> Image:
    grain = np.random.default_rng(4).normal(0, 5, picture.shape)
    return np.asarray(np.clip(picture + grain, 0, 255), np.uint8)


def colours_of(*paints: tuple[int, int, int]) -> KindColours:
    patch = np.concatenate([np.full((20, 20, 3), paint, np.uint8) for paint in paints])
    return model_in_same_light(linear(noisy(patch)).reshape(-1, 3))


MODELS: Mapping[str, KindColours] = {
    WOOD: colours_of(RED), WITCH: colours_of((140, 60, 130)), SOUL: colours_of(RIM, MIDDLE),
    NO_PIECE: colours_of(SKIN),
}  # fmt: skip # a table of colours
