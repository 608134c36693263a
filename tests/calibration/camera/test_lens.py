from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import sheet
from calibration.camera.calibrate import Calibration, calibrate, check_aspect
from calibration.camera.fitting import LensPrior, fit
from calibration.errors import SheetError
from calibration.plane import Image, TablePlane
from tests.calibration.drawn import camera, sheet_picture

BARREL = (-0.15, 0.04, 0.0, 0.0)
SIZE = (1280, 720)


def _bent(height: float = 900.0, tilt: float = 1.0, turn: float = 2.0) -> TablePlane:
    plane = camera(height=height, tilt=tilt, turn=turn, fov=80.0)
    return replace(plane, distortion=BARREL, principal_point=(648.5, 353.5))


LYING = _bent()


def _held() -> list[Image]:
    """Pictures by the same camera with the sheet held at a tilt, and near the picture's corners."""
    held = [
        sheet_picture(_bent(600, 32, turn), x=x, y=y)
        for turn, x, y in ((20, 0, 0), (130, 60, 40), (250, -80, 60), (-60, 150, -60))
    ]
    return held + [sheet_picture(_bent(700, 6, 5), x=x, y=y) for x, y in ((330, -150), (-330, 150), (330, 150))]


@pytest.fixture(scope="module")
def measured() -> Calibration:
    return calibrate(sheet_picture(LYING), 4, more=_held())


def _off_mm(found: TablePlane, truth: TablePlane, height: float = 0.0) -> NDArray[np.float64]:
    grid = np.array([[x, y] for x in range(-600, 601, 100) for y in range(-300, 301, 100)], np.float64)
    pixels = truth.to_image(grid, height)
    inside = ((pixels >= 0) & (pixels < truth.image_size)).all(axis=1)
    return np.asarray(np.linalg.norm(found.to_table(pixels[inside], height) - grid[inside], axis=1), np.float64)


def test_several_pictures_give_the_lens_and_the_whole_table_to_two_millimetres(measured: Calibration) -> None:
    plane, findings = measured.plane, measured.findings
    assert findings.pictures == 8
    assert findings.reprojection_error_px < 0.3
    assert findings.fov_from == "picture"
    assert findings.lens_measured
    assert findings.advice == ()
    assert abs(plane.fov_deg - LYING.fov_deg) < 0.5
    assert abs(plane.position_mm[2] - 900) < 5
    assert _off_mm(plane, LYING).max() < 2.0
    assert _off_mm(plane, LYING, 85.0).max() < 2.0


def test_the_lens_is_the_one_that_opencv_finds(measured: Calibration) -> None:
    sights = [sheet.find(picture, 8) for picture in (sheet_picture(LYING), *_held())]
    objects = [np.c_[sight.table_mm, np.zeros(len(sight.table_mm))].astype(np.float32) for sight in sights]
    pixels = [sight.image_px.astype(np.float32) for sight in sights]
    flags = cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    _, matrix, bend, *_ = cv2.calibrateCamera(objects, pixels, SIZE, np.eye(3), np.zeros(5), flags=flags)
    assert np.allclose(measured.plane.camera_matrix, matrix, atol=3.0)
    assert np.allclose(measured.plane.distortion[:2], np.ravel(bend)[:2], atol=0.03)


def test_what_one_picture_cannot_tell_is_said_and_the_truth_lies_within_it() -> None:
    straight = calibrate(sheet_picture(LYING), 4)
    findings = straight.findings
    assert findings.fov_from == "assumed"
    assert len(findings.advice) == 2
    assert findings.height_doubt_mm is not None
    assert abs(findings.height_mm - 900) < 2 * findings.height_doubt_mm
    assert findings.edge_doubt_mm is not None
    assert np.percentile(_off_mm(straight.plane, LYING), 95) < 3 * findings.edge_doubt_mm


def test_a_measured_height_tells_the_lens_of_a_camera_that_looks_straight_down() -> None:
    truth = camera(height=840, tilt=1, fov=77)
    found = calibrate(sheet_picture(truth), 4, height_mm=840)
    assert abs(found.plane.fov_deg - 77) < 1.5
    assert _off_mm(found.plane, truth, 85.0).max() < 2.0
    assert found.findings.fov_from == "height"


@pytest.mark.parametrize(
    ("fov", "height", "says"), [(95.0, None, "field of view near"), (None, 500.0, r"near (89|90|91)\d mm")]
)
def test_what_contradicts_the_picture_is_refused(fov: float | None, height: float | None, says: str) -> None:
    with pytest.raises(SheetError, match=says):
        calibrate(sheet_picture(camera(height=900, tilt=30)), 4, fov, height_mm=height)


def test_after_a_nudge_one_picture_is_enough_to_keep_the_lens(measured: Calibration) -> None:
    nudged = _bent(920, 4, 9)
    again = calibrate(sheet_picture(nudged), 4, before=measured.plane)
    assert again.findings.fov_from == "before"
    assert again.plane.distortion == measured.plane.distortion
    assert _off_mm(again.plane, nudged).max() < 3.0
    assert _off_mm(calibrate(sheet_picture(nudged), 4).plane, nudged).max() > 10.0


def test_another_camera_is_not_given_the_lens_of_the_one_before(measured: Calibration) -> None:
    other = camera(height=900, tilt=25, fov=58)
    again = calibrate(sheet_picture(other), 4, before=measured.plane)
    assert again.findings.fov_from == "picture"
    assert again.plane.distortion == ()


