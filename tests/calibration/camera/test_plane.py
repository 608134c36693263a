from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import sheet
from calibration.camera.calibrate import calibrate
from calibration.errors import ProfileError, SheetError
from calibration.plane import Region, TablePlane
from tests.calibration.drawn import blob, camera, lay, photograph, sheet_picture, table_top

cameras = st.builds(
    camera,
    height=st.floats(600, 1400),
    tilt=st.floats(0, 45),
    fov=st.floats(50, 95),
    turn=st.floats(-180, 180),
)


@settings(max_examples=60)
@given(plane=cameras, x=st.floats(-400, 400), y=st.floats(-300, 300), height=st.floats(0, 150), bent=st.booleans())
def test_a_point_goes_to_the_picture_and_comes_back(
    plane: TablePlane, x: float, y: float, height: float, bent: bool
) -> None:
    if bent:
        plane = TablePlane(
            plane.image_size, plane.focal_px, plane.rotation, plane.translation, distortion=(-0.05, 0.01, 0.0, 0.0)
        )
    pixel = plane.to_image((x, y), height)
    width, size = plane.image_size
    if not (0 <= pixel[0] < width and 0 <= pixel[1] < size):
        return
    back = plane.to_table(pixel, height)
    assert np.allclose(back, (x, y), atol=0.5 if bent else 1e-6)


def test_pixels_above_the_horizon_lie_nowhere_on_the_table() -> None:
    plane = camera(tilt=70)
    assert np.isnan(plane.to_table((640, 0))).all()
    assert np.isfinite(plane.to_table((640, 700))).all()


def test_points_behind_the_camera_are_nowhere_in_the_picture() -> None:
    assert np.isnan(camera(tilt=45).to_image((0.0, -9000.0))).all()


@pytest.mark.parametrize(
    ("tilt", "fov", "turn", "known_fov", "most_mm", "most_mm_above"),
    [
        # from straight above the field of view cannot be measured, and the table itself does not need it
        (0.5, 70, 0, None, 1.0, 2.0),
        (12, 70, 2, None, 1.0, 2.0),
        # an untypical lens seen tilted is measured
        (30, 58, -5, None, 1.0, 2.0),
        # an untypical lens from straight above: heights need the field of view given
        (2, 85, 176, 85.0, 1.5, 2.5),
    ],
)
def test_the_table_is_found_to_a_millimetre_or_two(
    tilt: float, fov: float, turn: float, known_fov: float | None, most_mm: float, most_mm_above: float
) -> None:
    truth = camera(tilt=tilt, fov=fov, turn=turn)
    found = calibrate(sheet_picture(truth), 4, known_fov)
    grid = np.array([[x, y] for x in range(-500, 501, 100) for y in range(-300, 301, 100)], np.float64)
    for height, most in ((0.0, most_mm), (90.0, most_mm_above)):
        pixels = truth.to_image(grid, height)
        inside = ((pixels >= 0) & (pixels < truth.image_size)).all(axis=1)
        off = np.linalg.norm(found.plane.to_table(pixels[inside], height) - grid[inside], axis=1)
        assert off.max() < most, f"{off.max():.2f} mm off at height {height}"
    assert found.findings.reprojection_error_px < 0.3
    assert abs(found.findings.tilt_deg - tilt) < 1.0
    assert found.findings.good


def test_the_sheet_turned_by_hand_turns_the_table_with_it() -> None:
    turned = calibrate(sheet_picture(camera(turn=0), angle=90.0, x=60.0), 4).plane
    # The sheet's right, turned a quarter clockwise, points towards seat 0 of the unturned table.
    straight = camera(turn=0)
    assert np.allclose(turned.to_image((100.0, 0.0)), straight.to_image((60.0, -100.0)), atol=1.0)


def test_a_blurred_a_dark_and_a_distant_picture_are_called_not_good_enough() -> None:
    picture = sheet_picture(camera(height=700))
    blurred = calibrate(np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.0), np.uint8), 4).findings
    assert any("blurred" in problem for problem in blurred.problems)
    dark = calibrate((picture * 0.12).astype(np.uint8), 4).findings
    assert any("dark" in problem for problem in dark.problems)
    distant = calibrate(sheet_picture(camera(height=1700, fov=75)), 4).findings
    assert any("px at the edge" in problem for problem in distant.problems)


def test_an_enlarged_picture_is_as_good_as_it_was() -> None:
    picture = sheet_picture(camera())
    larger = np.asarray(cv2.resize(picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), np.uint8)
    small, large = calibrate(picture, 4).findings, calibrate(larger, 4).findings
    assert small.edge_width_px is not None
    assert large.edge_width_px is not None
    assert large.good
    width_mm = small.edge_width_px * small.mm_per_px_centre
    assert large.edge_width_px * large.mm_per_px_centre == pytest.approx(width_mm, rel=0.15)
    assert large.height_mm == pytest.approx(small.height_mm, rel=0.02)


