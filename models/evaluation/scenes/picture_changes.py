"""Changes of whole pictures (BGR), as other cameras and other light make them; each returns a copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light.light_field import linear, srgb_levels
from vision.cameras.frame import Image

Change = Callable[[Image, np.random.Generator], Image]
"""Function that returns a changed copy of a picture (BGR)."""


def _as_picture(values: np.ndarray) -> Image:
    return np.asarray(np.clip(values, 0, 255), np.uint8)


def relit(image: Image, gains: Sequence[float]) -> Image:
    """Return a copy of a BGR picture with its linear light multiplied by a gain per channel."""
    light = np.minimum(linear(image) * np.array(gains, np.float32), 1.0)
    return _as_picture(srgb_levels(np.asarray(light, np.float32)))


def lit(*gains: float) -> Change:
    """Return a function that changes exposure and white balance. gains: factors of linear blue, green, red."""
    return lambda image, _: relit(image, gains)


def curved(power: float) -> Change:
    """Return a function that changes the tone curve. power: exponent of values in 0..1; above 1 darkens."""
    return lambda image, _: _as_picture(255 * (image / 255) ** power)


def contrasted(factor: float) -> Change:
    """Return a function that multiplies the contrast of a picture by a factor."""
    return lambda image, _: _as_picture((image.astype(np.float64) - 128) * factor + 128)


def grained(spread: float) -> Change:
    """Return a function that adds noise to a picture. spread: standard deviation, grey levels."""
    return lambda image, rng: _as_picture(image + rng.normal(0, spread, image.shape))


def blurred(spread: float) -> Change:
    """Return a function that blurs a picture. spread: standard deviation, px."""
    return lambda image, _: np.asarray(cv2.GaussianBlur(image, (0, 0), spread), np.uint8)


def sized(width: int) -> Change:
    """Return a function that scales pictures to a width, px, keeping the aspect ratio."""

    def change(image: Image, _: np.random.Generator) -> Image:
        size = (width, round(image.shape[0] * width / image.shape[1]))
        way = cv2.INTER_AREA if width < image.shape[1] else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(image, size, interpolation=way), np.uint8)

    return change


def recompressed(quality: int) -> Change:
    """Return a function that compresses a picture. quality: of JPEG, 0..100."""

    def change(image: Image, _: np.random.Generator) -> Image:
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    return change


def shaken(length: int) -> Change:
    """Return a function that blurs a picture along a line in a random direction. length: of the line, px, odd."""

    def change(image: Image, rng: np.random.Generator) -> Image:
        line = np.zeros((length, length), np.float32)
        line[length // 2] = 1
        middle = (length // 2, length // 2)
        turned = cv2.warpAffine(line, cv2.getRotationMatrix2D(middle, float(rng.uniform(0, 180)), 1), line.shape)
        return np.asarray(cv2.filter2D(image, -1, turned / turned.sum()), np.uint8)

    return change


def distorted(radial: float) -> Change:
    """Return a function that bends straight lines like a wide lens.

    radial: coefficient k1 of OpenCV's camera model, of lengths relative to the picture's width, with which the
    picture is undistorted: its corners move by about a third of that part of their distance from the middle.
    """

    def change(image: Image, _: np.random.Generator) -> Image:
        height, width = image.shape[:2]
        camera = np.array([[width, 0, width / 2], [0, width, height / 2], [0, 0, 1]])
        return np.asarray(cv2.undistort(image, camera, np.array([radial, 0.0, 0.0, 0.0])), np.uint8)

    return change


def vignetted(loss: float) -> Change:
    """Return a function that darkens a picture towards its corners. loss: part of the values lost in a corner."""

    def change(image: Image, _: np.random.Generator) -> Image:
        rows, columns = (np.linspace(-1, 1, size) for size in image.shape[:2])
        return _as_picture(image * (1 - loss * (rows[:, None] ** 2 + columns**2) / 2)[..., None])

    return change


def surrounded(scale: float) -> Change:
    """Return a function that shrinks a picture within its old size, as from farther away; the rim is mirrored."""

    def change(image: Image, _: np.random.Generator) -> Image:
        height, width = image.shape[:2]
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        above, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
        below, right = height - small.shape[0] - above, width - small.shape[1] - left
        return np.asarray(cv2.copyMakeBorder(small, above, below, left, right, cv2.BORDER_REFLECT_101), np.uint8)

    return change


def saturated(factor: float) -> Change:
    """Return a function that multiplies the distance of colours from grey by a factor."""

    def change(image: Image, _: np.random.Generator) -> Image:
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float64)[..., None]
        return _as_picture(grey + factor * (image - grey))

    return change


def sharpened(image: Image, _: np.random.Generator) -> Image:
    """Return a copy with emphasised edges, as many webcams and phones make them."""
    return np.asarray(cv2.addWeighted(image, 2.2, cv2.GaussianBlur(image, (0, 0), 1.5), -1.2, 0), np.uint8)


def equalised(image: Image, _: np.random.Generator) -> Image:
    """Return a copy with local contrast evened out, as phones make them."""
    lab = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), np.uint8)
    lab[..., 0] = cv2.createCLAHE(3, (8, 8)).apply(lab[..., 0])
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8)


def half_shaded(loss: float) -> Change:
    """Return a function that darkens one half of a picture, along a random line through its middle.

    loss: part of the values lost in the shade.
    """

    def change(image: Image, rng: np.random.Generator) -> Image:
        height, width = image.shape[:2]
        about = rng.uniform(0, 2 * np.pi)
        across = (np.arange(width) - width / 2) * np.cos(about)
        along = (np.arange(height) - height / 2) * np.sin(about)
        distance: NDArray[np.float64] = along[:, None] + across
        return _as_picture(image * (1 - loss / (1 + np.exp(-distance / 6)))[..., None])

    return change


def upright(image: Image, _: np.random.Generator) -> Image:
    """Return a landscape picture as one in portrait, turned clockwise by a quarter turn."""
    return np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), np.uint8)
