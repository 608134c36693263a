"""What is wrong with a stream, whatever its pictures show: it repeats one of them, or lamp flicker runs through."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from vision.cameras.frame import Image
from vision.flicker import amplitude, band_gains
from vision.health.judging import Trouble
from vision.health.still import Small

_SAMPLED_PX = 4
_NOISE_SHARE = 0.1
"""Share of the pixels that differ from one still picture to the next wherever a sensor's noise is seen."""
_NOISY_PICTURES = 8
"""Still pictures in a row that must all differ so until a camera is known to be noisy."""


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """From where on a stream is in trouble.

    frozen: seconds for which one picture is repeated; stale: seconds after which a repeated picture of a noisy
    camera is not read any more; flicker: median height of the bands from one picture to the next, as a share of the
    brightness, over so many `pictures`; fading: share of that below which flicker is over.
    """

    frozen: float = 4.5
    stale: float = 1.0
    flicker: float = 0.03
    pictures: int = 16
    fading: float = 0.7


@dataclass(frozen=True, slots=True)
class Repeated:
    """How many seconds one picture has been repeated bit by bit, and whether the camera's noise rules that out."""

    seconds: float
    noisy: bool


class Repetition:
    """Follows for how long a stream has repeated one picture. Pictures fed are kept, not copied.

    A sensor's noise never repeats, so a noisy camera that repeats a picture is stuck. Videos of still pictures and
    virtual cameras, which may repeat theirs, have never been noisy.
    """

    def __init__(self) -> None:
        self._last: Image | None = None
        self._since = 0.0
        self._differing = 0
        self._noisy = False

    def feed(self, image: Image, at: float, *, still: bool) -> Repeated:
        """Take in a picture taken `at` (seconds). still: nothing moves in it."""
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
        self._differing = self._differing + 1 if still and differing > _NOISE_SHARE else 0
        self._noisy = self._noisy or self._differing >= _NOISY_PICTURES
        return Repeated(0.0, self._noisy)


class StreamHealth:
    """Follows one camera's stream. Used by one thread at a time."""

    def __init__(self, limits: StreamLimits | None = None) -> None:
        self._limits = limits or StreamLimits()
        self._repetition = Repetition()
        self._last: Small | None = None
        self._bands: deque[float] = deque(maxlen=self._limits.pictures)
        self._flickers = False

    def feed(self, image: Image, small: Small, at: float, *, still: bool) -> tuple[Trouble | None, bool]:
        """Take in a picture; return the stream's trouble, and whether this picture may be read."""
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