@pytest.mark.first_is_quick
@pytest.mark.parametrize(
    ("mirrored", "inverted", "says"),
    [
        (True, False, "^The picture is mirrored"),
        (False, True, "^The sheet is white on black"),
        (True, True, "^The picture is mirrored.* The sheet is white on black"),
    ],
)
@pytest.mark.parametrize("height", [750.0, 1350.0])
def test_a_mirrored_or_inverted_sheet_is_named(height: float, mirrored: bool, inverted: bool, says: str) -> None:
    picture = sheet_picture(camera(height))
    if mirrored:
        picture = np.asarray(cv2.flip(picture, 1), np.uint8)
    if inverted:
        picture = np.asarray(255 - picture, np.uint8)
    with pytest.raises(SheetError, match=says):
        calibrate(picture, 4)


def test_a_picture_without_the_sheet_is_refused() -> None:
    with pytest.raises(SheetError, match="No calibration sheet"):
        calibrate(photograph(table_top(), camera()), 4)


def test_a_half_covered_sheet_is_refused() -> None:
    top = table_top()
    paper = np.full((600, 500, 3), 90, np.uint8)
    covered = lay(lay(top, sheet.picture(4.0), 4.0, 0, 0), paper, 2.0, 125, 0)
    with pytest.raises(SheetError, match="of the calibration sheet's 24 corners"):
        calibrate(photograph(covered, camera()), 4)


def test_a_bent_sheet_is_refused() -> None:
    picture = sheet_picture(camera())
    v, u = np.mgrid[0:720, 0:1280].astype(np.float32)
    bent = cv2.remap(picture, u + 9 * np.sin(u / 40), v + 9 * np.cos(u / 30), cv2.INTER_LINEAR)
    with pytest.raises(SheetError, match=r"to \d+\.\d mm"):
        calibrate(np.asarray(bent, np.uint8), 4)


def test_a_top_view_shows_things_where_the_table_has_them() -> None:
    plane = camera(tilt=20)
    picture = photograph(blob(table_top(), (20, 20, 200), 120, -80, shadow=False), plane)
    region = Region(-200, -200, 200, 200)
    view = plane.rectify(picture, 2.0, region)
    assert view.shape == (800, 800, 3)
    red = view[..., 2].astype(int) - view[..., 0]
    row, column = np.unravel_index(np.argmax(cv2.blur(red.astype(np.float32), (15, 15))), red.shape)
    assert np.allclose(region.to_mm((column, row), 2.0), (120, -80), atol=2.0)


def test_a_bent_lens_is_straightened_in_the_top_view() -> None:
    plane = camera(tilt=10)
    bent = TablePlane(
        plane.image_size, plane.focal_px, plane.rotation, plane.translation, distortion=(-0.2, 0.05, 0.0, 0.0)
    )
    picture = np.zeros((720, 1280, 3), np.uint8)
    u, v = bent.to_image((350.0, 150.0))
    cv2.circle(picture, (round(u), round(v)), 4, (255, 255, 255), cv2.FILLED)
    region = Region(-450, -250, 450, 250)
    view = bent.rectify(picture, 1.0, region)
    row, column = np.unravel_index(np.argmax(cv2.blur(view[..., 0].astype(np.float32), (7, 7))), view.shape[:2])
    assert np.allclose(region.to_mm((column, row), 1.0), (350, 150), atol=2.5)


def test_an_unbent_picture_shows_each_place_where_its_homography_says() -> None:
    bent = replace(camera(tilt=10), distortion=(-0.2, 0.05, 0.0, 0.0))
    spot = (350.0, 150.0)
    u, v = bent.to_image(spot)
    picture = np.zeros((bent.image_size[1], bent.image_size[0], 3), np.uint8)
    cv2.circle(picture, (round(float(u)), round(float(v))), 6, (255, 255, 255), cv2.FILLED)
    rows, columns = np.nonzero(bent.unbent(picture)[..., 0] > 128)
    x, y, w = bent.homography() @ (*spot, 1.0)
    assert np.allclose((columns.mean(), rows.mean()), (x / w, y / w), atol=1.0)
    assert np.hypot(x / w - u, y / w - v) > 5.0, "the lens bends so little there that this proves nothing"
    straight = camera(tilt=10)
    assert straight.unbent(picture) is picture


def test_a_flat_plane_takes_pictures_of_any_size() -> None:
    plane = TablePlane.flat(2.0)
    small = plane.fitting(np.zeros((480, 640, 3), np.uint8))
    assert np.allclose(small.to_image((10.0, 20.0)), (319.5 + 20.0, 239.5 - 40.0))
    assert np.isclose(float(small.px_per_mm_at((50.0, 50.0))), 2.0)


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(ProfileError, match="640×480"):
        camera().fitting(np.zeros((480, 640, 3), np.uint8))
