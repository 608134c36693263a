"""Motion state of a camera's view: stillness and hands over frames, from differences of small pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.lamp_flicker import amplitude, band_gains, with_bands
from vision.readings import Box

_SMALL = (320, 180)
"""Width and height of the compared picture, px."""

_MIN_BAND_AMPLITUDE = 0.02
"""Minimum amplitude of flicker bands that can make still pictures differ by `level`."""
_MAX_UNEXPLAINED = 0.5
"""Maximum share of a difference between pictures that flicker bands may leave unexplained."""

Small = NDArray[np.uint8]
"""Small smoothed BGR picture, shape (180, 320, 3)."""
WatchState = Literal["watching", "hands", "settling", "still", "shown"]
"""watching: no hands over the table; hands: they move; settling: they have just come to rest; still: they rest and
can be read; shown: their reading was accepted, and nothing is read until they have left."""


@dataclass(frozen=True, slots=True)
class MotionThresholds:
    """Thresholds of motion and hands."""

    level: int = 14
    """Minimum change of a pixel of the small picture, grey levels."""
    moving: float = 0.0008
    """Minimum share of changed pixels that counts as motion."""
    frames: int = 3
    """Number of frames at rest before a picture is still."""
    hand: float = 0.004
    """Minimum share of the picture that an arm covers."""
    gone: int = 2
    """Number of frames without an arm before hands have left."""


@dataclass(frozen=True, slots=True)
class MotionState:
    """Motion state of one frame."""

    state: WatchState
    """State of the watcher."""
    still: bool
    """Whether the picture is at rest, with or without hands."""
    period: int
    """Index of the latest still interval; it increases with each motion."""
    motion: float
    """Share of changed pixels, 0..1."""
    hands: tuple[Box, ...] = ()
    """Boxes of objects (hands or arms) that reach in over the picture's edge, px of the frame."""


class HandsWatcher:
    """State machine that tracks hands over the table from entering to leaving, frame by frame.

    `background` is the latest picture at rest without hands. Pictures are kept by reference: do not draw on them.
    """

    def __init__(self, background: Image | None = None, thresholds: MotionThresholds | None = None) -> None:
        self._thresholds = thresholds or MotionThresholds()
        self.background: Image | None = background
        self._empty = None if background is None else _shrink(background)
        self._last: Small | None = None
        self._rest: Small | None = None
        self._resting = 0
        self._absent = 0
        self._present = False
        self._shown = False
        self._period = 0

    def feed(self, image: Image, *, trusted: bool = True) -> MotionState:
        """Process the next frame, shape (height, width, 3) BGR uint8, and return its motion state.

        trusted: the view is healthy; otherwise the frame never becomes the background.
        """
        thresholds = self._thresholds
        small = _shrink(image)
        motion = self._motion(small)
        if motion >= thresholds.moving:
            self._resting = 0
            self._rest = None
        else:
            self._resting += 1
            if self._resting == 1:
                self._rest = small
            if self._resting == thresholds.frames:
                self._period += 1
        self._last = small
        still = self._resting >= thresholds.frames
        hands = self._hands(small, image.shape)
        if hands:
            self._present, self._absent = True, 0
        elif self._present:
            self._absent += 1
            if self._absent >= thresholds.gone:
                self._present = self._shown = False
        if not self._present:
            if still and trusted:
                self.background, self._empty = image, small
            return MotionState("watching", still, self._period, motion)
        if self._shown:
            return MotionState("shown", still, self._period, motion, hands)
        state: WatchState = "still" if still else "settling" if self._resting else "hands"
        return MotionState(state, still, self._period, motion, hands)

    def taken(self) -> None:
        """Record that the reading of the present hands was accepted: the state is "shown" until they have left."""
        self._shown = self._present

    def no_hands(self, image: Image) -> None:
        """Record that a reader found no hand in a still picture. image: that picture; it becomes the background."""
        self.background, self._empty = image, _shrink(image)
        self._present = self._shown = False

    def moved(self, movement: NDArray[np.float64]) -> None:
        """Warp the background to the new view of a moved camera. movement: homography from old to new px, 3×3."""
        if self.background is not None:
            size = (self.background.shape[1], self.background.shape[0])
            there = cv2.warpPerspective(self.background, movement, size, borderMode=cv2.BORDER_REPLICATE)
            self.background = np.asarray(there, np.uint8)
            self._empty = _shrink(self.background)

    def _motion(self, small: Small) -> float:
        """Return the share of pixels changed since the last frame, or if larger, since the view came to rest."""
        if self._last is None:
            return 1.0
        known = [self._last] if self._rest is None or self._rest is self._last else [self._last, self._rest]
        level, least = self._thresholds.level, self._thresholds.moving
        return max(float(np.mean(_changed(small, other, level, least))) for other in known)

    def _hands(self, small: Small, shape: tuple[int, ...]) -> tuple[Box, ...]:
        """Return the boxes (px of the frame) of regions unlike the background that touch the picture's edge."""
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
    """Return a small smoothed picture, in which sensor noise is averaged out."""
    return np.asarray(cv2.blur(cv2.resize(image, _SMALL, interpolation=cv2.INTER_AREA), (3, 3)), dtype=np.uint8)


def _changed(one: Small, other: Small, level: int, least: float) -> NDArray[np.uint8]:
    """Return a mask (1 or 0) of the pixels that differ beyond a change of light and lamp flicker.

    level: maximum difference of an unchanged pixel, grey levels. least: share of differing pixels below which
    flicker is not considered.
    """
    changed = _differing(one, other, level)
    share = float(np.mean(changed))
    if share < least:
        return changed
    gains = max(band_gains(_grey(other), _grey(one)), key=amplitude)
    if amplitude(gains) < _MIN_BAND_AMPLITUDE:
        return changed
    left = _differing(one, with_bands(other, gains), level)
    return left if float(np.mean(left)) < _MAX_UNEXPLAINED * share else changed


def _differing(one: Small, other: Small, level: int) -> NDArray[np.uint8]:
    """Return a mask (1 or 0) of pixels whose difference is more than `level` grey levels from the median one."""
    difference = cv2.subtract(one, other, dtype=cv2.CV_16S)
    light = np.median(difference[::4, ::4], axis=(0, 1))
    same = cv2.inRange(difference, light - level, light + level)
    return np.asarray(same == 0, dtype=np.uint8)


def _grey(small: Small) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
