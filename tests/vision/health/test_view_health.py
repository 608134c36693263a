"""A view that is nudged, dimmed, blurred or covered: reported within three pictures, and over when it is over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from calibration.plane import TablePlane
from tests.vision.cameras.simulated.tables import faces, table
from tests.vision.health.true_plane import plane_of
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.camera_projection import HEIGHT, WIDTH, CameraProjection
from vision.health import Health, HealthDelays, Trouble, ViewHealth
from vision.health.pose_recovery import recover_pose

LOOK = Look()
MOVED = replace(LOOK, aim=(8.0, -6.0), yaw=0.7)
FULL = table(5, 4)
BARE = replace(FULL, hands=())
REPORTED_AFTER = HealthDelays().bad_frames
SPOTS = np.array([[x, y] for x in (-500.0, -200.0, 200.0, 500.0) for y in (-300.0, 0.0, 300.0)])


@dataclass(repr=False)
class Pictures:
    """The same table as different cameras, lamps and moments show it."""

    bare: list[Image]
    hands: list[Image]
    moved: list[Image]
    moved_hands: list[Image]
    dim: list[Image]
    dim_hands: list[Image]


@pytest.fixture(scope="module", name="pictures")
def _pictures() -> Pictures:
    def taken(look: Look) -> tuple[list[Image], list[Image]]:
        renderer = Renderer(look, faces())
        return [renderer.render(BARE, number) for number in range(3)], [
            renderer.render(FULL, number + 3) for number in range(2)
        ]

    lit, dim = taken(LOOK), taken(replace(LOOK, exposure=0.6, tint=(0.88, 1.0, 1.05)))
    moved = taken(MOVED)
    return Pictures(*lit, *moved, *dim)


def error_px(plane: TablePlane, look: Look) -> float:
    true = CameraProjection(look).project(np.c_[SPOTS, np.zeros(len(SPOTS))])
    return float(np.sqrt(np.mean(np.sum((plane.to_image(SPOTS) - true) ** 2, axis=1))))


@dataclass
class ViewSession:
    """A view that is fed one picture each 0.2 seconds."""

    view: ViewHealth
    now: float = 0.0
    healths: list[Health] = field(default_factory=list)

    def sees(
        self, images: Iterable[Image], times: int = 1, *, still: bool = True, hands: bool = False
    ) -> list[Health]:
        shown = list(images) * times
        before = len(self.healths)
        for image in shown:
            self.now += 0.2
            self.healths.append(self.view.feed(image, self.now, still=still, hands=hands))
        return self.healths[before:]


def begun(pictures: Pictures, plane: TablePlane | None = None, calibrated: Image | None = None) -> ViewSession:
    session = ViewSession(ViewHealth(calibrated, plane))
    assert all(health.fit for health in session.sees(pictures.bare, 2))
    return session


def troubles(healths: Iterable[Health]) -> list[Trouble | None]:
    return [health.trouble for health in healths]


def head(image: Image, x: int, y: int, radius: int = 140) -> Image:
    """Somebody leans over: hair of a dark table's brightness, and shoulders."""
    rng = np.random.default_rng(4)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.ellipse(mask, (x, y), (int(0.85 * radius), radius), 0, 0, 360, 255, -1)
    cv2.ellipse(mask, (x, y + int(1.6 * radius)), (2 * radius, radius), 0, 0, 360, 255, -1)
    hair = cv2.GaussianBlur(rng.normal(0.0, 30.0, image.shape), (0, 0), 3.0) * 3.0 + (35.0, 45.0, 60.0)
    share = cv2.GaussianBlur(mask, (0, 0), 3.0)[..., None] / 255.0
    return np.clip(image * (1.0 - share) + hair * share, 0, 255).astype(np.uint8)


def test_hands_that_come_stay_and_go_are_no_trouble(pictures: Pictures) -> None:
    session = begun(pictures)
    seen = session.sees(pictures.hands, 5, hands=True) + session.sees(pictures.bare, 5)
    assert all(health == Health() for health in seen)


@pytest.mark.parametrize("hands", [False, True])
def test_a_nudged_camera_is_not_read_but_reported_and_its_pose_recovered(pictures: Pictures, hands: bool) -> None:
    session = begun(pictures, plane_of(LOOK))
    moved = pictures.moved_hands if hands else pictures.moved
    seen = session.sees((moved * 4)[: REPORTED_AFTER + 3], hands=hands)
    assert not any(health.fit for health in seen[:REPORTED_AFTER])
    found = [health.refound for health in seen if health.refound]
    assert len(found) == 1
    assert error_px(plane_of(LOOK), MOVED) > 8.0
    assert error_px(found[0].plane, MOVED) < 1.0
    assert seen[-1] == Health()


def test_a_camera_that_cannot_be_found_again_is_reported_until_it_is_put_back(pictures: Pictures) -> None:
    session = begun(pictures)
    seen = troubles(session.sees(pictures.moved, 4))
    assert seen[REPORTED_AFTER - 1 :] == ["nudged"] * (12 - REPORTED_AFTER + 1)
    assert not any(health.refound for health in session.healths)
    back = session.sees(pictures.bare, 2)
    assert troubles(back)[-1] is None
    assert back[-1].fit


def test_a_camera_that_was_moved_before_the_start_is_found_by_the_calibrated_table(pictures: Pictures) -> None:
    session = ViewSession(ViewHealth(pictures.bare[0], plane_of(LOOK)))
    first = session.sees(pictures.moved, 2)
    found = [health.refound for health in first if health.refound]
    assert len(found) == 1
    assert error_px(found[0].plane, MOVED) < 1.0
    assert first[-1] == Health()


