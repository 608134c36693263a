"""When is it worth reading? Stillness and hands over frames, at the cost of a few small differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.flicker import amplitude, band_gains, with_bands
from vision.readings import Box

_SMALL = (320, 180)
"""Width and height of the picture that is compared."""

_LOWEST_BANDS = 0.02
"""Bands of a lower amplitude cannot make still pictures differ by `level`."""
_EXPLAINED = 0.5
"""Bands that leave more than this share of a difference are not what makes the pictures differ."""

Small = NDArray[np.uint8]
"""A small smoothed BGR picture, shape (180, 320, 3)."""
WatchState = Literal["watching", "hands", "settling", "still", "shown"]
"""watching: no hands over the table; hands: they move; settling: they have just come to rest; still: they rest
and can be read; shown: what they show has been taken, and nothing is read until they have left."""


@dataclass(frozen=True, slots=True)
class Watchfulness:
    """The thresholds of watching.

    level: grey levels by which a spot of the small picture must change to count; moving: share of the picture
    that must change between two frames to be motion; frames: frames at rest before a picture is still;
    hand: smallest share of the picture that is taken for an arm; gone: frames without one until hands have left.
    """

    level: int = 14
    moving: float = 0.0008
    frames: int = 3
    hand: float = 0.004
    gone: int = 2


@dataclass(frozen=True, slots=True)
class Sight:
    """What the watcher makes of one frame.

    hands: boxes of what seems to reach in, in pixels of the frame. still: the picture is at rest, with or
    without hands. period: number of the latest rest; it grows each time that something has moved in between.
    motion: share of the picture that changed, 0..1.
    """

    state: WatchState
    still: bool
    period: int
    motion: float
    hands: tuple[Box, ...] = ()


class RevealWatcher:
    """Follows hands from coming in to leaving; knows nothing of rules.

    It keeps `background`: the latest picture at rest without hands. Pictures fed are kept, not copied: do not
    draw on them.
    """

    def __init__(self, background: Image | None = None, thresholds: Watchfulness | None = None) -> None:
        self._thresholds = thresholds or Watchfulness()
        self.background: Image | None = background
        self._empty = None if background is None else _shrink(background)
        self._last: Small | None = None
        self._rest: Small | None = None
        self._resting = 0
        self._absent = 0
        self._present = False
        self._shown = False
        self._period = 0

    def feed(self, image: Image, *, trusted: bool = True) -> Sight:
        """Take in the next frame, shape (height, width, 3) BGR uint8, and tell how things stand.

        trusted: the view is as it should be; else the frame never becomes the background.
        """
        wanted = self._thresholds
        small = _shrink(image)
        motion = self._motion(small)
        if motion >= wanted.moving:
            self._resting = 0
            self._rest = None
        else:
            self._resting += 1
            if self._resting == 1:
                self._rest = small
            if self._resting == wanted.frames:
                self._period += 1
        self._last = small
        still = self._resting >= wanted.frames
        hands = self._hands(small, image.shape)
        if hands:
            self._present, self._absent = True, 0
        elif self._present:
            self._absent += 1
            if self._absent >= wanted.gone:
                self._present = self._shown = False
        if not self._present:
            if still and trusted:
                self.background, self._empty = image, small
            return Sight("watching", still, self._period, motion)
        if self._shown:
            return Sight("shown", still, self._period, motion, hands)
        state: WatchState = "still" if still else "settling" if self._resting else "hands"
        return Sight(state, still, self._period, motion, hands)

    def taken(self) -> None:
        """Note that what the hands show has been taken: they must leave before anything new is read."""
        self._shown = self._present

    def no_hands(self, image: Image) -> None:
        """Note that a reader found no hand in this still picture: what seemed one belongs to the table now."""
        self.background, self._empty = image, _shrink(image)
        self._present = self._shown = False

    def moved(self, movement: NDArray[np.float64]) -> None:
        """Note that the camera was moved: the table is seen elsewhere now. movement: 3×3, px to px."""
        if self.background is not None:
            size = (self.background.shape[1], self.background.shape[0])
            there = cv2.warpPerspective(self.background, movement, size, borderMode=cv2.BORDER_REPLICATE)
            self.background = np.asarray(there, np.uint8)
            self._empty = _shrink(self.background)

    def _motion(self, small: Small) -> float:
        """Return the share of the picture that changed since the last frame, or since this rest began if more."""
        if self._last is None:
            return 1.0
        known = [self._last] if self._rest is None or self._rest is self._last else [self._last, self._rest]
        level, least = self._thresholds.level, self._thresholds.moving
        return max(float(np.mean(_changed(small, other, level, least))) for other in known)

    def _hands(self, small: Small, shape: tuple[int, ...]) -> tuple[Box, ...]:
        """Find what differs from the empty table and reaches in over the picture's edge."""
        if self._empty is None:
            return ()
        changed = _changed(small, self._empty, self._thresholds.level * 2, self._thresholds.moving)
        changed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        width, height = _SMALL
        x_scale, y_scale = shape[1] / width, shape[0] / height
        found: list[Box] = []
        for x, y, w, h, area in stats[1:count].tolist():
            at_edge = x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1
            if at_edge and area >= self._thresholds.hand * width * height:
                found.append((x * x_scale, y * y_scale, w * x_scale, h * y_scale))
        return tuple(found)


def _shrink(image: Image) -> Small:
    """Return a small smoothed picture, in which a camera's noise has averaged out."""
    return np.asarray(cv2.blur(cv2.resize(image, _SMALL, interpolation=cv2.INTER_AREA), (3, 3)), dtype=np.uint8)


def _changed(one: Small, other: Small, level: int, least: float) -> NDArray[np.uint8]:
    """Mark with 1 where two small pictures differ by more than the level, changes of light and flicker aside.

    least: share of the picture below which nobody asks whether flicker explains what differs.
    """
    changed = _differing(one, other, level)
    share = float(np.mean(changed))
    if share < least:
        return changed
    gains = max(band_gains(_grey(other), _grey(one)), key=amplitude)
    if amplitude(gains) < _LOWEST_BANDS:
        return changed
    left = _differing(one, with_bands(other, gains), level)
    return left if float(np.mean(left)) < _EXPLAINED * share else changed


def _differing(one: Small, other: Small, level: int) -> NDArray[np.uint8]:
    """Mark with 1 where two small pictures differ by more than the level in a channel, a change of light aside."""
    difference = cv2.subtract(one, other, dtype=cv2.CV_16S)
    light = np.median(difference[::4, ::4], axis=(0, 1))
    same = cv2.inRange(difference, light - level, light + level)
    return np.asarray(same == 0, dtype=np.uint8)


def _grey(small: Small) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
