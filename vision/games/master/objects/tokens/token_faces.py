"""Faces of the tokens as polar pictures, in which a rotation is a shift, and their comparison with discs.

A polar picture has the log-opponent colours along concentric circles in equally spaced directions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing.raster import rasterise
from calibration.games.master.art.tokens import TOKEN, token_face
from calibration.pieces.samples import CROP_PX, PieceSamples
from vision import colour
from vision.cameras.frame import Image
from vision.colour import Colours
from vision.games.master.readings import NUMBERS

DISC_PX: Final = 52
"""Diameter of a disc in its sample's crop, px."""
ANGLES: Final = 60
"""Number of directions of a polar picture."""
_RADII: Final = tuple(np.linspace(0.1, 0.84, 11))
"""Circles of a polar picture, as fractions of the disc's radius; the rim itself is left out."""
_CHANNEL_WEIGHTS: Final = (1.0, 1.6, 1.6)
"""Weights of the three log-opponent channels: intensity and both opponent colours."""
_RING_WEIGHT: Final = 0.35
"""Weight of the mean over all directions, such as a printed ring, relative to the deviation from it."""
_BLURS: Final = (0.6, 1.0, 1.6, 2.4, 3.4)
"""Standard deviations of the blurs in which each face is stored, px of a crop: small discs look blurred."""
_BLUR_OF_PIXEL: Final = 0.75
"""Blur of a disc as large as in a crop, px; in inverse proportion to a disc's size in the picture."""

Spectrum = NDArray[np.float32]
Polar = NDArray[np.float32]
"""Polar pictures: (n, circles · 3, directions), which `normalised` weights to mean 0 in each channel and norm 1."""


@dataclass(frozen=True, eq=False)
class TokenFaces:
    """Faces of all tokens of one edition."""

    numbers: tuple[int, ...]
    """Number of each face; several faces have the same number if several samples of it are enrolled."""
    spectra: Mapping[float, tuple[Spectrum, Spectrum]]
    """Real and negated imaginary parts of the Fourier transforms of the polar pictures of all faces, by blur; shape
    of each (directions / 2 + 1, circles · 3, faces)."""

    @classmethod
    def of(cls, crops: Mapping[int, tuple[NDArray[np.uint8], ...]]) -> TokenFaces:
        """Return the faces that crops show.

        crops: by number; each is (56, 56, 4), with a disc of DISC_PX in its middle.
        """
        numbers = tuple(number for number, own in crops.items() for _ in own)
        faces = [np.ascontiguousarray(crop[..., :3]) for own in crops.values() for crop in own]
        side = faces[0].shape[0]
        middle = np.array([[(side - 1) / 2, (side - 1) / 2, DISC_PX / 2]])
        spectra = {}
        for blur in _BLURS:
            soft = [np.asarray(cv2.GaussianBlur(face, (0, 0), blur), np.uint8) for face in faces]
            polar = normalised(np.concatenate([polar_views(colour.of_view(face), middle) for face in soft]))
            real, imaginary = _transformed(polar).transpose(0, 1, 3, 2)
            spectra[blur] = np.ascontiguousarray(real), np.ascontiguousarray(-imaginary)
        return cls(numbers, spectra)

    def compare(self, polar: Polar, radius_px: float) -> NDArray[np.float32]:
        """Return the correlation of each polar picture with each face, best over all rotations, (n, faces), -1..1.

        radius_px: radius of the discs in the camera's picture, by which the faces' blur is chosen.
        """
        wanted = _BLUR_OF_PIXEL * max(1.0, DISC_PX / 2 / radius_px)
        blur = min(self.spectra, key=lambda one: abs(np.log(one / wanted)))
        seen, (real, imaginary) = _transformed(polar), self.spectra[blur]
        of_real = seen[0] @ real - seen[1] @ imaginary
        of_imaginary = seen[0] @ imaginary + seen[1] @ real
        from_real, from_imaginary = _inverse_transform()
        count = len(of_real)
        turns = from_real @ of_real.reshape(count, -1) + from_imaginary @ of_imaginary.reshape(count, -1)
        return np.asarray(turns.max(axis=0).reshape(of_real.shape[1:]), np.float32)


def _transformed(polar: Polar) -> NDArray[np.float32]:
    """Return real and imaginary parts of the Fourier transforms along the directions.

    Shape (2, directions / 2 + 1, n, circles · 3). As a matrix product it takes half the time of `np.fft.rfft`, and
    the parts lie in memory as the products of `TokenFaces.compare` need them.
    """
    count, rows = polar.shape[:2]
    return np.asarray((_transform() @ polar.reshape(-1, ANGLES).T).reshape(2, -1, count, rows), np.float32)


