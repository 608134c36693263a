"""Whether a thing fits the kind that it resembles most, or none of the enrolled kinds."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.light.light_field import linear
from calibration.pieces.samples import CROP_PX, PieceSamples, Specimen
from vision import colour
from vision.counting.open_set import PatchMeasures, membership, model_kind, shape_of

RED, GROUND = (42, 44, 192), (0.05, 0.15, 0.3)
RADIUS = 15


def light_of(paint: tuple[int, int, int], seed: int, shade: float = 1.0) -> np.ndarray:
    pixels = np.array(paint) + np.random.default_rng(seed).normal(0, 3, (200, 3))
    return np.asarray(shade * linear(np.clip(pixels, 0, 255).astype(np.uint8)[None])[0], np.float32)


def specimen(seed: int) -> Specimen:
    crop = np.zeros((CROP_PX, CROP_PX, 4), np.uint8)
    cv2.circle(crop, (CROP_PX // 2, CROP_PX // 2), RADIUS, (*RED, 255), cv2.FILLED)
    lab = cv2.cvtColor(light_of(RED, seed)[None].astype(np.float32), cv2.COLOR_LBGR2Lab)[0]
    return Specimen(lab, (15.5, 15.5), 177.0 + seed, crop)


KIND = model_kind(PieceSamples(tuple(specimen(seed) for seed in range(6))), GROUND, printed=False)


def patch(paint: tuple[int, int, int] = RED, shade: float = 1.0, unlike: float = 0.5) -> PatchMeasures:
    pixels = colour.of_light(light_of(paint, 9, shade).astype(np.float32))
    return PatchMeasures(pixels, 185.0, 15.8, 1, unlike, 0.0, (0.02, 0.03), 1e-4)


@pytest.mark.parametrize("shade", [0.7, 1.0, 1.3])
def test_a_piece_of_the_kind_fits_it_in_more_and_in_less_light(shade: float) -> None:
    assert membership(patch(shade=shade), KIND) > 0.8


def test_a_thing_of_another_colour_fits_no_kind() -> None:
    assert membership(patch((70, 150, 200), unlike=5.0), KIND) < 0.05


def test_a_thing_of_the_colour_fits_less_the_larger_it_is() -> None:
    fits = [membership(replace(patch(), area_mm2=185.0 * larger), KIND) for larger in (1.0, 1.6, 2.5)]
    assert fits == sorted(fits, reverse=True)
    assert fits[-1] < 0.5 < fits[0]


def test_a_kind_of_one_specimen_has_a_model() -> None:
    alone = model_kind(PieceSamples((specimen(0),)), GROUND, printed=False)
    assert membership(patch(), alone) > 0.7


def test_a_disc_is_not_elongated_and_a_bar_is_whichever_way_it_lies() -> None:
    disc, bar = np.zeros((64, 64), np.uint8), np.zeros((64, 64), np.uint8)
    cv2.circle(disc, (32, 32), 20, 1, cv2.FILLED)
    cv2.rectangle(bar, (10, 28), (54, 36), 1, cv2.FILLED)
    assert np.allclose(shape_of(disc), (0, 0), atol=0.02)
    assert shape_of(bar)[0] > 0.9
    assert np.allclose(shape_of(bar), shape_of(np.ascontiguousarray(bar.T)))
    assert shape_of(np.zeros((8, 8), np.uint8)) == (0.0, 0.0)


def test_light_is_found_back_from_colours() -> None:
    light = np.random.default_rng(3).uniform(0.01, 1, (50, 3)).astype(np.float32)
    np.testing.assert_allclose(colour.to_light(colour.of_light(light)), light, rtol=2e-3)
