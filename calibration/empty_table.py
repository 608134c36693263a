"""Computes the picture of the empty table: the median of several pictures wherever no object covers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.sheet import PAPER_MM
from calibration.errors import ProfileError
from calibration.plane import Image, TablePlane
from calibration.translatable import say

Polygon = tuple[tuple[float, float], ...]
"""Corners (x, y) of a polygon, px."""

MOST_VIEWS = 9
"""Maximum number of pictures that are kept for the median."""


@dataclass(frozen=True)
class BackgroundView:
    """A picture of the table with few objects on it."""

    jpeg: bytes
    """The picture as a JPEG file."""
    covered: tuple[Polygon, ...] = ()
    """Outlines of the objects on the table, px."""

    @classmethod
    def of(cls, image: Image, covered: Sequence[Polygon] = ()) -> BackgroundView:
        """Return the view of a BGR picture. covered: outlines (px) of the objects on the table."""
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        if not done:
            raise ProfileError(say("The picture cannot be stored: is it a colour picture?"))
        return cls(data.tobytes(), tuple(covered))

    def image(self) -> Image:
        """Return the decoded picture, BGR. Raises ProfileError if it is damaged."""
        decoded = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        if decoded is None:
            raise ProfileError(say("A stored picture of the table is damaged: calibrate the profile again."))
        return np.asarray(decoded, np.uint8)

    def uncovered(self, size: tuple[int, int]) -> NDArray[np.bool_]:
        """Return a mask (height, width) that is True on the uncovered table. size: width and height, px."""
        mask = np.ones((size[1], size[0]), np.uint8)
        for outline in self.covered:
            # OpenCV draws outlines that reach far outside as long as their numbers are small enough to multiply.
            corners = np.clip(np.round(np.array(outline, np.float64).reshape(-1, 2)), -20_000, 20_000)
            if len(corners):
                cv2.fillPoly(mask, [corners.astype(np.int32)], 0)
        return mask.astype(bool)


def empty_table(views: Sequence[BackgroundView], size: tuple[int, int]) -> Image | None:
    """Return the empty table, BGR: the median of each pixel over the views in which it is uncovered.

    Pixels that are covered in all views are inpainted. size: (width, height), px. None if no view has that size.
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


@dataclass(frozen=True, eq=False)
class EmptyTablePicture:
    """The picture of the empty table; it is computed when first used, and cached."""

    views: tuple[BackgroundView, ...]
    """Pictures from which it is computed."""
    size: tuple[int, int]
    """Width and height, px."""

    @classmethod
    def from_png(
        cls, views: tuple[BackgroundView, ...], size: tuple[int, int], data: bytes
    ) -> EmptyTablePicture | None:
        """Return the empty table with a picture stored earlier, so that it need not be computed.

        data: the picture as a PNG file. None if it is damaged or has another size.
        """
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if decoded is None or (decoded.shape[1], decoded.shape[0]) != size:
            return None
        table = cls(views, size)
        table.__dict__.update(image=np.asarray(decoded, np.uint8), png=data)  # fills the cached properties
        return table

    @cached_property
    def image(self) -> Image | None:
        """The picture, BGR; None if no view has the size."""
        return empty_table(self.views, self.size)

    @cached_property
    def png(self) -> bytes | None:
        """The picture as PNG: lossless, and quick to write and read."""
        if self.image is None:
            return None
        return cv2.imencode(".png", self.image)[1].tobytes()  # any stated level makes it slower and larger


def sheet_outline(plane: TablePlane) -> Polygon:
    """Return the outline of the calibration sheet in a picture, px."""
    # A little more than the paper: its rim curls, and its edge throws a shadow.
    half_width, half_height = PAPER_MM[0] / 2 + 15, PAPER_MM[1] / 2 + 15
    corners = [(-half_width, half_height), (half_width, half_height), (half_width, -half_height)]
    outline = plane.to_image([*corners, (-half_width, -half_height)])
    return tuple((float(x), float(y)) for x, y in outline)


def fill_covered_place(
    image: Image,
    plane: TablePlane,
    covered: Polygon,
    views: Sequence[BackgroundView],
    before: Image,
    before_plane: TablePlane,
) -> Image | None:
    """Return a copy of a picture in which a covered place shows the table, as copied from earlier pictures.

    The copied part is adjusted to the light of the new picture. image: BGR, taken with `plane`. covered: outline,
    px, of the object that covers the place. views, before, before_plane: pictures, empty table (BGR) and plane of
    an earlier camera position. None if the earlier pictures do not show the whole place uncovered, or show another
    table.
    """
    height, width = image.shape[:2]
    outline = np.array(covered)
    margin = _RIM_SHARE * float(np.ptp(outline, axis=0).max())
    left, top = np.maximum(np.floor(outline.min(axis=0) - margin), 0).astype(int)
    right, bottom = np.minimum(np.ceil(outline.max(axis=0) + margin), (width, height)).astype(int)
    if right - left < 2 or bottom - top < 2:
        return None
    grid = np.stack(np.meshgrid(np.arange(left, right), np.arange(top, bottom)), axis=-1).astype(np.float64)
    where = before_plane.to_image(plane.to_table(grid))
    spots = np.nan_to_num(where, nan=-1e4).astype(np.float32)
    size = (before.shape[1], before.shape[0])
    bare = np.zeros(before.shape[:2], np.uint8)
    for view in views:
        bare |= view.uncovered(size).astype(np.uint8)
    known = cv2.remap(bare * 255, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR) == 255
    earlier = cv2.remap(before, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    hidden = np.zeros(known.shape, np.uint8)
    cv2.fillPoly(hidden, [np.round(outline - (left, top)).astype(np.int32)], 1)
    under, rim = hidden.astype(bool), ~hidden.astype(bool) & known
    if not known[under].all() or rim.sum() < 100:
        return None
    now = image[top:bottom, left:right].astype(np.float32)
    gain = np.clip((np.median(now[rim], axis=0) + 1) / (np.median(earlier[rim], axis=0) + 1), 0.25, 4.0)
    matched = np.clip(earlier * gain, 0, 255)
    if float(np.median(np.abs(matched[rim] - now[rim]).max(axis=1))) > _MAX_RIM_DIFFERENCE:
        return None
    result = image.copy()
    result[top:bottom, left:right][under] = np.round(matched[under]).astype(np.uint8)
    return result


_RIM_SHARE = 0.2
"""Width of the strip of table that is compared round a covered place, as a fraction of that place's size."""
_MAX_RIM_DIFFERENCE = 24.0
"""Median grey-level difference (0..255) round a covered place above which two pictures show different tables."""


def _median(images: NDArray[np.uint8]) -> Image:
    """Return the median over the first axis of pictures (n, height, width, 3).

    Few pictures are sorted by minima and maxima of whole arrays, which is far faster than `np.median`.
    """
    layers = list(images.copy())
    count = len(layers)
    for end in range(count - 1, 0, -1):
        for i in range(end):
            low = np.minimum(layers[i], layers[i + 1])
            layers[i + 1] = np.maximum(layers[i], layers[i + 1])
            layers[i] = low
    upper, lower = layers[count // 2], layers[(count - 1) // 2]
    return np.asarray((lower.astype(np.uint16) + upper) // 2, np.uint8)
