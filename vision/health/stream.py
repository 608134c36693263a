"""Detect trouble of a camera's stream: a picture that repeats, or lamp flicker."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from vision.cameras.frame import Image
from vision.health.change_from_table_at_rest import Downscaled
from vision.health.trouble_classification import Trouble
from vision.lamp_flicker import amplitude, band_gains

_SAMPLED_PX = 4
"""Sampling step of compared pixels."""
_MIN_NOISE_SHARE = 0.1
"""Minimum share of pixels that differ between two still pictures of a noisy sensor."""
_MIN_NOISY_PICTURES = 8
"""Minimum number of consecutive still pictures with noise for a camera to count as noisy."""


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """Thresholds of a stream's trouble."""

    frozen: float = 4.5
    """Duration for which one picture must repeat for the stream to count as frozen, s."""
    stale: float = 1.0
    """Duration after which the repeated picture of a noisy camera is no longer read, s."""
    flicker: float = 0.03
    """Minimum median amplitude of flicker bands, as a share of the brightness."""
    pictures: int = 16
    """Number of pictures over which that median is taken."""
    fading: float = 0.7
    """Fraction of `flicker` below which the trouble ends (hysteresis)."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """How long a stream has repeated one picture."""

    seconds: float
    """Time since the picture came first, s; 0 for a new one."""
    noisy: bool
    """Whether the camera has sensor noise, so that a repeated picture means that it is stuck."""


class Repetition:
    """Detects pictures that a camera repeats exactly. Pictures are kept by reference.

    A sensor's noise never repeats, so a noisy camera that repeats a picture is stuck. Virtual cameras and videos of
    still pictures have no noise; they may repeat a picture.
    """

    def __init__(self) -> None:
        self._last: Image | None = None
        self._since = 0.0
        self._differing = 0
        self._noisy = False

    def feed(self, image: Image, at: float, *, still: bool) -> Repeated:
        """Process the next picture; return for how long it has been repeated, and whether the camera is noisy.

        at: time of capture, s. still: nothing moves in it.
        """
        last, self._last = self._last, image
        if last is None or last.shape != image.shape:
            self._since = at
            return Repeated(0.0, self._noisy)
        one, other = (each[::_SAMPLED_PX, ::_SAMPLED_PX] for each in (last, image))
        differing = float(np.mean(one != other))
        if differing == 0.0 and np.array_equal(last, image):
            self._differing = 0
            return Repeated(at - self._since, self._noisy)
        self._since = at
        self._differing = self._differing + 1 if still and differing > _MIN_NOISE_SHARE else 0
        self._noisy = self._noisy or self._differing >= _MIN_NOISY_PICTURES
        return Repeated(0.0, self._noisy)


class StreamHealth:
    """Health of one camera's stream. Used by one thread at a time."""

    def __init__(self, limits: StreamLimits | None = None) -> None:
        self._limits = limits or StreamLimits()
        self._repetition = Repetition()
        self._last: Downscaled | None = None
        self._bands: deque[float] = deque(maxlen=self._limits.pictures)
        self._flickers = False

    def feed(self, image: Image, small: Downscaled, at: float, *, still: bool) -> tuple[Trouble | None, bool]:
        """Process the next picture; return the stream's trouble if any, and whether this picture may be read.

        small: the picture downscaled. at: time of capture, s. still: nothing moves in it.
        """
        limits = self._limits
        repeated = self._repetition.feed(image, at, still=still)
        stale = repeated.noisy and repeated.seconds >= limits.stale
        if repeated.seconds >= limits.frozen:
            return "frozen", not stale
        last, self._last = self._last, small
        if last is not None and last.size == small.size and not repeated.seconds:
            gains = band_gains(last.grey, small.grey)
            self._bands.append(max(amplitude(each) for each in gains))
        if len(self._bands) == self._bands.maxlen:
            usual = float(np.median(self._bands))
            self._flickers = usual > limits.flicker * (limits.fading if self._flickers else 1.0)
        return "flicker" if self._flickers else None, not stale
