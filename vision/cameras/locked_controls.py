"""Lock a webcam's focus, exposure and white balance, so that a hand changes only its own pixels."""

from __future__ import annotations

from typing import Literal, Protocol

import cv2

from vision.cameras.frame import Frame

_SETTLING_S = 2.0
"""Time for the automatic controls to settle, s."""
_PROVING_S = 1.0
"""Time after which a locked picture must be as bright as before, s."""
_MAX_STEP = 1.3
"""Maximum brightness ratio of pictures before and after locking; above it, the driver changed its exposure."""
_MAX_LIGHT = 1.8
"""Maximum brightness ratio since locking that a hand can cause; above it, the room's light has changed."""
_LASTING_S = 3.0
"""Time for which another light must last before the controls are released, s."""


class Controls(Protocol):
    """Interface to a camera's controls, as in `cv2.VideoCapture`."""

    def get(self, number: int, /) -> float:
        """Return the value of the control with this OpenCV number (`CAP_PROP_…`); 0 or -1 where unsupported."""
        ...

    def set(self, number: int, value: float, /) -> bool:
        """Set the control with this OpenCV number (`CAP_PROP_…`); return whether the driver accepted the value."""
        ...


class ControlLock:
    """Locks a camera's automatic focus, exposure and white balance once they have settled.

    manual, automatic: values of the driver's exposure modes; a driver that starts in a third mode returns to that
    one. If locking changes the exposure, as with drivers that do not report their automatic value, it stays
    automatic for good. When the room's light changes, the controls are released until they have settled again.
    """

    def __init__(self, controls: Controls, manual: float, automatic: float) -> None:
        self._controls = controls
        self._manual = manual
        # Drivers have several automatic modes and support only their own.
        found = controls.get(cv2.CAP_PROP_AUTO_EXPOSURE)
        self._automatic = automatic if found in (manual, -1.0) else found
        self._state: Literal["settling", "proving", "held"] = "settling"
        self._since: float | None = None
        self._brightness = 0.0
        self._exposure_holds = True
        self._exposure_held = False
        self._other_light_since: float | None = None
        self.release()

    @property
    def holds(self) -> bool:
        """Whether locking is finished; controls that cannot be locked stay automatic."""
        return self._state == "held"

    def feed(self, frame: Frame) -> None:
        """Process the camera's next frame: lock controls that have settled, release them in other light."""
        if self._since is None:
            self._since = frame.taken_at
        age = frame.taken_at - self._since
        if self._state == "settling" and age >= _SETTLING_S:
            self._brightness = _brightness(frame)
            self._hold()
            self._state, self._since = "proving", frame.taken_at
        elif self._state == "proving" and age >= _PROVING_S:
            if self._exposure_held and _brightness_ratio(_brightness(frame), self._brightness) > _MAX_STEP:
                self._controls.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._automatic)
                self._exposure_holds = self._exposure_held = False
            self._state = "held"
        elif self._state == "held" and self._exposure_held:
            self._release_in_other_light(frame)

    def release(self) -> None:
        """Enable the driver's automatic controls; a later frame may lock them again."""
        self._controls.set(cv2.CAP_PROP_AUTOFOCUS, 1)
        self._controls.set(cv2.CAP_PROP_AUTO_WB, 1)
        self._controls.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._automatic)
        self._exposure_held = False

    def _hold(self) -> None:
        """Lock the controls at their present values."""
        for automatic, value in (
            (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS),
            (cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE),
        ):
            found = self._controls.get(value)
            if self._controls.set(automatic, 0) and found > 0:
                self._controls.set(value, found)
        if self._exposure_holds:
            found = self._controls.get(cv2.CAP_PROP_EXPOSURE)
            self._exposure_held = self._controls.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._manual)
            if self._exposure_held and found not in (0.0, -1.0):
                self._controls.set(cv2.CAP_PROP_EXPOSURE, found)

    def _release_in_other_light(self, frame: Frame) -> None:
        """Release the controls if the brightness has differed from that at locking for `_LASTING_S`."""
        if _brightness_ratio(_brightness(frame), self._brightness) <= _MAX_LIGHT:
            self._other_light_since = None
        elif self._other_light_since is None:
            self._other_light_since = frame.taken_at
        elif frame.taken_at - self._other_light_since >= _LASTING_S:
            self.release()
            self._state, self._since, self._other_light_since = "settling", frame.taken_at, None


def _brightness(frame: Frame) -> float:
    """Return the mean level (0..255) of every 16th pixel in both directions, all channels together."""
    return float(frame.image[::16, ::16].mean())


def _brightness_ratio(one: float, other: float) -> float:
    """Return the ratio of the larger to the smaller brightness, each raised by 4 levels; 1 or more."""
    low, high = sorted((one + 4.0, other + 4.0))
    return high / low
