from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from calibration.errors import ProfileError
from calibration.pieces.samples import CROP_PX, PieceSamples, Specimen

SPECIMEN = Specimen(
    np.random.default_rng(1).normal(50, 5, (40, 3)).astype(np.float32),
    (16.0, 11.0),
    140.0,
    np.full((CROP_PX, CROP_PX, 4), 90, np.uint8),
    "a",
)
DATA = PieceSamples((SPECIMEN, SPECIMEN)).to_bytes()


def _with(**arrays: Any) -> bytes:
    with np.load(io.BytesIO(DATA)) as parts:
        changed = {**parts, **arrays}
    buffer = io.BytesIO()
    np.savez(buffer, **changed)
    return buffer.getvalue()


DAMAGED = {
    "no archive": b"",
    "a pixel without a number": _with(pixels=np.full((80, 3), np.nan, np.float32)),
    "an infinite pixel": _with(pixels=np.full((80, 3), np.inf, np.float32)),
    "too few pixels": _with(pixels=np.zeros((79, 3), np.float32)),
    "a specimen without pixels": _with(lengths=[80, 0]),
    "an endless number of pixels": _with(lengths=[np.inf, 40.0]),
    "one number in place of a list": _with(lengths=80),
    "a negative size": _with(sizes=[[16.0, 11.0], [-16.0, 11.0]]),
    "a size without a number": _with(sizes=[[16.0, 11.0], [np.nan, 11.0]]),
    "three sides": _with(sizes=np.ones((2, 3))),
    "no area": _with(areas=[140.0, 0.0]),
    "an infinite area": _with(areas=[140.0, np.inf]),
    "one area": _with(areas=[140.0]),
    "small crops": _with(crops=np.zeros((2, 1), np.uint8)),
    "crops without a mask": _with(crops=np.zeros((2, CROP_PX, CROP_PX, 3), np.uint8)),
    "crops of fractions": _with(crops=np.zeros((2, CROP_PX, CROP_PX, 4), np.float32)),
    "one source": _with(sources=["a"]),
}


def test_damaged_samples_are_refused_in_one_line(subtests: pytest.Subtests) -> None:
    for name, data in DAMAGED.items():
        with subtests.test(name), pytest.raises(ProfileError, match="are damaged: enrol it again"):
            PieceSamples.from_bytes(data)
    assert len(PieceSamples.from_bytes(_with()).specimens) == 2


def test_samples_damaged_at_any_byte_are_refused_or_read() -> None:
    refused = 0
    for place in range(0, len(DATA), 7):
        damaged = bytearray(DATA)
        damaged[place] ^= 0xFF
        try:
            PieceSamples.from_bytes(bytes(damaged))
        except ProfileError:
            refused += 1
    assert refused > 40
