"""Faces of the tokens: well made, and never to be mistaken for each other."""

from __future__ import annotations

import itertools
from functools import cache
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.drawing.raster import rasterise
from calibration.games.master.art.tokens import TOKEN, token_face
from companion.games.master.components import TOKENS

SIDE = 24
"""Width of a token as a camera has it, px."""
TURNS = range(0, 360, 15)
"""Rotations in which two tokens are compared, degrees."""


@cache
def picture_of(number: int) -> NDArray[np.uint8]:
    return rasterise(token_face(number), 5.0)[..., :3]


def small(number: int, turn: float = 0.0) -> NDArray[np.float64]:
    """Return the inner disc of a token at `SIDE` px, turned clockwise: pixels in colour, each channel's mean 0."""
    drawn = picture_of(number)
    middle = drawn.shape[0] / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), -turn, 1.0)
    turned = cv2.warpAffine(drawn, matrix, drawn.shape[:2], borderMode=cv2.BORDER_REPLICATE)
    picture = cv2.resize(turned, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float64)
    y, x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    inside = picture[np.hypot(x, y) < 0.42 * SIDE]
    inside = inside - inside.mean(axis=0)
    return inside / np.linalg.norm(inside)


def test_each_number_has_a_face_of_the_size_of_a_token() -> None:
    for number in TOKENS:
        root = ElementTree.fromstring(token_face(number))
        assert root.get("width") == root.get("height") == f"{TOKEN:g}mm"


def test_a_face_uses_only_what_mupdf_draws_right() -> None:
    for number in TOKENS:
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(token_face(number)).iter()}
        assert tags == {"svg", "path"}


@pytest.mark.parametrize("number", [0, 21, 26])
def test_a_number_without_token_has_no_face(number: int) -> None:
    with pytest.raises(KeyError):
        token_face(number)


def test_nothing_is_drawn_beyond_the_rim() -> None:
    y, x = np.mgrid[:160, :160] - 79.5
    outside = np.hypot(x, y) > 81.5
    for number in TOKENS:
        assert not rasterise(token_face(number), 8.0)[..., 3][outside].any(), number


def test_no_two_tokens_look_alike_in_any_rotation_at_24_px() -> None:
    upright = {number: small(number) for number in TOKENS}
    turned = {number: [small(number, turn) for turn in TURNS] for number in TOKENS}
    alike = {
        (a, b): max(float((upright[a] * other).sum()) for other in turned[b])
        for a, b in itertools.combinations(TOKENS, 2)
    }
    worst = max(alike, key=lambda pair: alike[pair])
    assert alike[worst] < 0.7, f"{worst} correlate by {alike[worst]:.2f}"
