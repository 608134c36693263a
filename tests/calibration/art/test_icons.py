"""Icons are distinguished by outline alone: nobody should need to see colour."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.games.wicked.art import ICONS, icon, rasterise

ELEMENTS = ("red", "green", "blue", "yellow", "white", "promotion", "colour_change", "impurity")
ANIMALS = ("wolf", "rabbit", "eagle", "cat", "sheep")


def silhouette(name: str) -> NDArray[np.bool_]:
    """The icon's mere shape, moved to the middle and brought to one area: size cannot help either."""
    mask = rasterise(icon(name), 4.0)[..., 3] > 200
    rows, columns = np.nonzero(mask)
    scale = np.sqrt(1600.0 / mask.sum())
    move = np.array([[scale, 0, 40 - scale * columns.mean()], [0, scale, 40 - scale * rows.mean()]])
    return cv2.warpAffine(mask.astype(np.uint8) * 255, move, (80, 80)) > 127


@pytest.mark.parametrize("group", [ELEMENTS, ANIMALS], ids=["elements", "animals"])
def test_icons_differ_in_pure_silhouette(group: tuple[str, ...]) -> None:
    shapes = {name: silhouette(name) for name in group}
    for a, b in itertools.combinations(group, 2):
        overlap = (shapes[a] & shapes[b]).sum() / (shapes[a] | shapes[b]).sum()
        assert overlap < 0.9, f"{a} and {b} overlap by {overlap:.2f}"


@pytest.mark.parametrize(("colour", "corners"), [("red", 3), ("yellow", 4), ("green", 6)])
def test_cut_gems_have_their_number_of_corners(colour: str, corners: int) -> None:
    mask = (rasterise(icon(colour), 8.0)[..., 3] > 200).astype(np.uint8)
    (outline,), _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    polygon = cv2.approxPolyDP(outline, 0.035 * cv2.arcLength(outline, True), True)
    assert len(polygon) == corners


@pytest.mark.parametrize(("rank", "bars"), [("low", 1), ("middle", 2), ("high", 3)])
def test_a_rank_shows_its_number_of_bars(rank: str, bars: int) -> None:
    drawn = rasterise(icon(rank), 8.0)
    bright = ((drawn[..., :3].min(axis=2) > 150) & (drawn[..., 3] > 200)).astype(np.uint8)
    count, _ = cv2.connectedComponents(bright)
    assert count - 1 == bars


def test_no_icon_is_cut_off_at_its_edge() -> None:
    for name in ICONS:
        alpha = rasterise(icon(name), 4.0)[..., 3]
        assert alpha.max() == 255
        edge = max(alpha[0].max(), alpha[-1].max(), alpha[:, 0].max(), alpha[:, -1].max())
        assert edge == 0, name


def test_an_unknown_icon_is_refused() -> None:
    with pytest.raises(KeyError):
        icon("gold")
