from dataclasses import fields

import numpy as np
import pytest

from tests.vision.cameras.simulated.tables import faces
from vision.cameras.frame import Camera, CameraError, Frame
from vision.cameras.simulated import Look, Renderer, SimulatedCamera
from vision.cameras.simulated.scene import HandOnTable, Scene


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(Look(), faces())


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_it_is_a_camera_like_any_other_and_shows_the_scene_that_it_is_given(renderer: Renderer) -> None:
    simulated = SimulatedCamera(renderer, fps=1000)
    camera: Camera = simulated
    empty = camera.grab()
    simulated.show(Scene(4, hands=(HandOnTable(0, 1.0, 1.0, ("search:red",), 5),)))
    shown = camera.grab()
    assert (empty.number, shown.number) == (0, 1)
    assert shown.taken_at >= empty.taken_at
    assert np.abs(shown.image.astype(int) - empty.image).max() > 60


def test_a_frame_says_pixels_number_and_time_and_nothing_else(renderer: Renderer) -> None:
    frame = SimulatedCamera(renderer).grab()
    assert type(frame) is Frame
    assert [field.name for field in fields(frame)] == ["image", "number", "taken_at"]
    assert type(frame.image) is np.ndarray
    assert frame.image.dtype == np.uint8
    with pytest.raises(AttributeError):
        frame.scene  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises((AttributeError, TypeError)):
        frame.scene = Scene(4)  # type: ignore[attr-defined]


def test_it_keeps_its_pace_and_does_not_hurry_after_a_pause(renderer: Renderer) -> None:
    clock = Clock()
    camera = SimulatedCamera(renderer, fps=10, clock=clock, sleep=clock.sleep)
    times = [camera.grab().taken_at for _ in range(3)]
    assert times == pytest.approx([100.0, 100.1, 100.2])
    clock.now = 105.0
    assert [camera.grab().taken_at for _ in range(2)] == pytest.approx([105.0, 105.1])


def test_few_pictures_are_taken_while_nobody_needs_them(renderer: Renderer) -> None:
    clock = Clock()
    camera = SimulatedCamera(renderer, fps=10, clock=clock, sleep=clock.sleep)
    camera.rest(True)
    assert [camera.grab().taken_at for _ in range(3)] == pytest.approx([100.0, 100.5, 101.0])
    camera.rest(False)
    assert [camera.grab().taken_at for _ in range(3)] == pytest.approx([101.5, 101.6, 101.7])


def test_an_unplugged_camera_says_so_and_goes_on_when_plugged_in_again(renderer: Renderer) -> None:
    camera = SimulatedCamera(renderer, fps=1000)
    camera.grab()
    camera.unplug()
    with pytest.raises(CameraError, match="unplugged"):
        camera.grab()
    camera.plug_in()
    assert camera.grab().number == 1


def test_a_closed_camera_gives_nothing(renderer: Renderer) -> None:
    camera = SimulatedCamera(renderer)
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.grab()
