"""What a webcam's automatics are allowed to do, on drivers of several kinds."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cameras.frame import Frame
from vision.cameras.locked_controls import ControlLock


class Driver:
    """A camera whose picture follows from its exposure and the light of the room."""

    def __init__(self, *, honest: bool = True, controls: bool = True, mode: float = 3.0) -> None:
        self.honest = honest
        self.controls = controls
        self.light = 100.0
        self.mode = mode
        self.values: dict[int, float] = {
            cv2.CAP_PROP_FOCUS: 35.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4200.0,
            cv2.CAP_PROP_AUTO_EXPOSURE: mode,
        }
        self.exposure = 1.0
        self.time = 0.0

    def get(self, number: int) -> float:
        if not self.controls:
            return -1.0
        if number == cv2.CAP_PROP_EXPOSURE:
            return self.exposure if self.honest else 0.1
        return self.values.get(number, 0.0)

    def set(self, number: int, value: float) -> bool:
        if number == cv2.CAP_PROP_AUTO_EXPOSURE and value not in (1.0, self.mode):
            return False
        if self.controls:
            self.values[number] = value
            if number == cv2.CAP_PROP_EXPOSURE:
                self.exposure = value
        return self.controls

    def frame(self) -> Frame:
        if self.values[cv2.CAP_PROP_AUTO_EXPOSURE] == self.mode:
            self.exposure = 120.0 / self.light
        self.time += 0.1
        shade = min(255.0, self.light * self.exposure)
        return Frame(np.full((90, 160, 3), shade, np.uint8), 0, self.time)

    def run(self, steadying: ControlLock, seconds: float) -> list[float]:
        """Feed frames for a time; gives their grey levels."""
        shades = []
        for _ in range(round(seconds * 10)):
            frame = self.frame()
            steadying.feed(frame)
            shades.append(float(frame.image.mean()))
        return shades


def automatic(driver: Driver) -> list[float]:
    return [
        driver.values[number]
        for number in (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTO_EXPOSURE)
    ]


def test_focus_white_balance_and_exposure_are_held_where_they_settled() -> None:
    driver = Driver()
    steadying = ControlLock(driver, 1.0, 3.0)
    driver.run(steadying, 1.5)
    assert automatic(driver) == [1, 1, 3]
    driver.run(steadying, 2.0)
    assert steadying.holds
    assert automatic(driver) == [0, 0, 1]
    assert driver.values[cv2.CAP_PROP_FOCUS] == 35
    assert driver.values[cv2.CAP_PROP_WB_TEMPERATURE] == 4200
    assert abs(driver.exposure - 1.2) < 1e-6


def test_a_driver_that_hides_its_automatic_exposure_keeps_it_automatic() -> None:
    driver = Driver(honest=False)
    steadying = ControlLock(driver, 1.0, 3.0)
    driver.run(steadying, 6.0)
    assert steadying.holds
    assert automatic(driver) == [0, 0, 3]
    assert float(driver.frame().image.mean()) == 120


def test_a_hand_changes_nothing_but_a_lamp_is_followed() -> None:
    driver = Driver()
    steadying = ControlLock(driver, 1.0, 3.0)
    driver.run(steadying, 4.0)
    driver.light = 130.0  # a bright sleeve in the picture
    driver.run(steadying, 5.0)
    assert automatic(driver) == [0, 0, 1]
    driver.light = 30.0
    driver.run(steadying, 8.0)
    assert steadying.holds
    assert automatic(driver) == [0, 0, 1]
    assert abs(driver.exposure - 4.0) < 1e-6


def test_a_camera_without_controls_is_left_alone_and_let_go_automatic() -> None:
    driver = Driver(controls=False)
    steadying = ControlLock(driver, 1.0, 3.0)
    assert driver.run(steadying, 8.0) == [120.0] * 80
    assert driver.values == Driver().values
    held = Driver()
    steadying = ControlLock(held, 1.0, 3.0)
    held.run(steadying, 4.0)
    steadying.release()
    assert automatic(held) == [1, 1, 3]


def test_a_driver_with_an_automatic_mode_of_its_own_gets_that_one_back() -> None:
    driver = Driver(mode=0.0)
    steadying = ControlLock(driver, 1.0, 3.0)
    driver.run(steadying, 4.0)
    assert automatic(driver) == [0, 0, 1]
    steadying.release()
    assert automatic(driver) == [1, 1, 0]
