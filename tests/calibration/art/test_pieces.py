"""The tile and the discs: their size, their outline, and which way the witch looks."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from calibration.games.wicked.art import (
    IMPURITY,
    SIGN,
    TILE,
    TOKEN,
    impurity_face,
    rasterise,
    sign_face,
    tile_face,
    token_face,
)

DISCS = {
    **{f"token:{colour}": (token_face(colour), TOKEN) for colour in ("red", "green", "blue", "yellow")},
    **{f"impurity:{count}": (impurity_face(count), IMPURITY[count]) for count in (1, 3)},
    **{f"sign:{sign}": (sign_face(sign), SIGN) for sign in ("witch", "soul")},
}


@pytest.mark.parametrize("kind", DISCS)
def test_a_disc_is_round_and_true_to_scale(kind: str) -> None:
    svg, diameter = DISCS[kind]
    alpha = rasterise(svg, 10.0)[..., 3]
    assert alpha.shape == (round(diameter * 10), round(diameter * 10))
    assert (alpha > 127).sum() / 100 == pytest.approx(math.pi * diameter**2 / 4, rel=0.01)


def test_the_tile_is_a_hexagon_with_an_edge_uppermost() -> None:
    alpha = rasterise(tile_face(), 4.0)[..., 3] > 127
    assert alpha.shape == (round(TILE[1] * 4), round(TILE[0] * 4))
    assert alpha[2].sum() / 4 == pytest.approx(TILE[0] / 2, abs=2.0)
    assert alpha[alpha.shape[0] // 2].all()
    assert not alpha[[0, 0, -1, -1], [0, -1, 0, -1]].any()


def test_the_tile_turned_by_any_of_its_edges_looks_different() -> None:
    drawn = cv2.cvtColor(rasterise(tile_face(), 2.0), cv2.COLOR_BGRA2GRAY).astype(np.float64)
    height, width = drawn.shape
    inside = np.hypot(*np.meshgrid(np.arange(width) - width / 2, np.arange(height) - height / 2)) < height * 0.48
    upright = drawn[inside] - drawn[inside].mean()
    for turn in range(60, 360, 60):
        turned = cv2.warpAffine(drawn, cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0), (width, height))
        other = turned[inside] - turned[inside].mean()
        assert upright @ other / (np.linalg.norm(upright) * np.linalg.norm(other)) < 0.6
