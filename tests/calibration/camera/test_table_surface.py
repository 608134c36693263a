"""What the ground of a table says about pieces on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.camera import sheet
from calibration.camera.calibrate import Calibration, calibrate
from calibration.plane import Image
from tests.calibration.drawn import HALF_MM, PX_PER_MM, camera, lay, photograph, table_top

PLANE = camera()
WOOD, NIGHT = (70, 110, 150), (34, 32, 33)


def _calibrated(top: Image) -> Calibration:
    return calibrate(photograph(lay(top, sheet.picture(4.0), 4.0, 0, 0), PLANE, 1), 4)


def _checked() -> Image:
    height, width = (round(2 * half * PX_PER_MM) for half in reversed(HALF_MM))
    y, x = np.mgrid[0:height, 0:width]
    period = 30 * PX_PER_MM
    dark = ((x // period + y // period) % 2).astype(bool)[..., None]
    return np.asarray(cv2.GaussianBlur(np.where(dark, (60, 60, 170), (210, 215, 220)).astype(np.uint8), (0, 0), 1))


def test_a_wooden_table_is_no_trouble() -> None:
    findings = _calibrated(table_top(3, WOOD)).findings
    assert (findings.patterned, findings.hard_colours, findings.glare) == (False, (), 0.0)
    assert not any("stand out" in line or "pattern" in line for line in findings.advice)


def test_black_pieces_hardly_stand_out_from_a_black_table() -> None:
    findings = _calibrated(table_top(3, NIGHT)).findings
    assert findings.hard_colours == ("black",)
    assert any(line.startswith("Pieces in black hardly stand out") for line in findings.advice)


@pytest.mark.slow
def test_a_checked_cloth_is_named_a_pattern() -> None:
    findings = _calibrated(_checked()).findings
    assert findings.patterned
    assert any(line.startswith("The table has a pattern") for line in findings.advice)


def test_a_mirrored_lamp_is_named() -> None:
    top = table_top(3, WOOD).copy()
    at = tuple(round((half + offset) * PX_PER_MM) for half, offset in zip(HALF_MM, (-30, 150), strict=True))
    cv2.circle(top, (int(at[0]), int(at[1])), round(34 * PX_PER_MM), (255, 255, 255), cv2.FILLED)
    findings = _calibrated(top).findings
    assert findings.glare == pytest.approx(0.045, abs=0.02)
    assert any(line.startswith("A lamp is reflected") for line in findings.advice)