def test_a_table_unlike_the_calibrated_one_is_reported_but_read(pictures: Pictures) -> None:
    other = np.full_like(pictures.bare[0], 90)
    session = ViewSession(ViewHealth(other, plane_of(LOOK)))
    first = session.sees(pictures.bare, 2)
    assert [health.unlike for health in first].count(True) == 1
    assert all(health.fit for health in first)


def test_another_light_is_reported_and_learned_again_once_no_hands_are_there(pictures: Pictures) -> None:
    session = begun(pictures)
    held = session.sees(pictures.dim_hands, 5, hands=True)
    assert troubles(held)[REPORTED_AFTER - 1 :] == ["light"] * (10 - REPORTED_AFTER + 1)
    assert not any(health.fit or health.anew for health in held)
    session.sees(pictures.dim[:1], still=False)
    free = session.sees(pictures.dim, 4)
    assert [health.anew for health in free].count(True) == 1
    assert free[-1] == Health()


def test_light_that_changes_slowly_is_followed(pictures: Pictures) -> None:
    session = begun(pictures)
    for step in range(14):
        gain = 1.0 - 0.03 * step
        session.now += 2.0
        seen = session.sees([(image * gain).astype(np.uint8) for image in pictures.bare[:2]])
        assert troubles(seen) == [None, None], f"at {gain:.2f}"


@pytest.mark.parametrize("hands", [False, True])
def test_a_blurred_picture_is_reported_until_it_is_sharp(pictures: Pictures, hands: bool) -> None:
    session = begun(pictures)
    shown = pictures.hands if hands else pictures.bare
    seen = session.sees(
        [np.asarray(cv2.GaussianBlur(image, (0, 0), 2.0), np.uint8) for image in shown], 3, hands=hands
    )
    assert not any(health.fit for health in seen)
    assert troubles(seen)[REPORTED_AFTER - 1 :] == ["blurred"] * (len(seen) - REPORTED_AFTER + 1)
    assert troubles(session.sees(shown, 3, hands=hands))[-1] is None


def test_a_dirty_lens_is_reported(pictures: Pictures) -> None:
    session = begun(pictures)
    veiled = [np.clip(image * 0.35 + 60.0, 0, 255).astype(np.uint8) for image in pictures.bare]
    assert troubles(session.sees(veiled, 2))[-1] == "blurred"


@pytest.mark.parametrize("hands", [False, True])
def test_a_head_over_the_table_is_reported_until_it_is_gone(pictures: Pictures, hands: bool) -> None:
    session = begun(pictures)
    shown = pictures.hands if hands else pictures.bare
    leaning = [head(shown[step % 2], 600 + 12 * step, 440) for step in range(6)]
    seen = session.sees(leaning, still=False, hands=True)
    assert not any(health.fit for health in seen)
    assert troubles(seen)[REPORTED_AFTER - 1 :] == ["covered"] * (6 - REPORTED_AFTER + 1)
    assert troubles(session.sees(shown, 3, hands=hands))[-1] is None


@pytest.mark.slow
def test_something_large_that_stays_becomes_part_of_the_table(pictures: Pictures) -> None:
    session = begun(pictures)
    lying = [head(image, 640, 300) for image in pictures.bare]
    seen = session.sees(lying, 23)
    assert seen[30].trouble == "covered"
    assert [health.anew for health in seen].count(True) == 1
    assert seen[-1] == Health()


@pytest.mark.parametrize(("gain", "offset", "trouble"), [(0.1, 0.0, "dark"), (3.0, 200.0, "glaring")])
def test_no_light_and_too_much_of_it_are_reported(
    pictures: Pictures, gain: float, offset: float, trouble: Trouble
) -> None:
    session = begun(pictures)
    shown = [np.clip(image * gain + offset, 0, 255).astype(np.uint8) for image in pictures.bare]
    assert troubles(session.sees(shown, 2))[-1] == trouble
    assert troubles(session.sees(pictures.bare, 2))[-1] is None
    at_once = ViewSession(ViewHealth())
    assert troubles(at_once.sees(shown, 2))[-1] == trouble


def test_a_camera_of_another_resolution_is_learned_anew(pictures: Pictures) -> None:
    session = begun(pictures)
    smaller = [np.asarray(cv2.resize(image, (640, 480)), np.uint8) for image in pictures.bare]
    assert session.sees(smaller, 3)[-1] == Health()


def test_a_plane_is_not_found_on_another_table_nor_for_another_picture_size(pictures: Pictures) -> None:
    rng = np.random.default_rng(3)
    other = cv2.resize(rng.integers(0, 255, (90, 160, 3)).astype(np.uint8), (WIDTH, HEIGHT))
    known = pictures.bare[0]
    assert recover_pose(plane_of(LOOK), known, np.asarray(other, np.uint8)) is None
    assert recover_pose(plane_of(LOOK), known, known[:, :640]) is None
    assert recover_pose(TablePlane.flat(1.0), known, known) is None
    corner = np.asarray(other, np.uint8).copy()
    corner[:200, :340] = pictures.moved[0][:200, :340]
    assert recover_pose(plane_of(LOOK), known, corner) is None


def test_a_camera_that_was_turned_far_is_found_by_what_lies_on_the_table(pictures: Pictures) -> None:
    session = begun(pictures, plane_of(LOOK))
    turned = replace(LOOK, aim=(90.0, 30.0), yaw=9.0)
    image = Renderer(turned, faces()).render(BARE, 9)
    seen = session.sees([image], 8)
    found = [health.refound for health in seen if health.refound]
    assert len(found) == 1
    assert error_px(found[0].plane, turned) < 2.0
    assert seen[-1] == Health()
