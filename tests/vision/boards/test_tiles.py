"""How large a table's impurity tiles look to the reader."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.games.wicked.art import IMPURITY
from calibration.pieces.samples import PieceSamples, Specimen
from calibration.profile import TableProfile
from vision.games.wicked.impurity_pixel_classifier import TileModel


def without_rim(specimen: Specimen, lost_px: int) -> Specimen:
    """Return a specimen whose rim was taken for its shadow: the mask, and so its area, are too small."""
    crop = specimen.crop.copy()
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * lost_px + 1,) * 2)
    crop[..., 3] = cv2.erode(crop[..., 3], kernel)
    return replace(specimen, crop=crop, area_mm2=float(np.count_nonzero(crop[..., 3]) / 4))


@pytest.mark.parametrize("lost_px", [0, 3, 9])  # nothing, the rim, and all but the print in the middle
def test_tiles_are_as_large_as_they_look_not_as_they_were_cut_out(profile: TableProfile, lost_px: int) -> None:
    profile = profile
    for kind in ("impurity:1", "impurity:3") if lost_px else ():
        specimens = tuple(without_rim(specimen, lost_px) for specimen in profile.pieces[kind].specimens)
        profile = profile.with_pieces(kind, PieceSamples(specimens))
    radii = TileModel(profile).radii_mm
    assert radii == pytest.approx({value: size / 2 for value, size in IMPURITY.items()}, abs=0.7)


def test_specimens_that_are_not_found_again_count_as_they_were_enrolled(profile: TableProfile) -> None:
    blank = replace(profile.pieces["impurity:3"].specimens[0], area_mm2=314.0)
    crop = blank.crop.copy()
    crop[..., :3] = 90
    profile = profile.with_pieces("impurity:3", PieceSamples((replace(blank, crop=crop),)))
    assert TileModel(profile).radii_mm[3] == pytest.approx(10.0, abs=0.05)


def test_two_tiles_in_one_specimens_picture_are_not_taken_for_a_large_one(profile: TableProfile) -> None:
    specimens = profile.pieces["impurity:1"].specimens
    crop = specimens[0].crop.copy()
    crop[:, :28, :3] = specimens[0].crop[:, 14:42, :3]
    crop[:, 28:, :3] = specimens[0].crop[:, 14:42, :3]
    profile = profile.with_pieces("impurity:1", PieceSamples((replace(specimens[0], crop=crop, area_mm2=154.0),)))
    assert TileModel(profile).radii_mm[1] == pytest.approx(7.0, abs=0.05)


def paint(pixels: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> tuple[int, ...]:
    """Return the typical colour (BGR) of CIELAB pixels."""
    typical = np.median(pixels, axis=0).astype(np.float32)
    return tuple(round(255 * float(v)) for v in cv2.cvtColor(typical[None, None], cv2.COLOR_Lab2BGR)[0, 0])


@pytest.mark.parametrize(("share", "seen"), [(0.45, True), (1.0, False)])
def test_tiles_whose_print_is_partly_like_another_piece_are_whole_tiles(
    profile: TableProfile, share: float, *, seen: bool
) -> None:
    tile = profile.pieces["impurity:3"]
    dark = tile.pixels[:, 0] < np.percentile(tile.pixels[:, 0], 25)
    typical = np.repeat(np.median(tile.pixels[dark], axis=0)[None].astype(np.float32), 200, axis=0)
    other = PieceSamples((replace(tile.specimens[0], pixels=typical),))
    view = np.full((90, 120, 3), (40, 140, 60), np.uint8)
    disc = np.zeros(view.shape[:2], np.uint8)
    cv2.circle(disc, (60, 45), 10, 1, cv2.FILLED)
    view[disc > 0] = paint(tile.pixels[~dark])
    view[(disc > 0) & (np.arange(120) > 70 - round(21 * share))] = paint(tile.pixels[dark])
    everywhere = np.ones(disc.shape, np.bool_)
    look = TileModel(profile.with_pieces("search:black", other))
    chances = look.chances(view, np.ones(view.shape, np.float32), everywhere, everywhere)
    there = float(np.asarray(chances > 0.5)[disc > 0].mean())
    assert there > 0.95 if seen else there < 0.05