def test_a_picture_of_another_size_or_without_the_sheet_is_named() -> None:
    lying = sheet_picture(LYING)
    with pytest.raises(SheetError, match="Picture 2 is 640×360"):
        calibrate(lying, 4, more=[np.asarray(cv2.resize(lying, (640, 360)), np.uint8)])
    with pytest.raises(SheetError, match="Picture 3: No calibration sheet"):
        calibrate(lying, 4, more=[lying, np.full_like(lying, 120)])


@pytest.mark.slow
def test_a_bent_sheet_among_good_ones_is_named() -> None:
    pictures = _held()
    v, u = np.mgrid[0:720, 0:1280].astype(np.float32)
    bent = cv2.remap(pictures[1], u + 9 * np.sin(u / 40), v + 9 * np.cos(v / 30), cv2.INTER_LINEAR)
    with pytest.raises(SheetError, match=r"The sheet of picture 3 fits a flat table only to \d+\.\d mm"):
        calibrate(sheet_picture(LYING), 4, more=[pictures[0], np.asarray(bent, np.uint8), *pictures[2:]])


@pytest.mark.slow
def test_pictures_that_are_all_alike_leave_the_lens_at_what_is_usual() -> None:
    sights = [sheet.find(sheet_picture(camera(height=900, tilt=0.5), seed)) for seed in range(3)]
    found = fit([(s.image_px, s.table_mm) for s in sights], SIZE, LensPrior.any_lens(SIZE))
    assert not found.plane.focal_measured
    assert 50 < found.plane.fov_deg < 90


def test_what_a_strong_lens_turns_back_is_not_drawn_into_the_picture() -> None:
    plane = replace(camera(tilt=40), distortion=(-0.3, 0.0, 0.0, 0.0))
    far = np.array([[0.0, y] for y in range(500, 60000, 500)])
    pixels = plane.to_image(far)
    seen = np.all(np.isfinite(pixels), axis=1)
    assert seen[0]
    assert not seen[-1]
    assert (np.diff(pixels[seen][:, 1]) < 0).all()


def _sheet_seen(
    plane: TablePlane, bow_mm: float, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where the corners of a sheet that bows up by so much at its ends are seen, and where they lie."""
    ids = np.arange(sheet.CORNERS)
    across, down = ids % (sheet.COLUMNS - 1) + 1, ids // (sheet.COLUMNS - 1) + 1
    mm = np.stack([across * 36.0 - 126.0, 90.0 - down * 36.0], axis=1)
    pixels = plane.to_image(mm, bow_mm * (mm[:, 0] / 130) ** 2) + rng.normal(0, 0.12, mm.shape)
    return np.asarray(pixels, np.float64), mm


@pytest.mark.first_is_quick
@pytest.mark.parametrize("seed", range(12))
def test_square_pixels_are_never_called_squeezed_by_bent_lenses_and_paper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    plane = camera(rng.uniform(700, 1400), rng.uniform(0, 40), rng.uniform(55, 88), rng.uniform(-180, 180))
    plane = replace(plane, distortion=(rng.uniform(-0.2, 0.05), 0.02, 0.0, 0.0), principal_point=(652.0, 350.0))
    sightings = [_sheet_seen(plane, rng.uniform(0, 5), rng)]
    check_aspect(sightings, SIZE, fit(sightings, SIZE, LensPrior.straight(SIZE)))


@pytest.mark.parametrize(
    ("width", "height", "says"),
    [
        (960, 720, r"squeezed: its pixels are not square \(1 to 1\.3\d\).* near 1\d\d\d×720 px"),
        (1280, 540, r"stretched: its pixels are not square \(1 to 0\.7\d\).* near 1280×7\d\d px"),
    ],
)
def test_a_squeezed_or_stretched_picture_is_refused_with_its_aspect(width: int, height: int, says: str) -> None:
    picture = cv2.resize(sheet_picture(camera(950, 10, 70, 12)), (width, height), interpolation=cv2.INTER_AREA)
    with pytest.raises(SheetError, match=says):
        calibrate(np.asarray(picture, np.uint8), 4)


def test_an_enlarged_picture_of_a_bent_lens_is_not_called_squeezed() -> None:
    plane = replace(camera(900, 14, 80), distortion=BARREL)
    small = sheet_picture(plane)
    larger = np.asarray(cv2.resize(small, None, fx=3, fy=3, interpolation=cv2.INTER_LINEAR), np.uint8)
    found = calibrate(larger, 4).findings
    assert found.good
    assert found.height_mm == pytest.approx(calibrate(small, 4).findings.height_mm, rel=0.03)


def test_a_lens_that_no_camera_over_a_table_has_is_not_good_enough_unless_somebody_gave_it() -> None:
    far = sheet_picture(camera(5200, 30, 14, 12))
    found = calibrate(far, 4).findings
    assert not found.good
    assert "which is implausible" in found.problems[0]
    assert calibrate(far, 4, 14.0).findings.good


def test_the_same_pose_once_more_is_no_further_picture(measured: Calibration) -> None:
    lying, noisy = sheet_picture(LYING), sheet_picture(LYING, seed=9)
    again = calibrate(lying, 4, more=[lying, noisy])
    assert again.findings.pictures == 1
    assert not again.findings.lens_measured
    assert again.plane == calibrate(lying, 4).plane
    held = _held()
    assert calibrate(lying, 4, more=[held[0], lying, *held[1:], held[3]]).plane == measured.plane
