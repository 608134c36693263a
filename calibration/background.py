"""The empty table: what several pictures of it have in common where nothing lay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import ProfileError
from calibration.plane import Image

Polygon = tuple[tuple[float, float], ...]

MOST_VIEWS = 9
"""Pictures kept for the median; the newest stay."""


@dataclass(frozen=True)
class View:
    """A picture of the table as JPEG, and the outlines (px) of what lay on it then."""

    jpeg: bytes
    covered: tuple[Polygon, ...] = ()

    @classmethod
    def of(cls, image: Image, covered: Sequence[Polygon] = ()) -> View:
        """Keep a BGR picture."""
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        if not done:
            raise ProfileError("The picture cannot be stored: is it a colour picture?")
        return cls(data.tobytes(), tuple(covered))

    def image(self) -> Image:
        """Decode the picture. Raises ProfileError when it is damaged."""
        decoded = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        if decoded is None:
            raise ProfileError("A stored picture of the table is damaged: calibrate the profile again.")
        return np.asarray(decoded, np.uint8)

    def uncovered(self, size: tuple[int, int]) -> NDArray[np.bool_]:
        """Tell where the bare table is seen: (height, width) bool for a (width, height) size."""
        mask = np.ones((size[1], size[0]), np.uint8)
        for outline in self.covered:
            cv2.fillPoly(mask, [np.round(np.array(outline)).astype(np.int32)], 0)
        return mask.astype(bool)


def empty_table(views: Sequence[View], size: tuple[int, int]) -> Image | None:
    """Give the table without anything on it: per pixel the median of the views that see it bare.

    What no view sees bare is filled in from its surroundings. size: (width, height). None without views.
    """
    pictures = [(view.image(), view.uncovered(size)) for view in views]
    pictures = [(image, bare) for image, bare in pictures if image.shape[:2] == (size[1], size[0])]
    if not pictures:
        return None
    images = np.stack([image for image, _ in pictures])
    bare = np.stack([mask for _, mask in pictures])
    result = _median(images)
    partly = ~bare.all(axis=0)
    if partly.any():
        values = images[:, partly].astype(np.float32)
        seen = bare[:, partly]
        values[~seen] = np.inf  # sorted behind everything that was seen
        values.sort(axis=0)
        count = seen.sum(axis=0)
        never = count == 0
        upper, lower = (np.maximum(middle, 0)[None, :, None] for middle in (count // 2, (count - 1) // 2))
        middles = (np.take_along_axis(values, upper, 0) + np.take_along_axis(values, lower, 0))[0] / 2
        result[partly] = np.round(np.where(never[:, None], 0, middles)).astype(np.uint8)
        hidden = np.zeros(bare.shape[1:], np.uint8)
        hidden[partly] = never
        if hidden.any():
            result = np.asarray(cv2.inpaint(result, hidden, 3, cv2.INPAINT_TELEA), np.uint8)
    return result


def _median(images: NDArray[np.uint8]) -> Image:
    """Give the median over the first axis; whole-array minima and maxima are far faster than a sort here."""
    layers = list(images.copy())
    count = len(layers)
    for end in range(count - 1, 0, -1):
        for i in range(end):
            low = np.minimum(layers[i], layers[i + 1])
            layers[i + 1] = np.maximum(layers[i], layers[i + 1])
            layers[i] = low
    upper, lower = layers[count // 2], layers[(count - 1) // 2]
    return np.asarray((lower.astype(np.uint16) + upper) // 2, np.uint8)
