"""Hold a webcam's focus, exposure and white balance, so that a hand coming in changes only its own pixels."""

from __future__ import annotations

from typing import Literal, Protocol

import cv2

from vision.cameras.frame import Frame

_SETTLING = 2.0
"""Seconds that the automatics get to find their values."""
_PROVING = 1.0
"""Seconds after which a held picture must be as bright as before."""
_STEP = 1.3
"""Factor of brightness from before to after that shows that a driver took some other exposure than its own."""
_LIGHT = 1.8
"""Factor of brightness since it was held that is a lamp switched on or off rather than a hand."""
_LASTING = 3.0
"""Seconds for which another light must last until the exposure is found anew."""


class Controls(Protocol):
    """The controls of a camera, as `cv2.VideoCapture` has them; `set` tells whether the driver took the value."""

    def get(self, number: int, /) -> float:
        """Read one control; 0 or -1 where the driver has none."""
        ...

    def set(self, number: int, value: float, /) -> bool:
        """Write one control."""
        ...


class Steadying:
    """Watches the frames of one camera and holds its automatics once they have settled.

    manual, automatic: the usual numbers of exposure modes; a driver that begins in another one returns to it. An
    exposure that does not come out as it was, as with drivers that do not tell their automatic value, is given
    back to the automatics for good. When the light of the room changes, everything is found anew.
    """

    def __init__(self, controls: Controls, manual: float, automatic: float) -> None:
        self._controls = controls
        self._manual = manual
        # Drivers have more than one automatic mode, and know only their own.
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
        """Whether what the driver can hold is held."""
        return self._state == "held"

    def feed(self, frame: Frame) -> None:
        """Take in the newest frame of the camera."""
        if self._since is None:
            self._since = frame.taken_at
        age = frame.taken_at - self._since
        if self._state == "settling" and age >= _SETTLING:
            self._brightness = _brightness(frame)
            self._hold()
            self._state, self._since = "proving", frame.taken_at
        elif self._state == "proving" and age >= _PROVING:
            if self._exposure_held and _factor(_brightness(frame), self._brightness) > _STEP:
                self._controls.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._automatic)
                self._exposure_holds = self._exposure_held = False
            self._state = "held"
        elif self._state == "held" and self._exposure_held:
            self._watch_the_light(frame)

    def release(self) -> None:
        """Let the driver's automatics work."""
        self._controls.set(cv2.CAP_PROP_AUTOFOCUS, 1)
        self._controls.set(cv2.CAP_PROP_AUTO_WB, 1)
        self._controls.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._automatic)
        self._exposure_held = False

    def _hold(self) -> None:
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

    def _watch_the_light(self, frame: Frame) -> None:
        if _factor(_brightness(frame), self._brightness) <= _LIGHT:
            self._other_light_since = None
        elif self._other_light_since is None:
            self._other_light_since = frame.taken_at
        elif frame.taken_at - self._other_light_since >= _LASTING:
            self.release()
            self._state, self._since, self._other_light_since = "settling", frame.taken_at, None


def _brightness(frame: Frame) -> float:
    """Mean grey level of a coarse grid of the picture, 0..255."""
    return float(frame.image[::16, ::16].mean())


def _factor(one: float, other: float) -> float:
    """How many times brighter the brighter of two is; a little is added so that the dark does not count."""
    low, high = sorted((one + 4.0, other + 4.0))
    return high / low