@lru_cache(maxsize=1)
def _transform() -> NDArray[np.float32]:
    """Return the matrix of the Fourier transform of real values: rows of cosines, then of negative sines."""
    phases = 2 * np.pi / ANGLES * np.outer(np.arange(ANGLES // 2 + 1), np.arange(ANGLES))
    return np.concatenate([np.cos(phases), -np.sin(phases)]).astype(np.float32)


@lru_cache(maxsize=1)
def _inverse_transform() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the matrices of the inverse transform, (directions, directions / 2 + 1): for each of both parts."""
    cosines, sines = _transform().reshape(2, -1, ANGLES)
    share = np.full(len(cosines), 2.0 / ANGLES, np.float32)  # all but the first and last stand for two frequencies
    share[[0, -1]] = 1.0 / ANGLES
    return np.ascontiguousarray((cosines * share[:, None]).T), np.ascontiguousarray((sines * share[:, None]).T)


def polar_views(colours: Colours, circles: NDArray[np.float64]) -> Polar:
    """Return polar pictures of discs, (n, 3 channels · circles, directions), not yet normalised.

    colours: log-opponent colours of a picture. circles: (n, 3), x, y and radius, px of that picture.
    """
    angle = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    radius = np.array(_RADII)[:, None]
    x = circles[:, 0, None, None] + circles[:, 2, None, None] * (radius * np.cos(angle))
    y = circles[:, 1, None, None] + circles[:, 2, None, None] * (radius * np.sin(angle))
    count = len(circles)
    flat = (count * len(_RADII), ANGLES)
    views = np.concatenate(
        [
            cv2.remap(
                colours,
                part_x.astype(np.float32),
                part_y.astype(np.float32),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            for part_x, part_y in _parts(x.reshape(flat), y.reshape(flat))
        ]
    ).reshape(count, len(_RADII), ANGLES, 3)
    return views.transpose(0, 3, 1, 2).reshape(count, 3 * len(_RADII), ANGLES)


def _parts(x: NDArray[np.float64], y: NDArray[np.float64]) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return x and y in parts of at most 30,000 rows, since `cv2.remap` cannot address more at once."""
    step = 30_000
    return [(x[start : start + step], y[start : start + step]) for start in range(0, len(x), step)]


@lru_cache(maxsize=1)
def _row_weights() -> NDArray[np.float32]:
    """Return the factor on each row of a polar picture, (3 · circles, 1): root of ring area · channel weight."""
    area = np.array(_RADII) / np.sum(_RADII) / ANGLES
    return np.sqrt(np.outer(_CHANNEL_WEIGHTS, area)).reshape(-1, 1).astype(np.float32)


def normalised(polar: Polar) -> Polar:
    """Return polar pictures weighted by area, with mean 0 in each channel and norm 1, for `TokenFaces.compare`.

    The mean along each circle is reduced: printed rings, which all faces share, would outweigh the rest.
    """
    count = len(polar)
    area = (np.array(_RADII) / np.sum(_RADII) / ANGLES).astype(np.float32)
    channels = polar.reshape(count, 3, len(_RADII), ANGLES)
    means = np.einsum("nckt,k->nc", channels, area)
    channels = channels - means[:, :, None, None]
    # Rings would outweigh the picture, although all faces share them.
    channels = channels - (1 - _RING_WEIGHT) * channels.mean(axis=3, keepdims=True)
    weighted = channels.reshape(polar.shape) * _row_weights()
    norms = np.sqrt(np.einsum("nrt,nrt->n", weighted, weighted))
    return np.asarray(weighted / np.maximum(norms, 1e-6)[:, None, None], np.float32)


def faces_of(pieces: Mapping[str, PieceSamples]) -> TokenFaces:
    """Return the faces of the enrolled tokens, and those of the printable stand-in if any number is not enrolled.

    pieces: samples by kind, such as `token:7`.
    """
    return _faces(tuple(sorted((kind, samples) for kind, samples in pieces.items() if kind.startswith("token:"))))


@lru_cache(maxsize=4)
def _faces(enrolled: tuple[tuple[str, PieceSamples], ...]) -> TokenFaces:
    own = {
        int(kind.partition(":")[2]): tuple(specimen.crop for specimen in samples.specimens)
        for kind, samples in enrolled
    }
    return TokenFaces.of({**({} if set(NUMBERS) <= set(own) else _standin_crops()), **own})


@lru_cache(maxsize=1)
def _standin_crops() -> Mapping[int, tuple[NDArray[np.uint8], ...]]:
    """Return the crop of each token of the printable stand-in, by number."""
    scale = DISC_PX / TOKEN
    margin = (CROP_PX - DISC_PX) // 2
    faces = ((number, rasterise(token_face(number), scale)) for number in NUMBERS)
    return {
        number: (
            np.asarray(cv2.copyMakeBorder(face, margin, margin, margin, margin, cv2.BORDER_CONSTANT), np.uint8),
        )
        for number, face in faces
    }


def disc_crop(image: Image, centre: tuple[float, float], axes: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the crop of a disc, (56, 56, 4): BGR, and a mask that is 255 on the disc.

    centre: (x, y), px. axes: (2, 2), the matrix that maps the unit circle to the disc's outline, px.
    """
    side = CROP_PX
    scale = DISC_PX / 2
    to_picture = np.column_stack([axes / scale, np.array(centre) - axes @ np.full(2, (side - 1) / 2) / scale])
    size = float(np.sqrt(abs(np.linalg.det(axes)))) / scale
    source = image if size <= 1.5 else np.asarray(cv2.GaussianBlur(image, (0, 0), size / 2.5), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(source, to_picture, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    mask = np.where(np.hypot(x, y) <= scale, 255, 0).astype(np.uint8)
    return np.dstack([crop, mask]).astype(np.uint8)
