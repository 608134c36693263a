"""Samples of a kind of piece: specimens in light-normalised colours and millimetres."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import ProfileError
from calibration.files.zip_limits import DAMAGE_ERRORS
from calibration.translatable import say

MOST_SPECIMENS = 24
"""Specimens kept of one kind; the newest stay."""
_LYING_FLAT_QUANTILE = 0.75
"""Quantile of the specimens' areas that counts as the area of a piece lying flat: some may stand on edge."""
CROP_PX_PER_MM = 2.0
"""Scale of a specimen's crop."""
CROP_PX = 56
"""Side of a specimen's crop, px: 28 mm of table at 2 px/mm."""


@dataclass(frozen=True, eq=False)
class Specimen:
    """One enrolled piece."""

    pixels: NDArray[np.float32]
    """(n, 3) float32 CIELAB under the profile's reference light, without the blended pixels at its edge."""
    size_mm: tuple[float, float]
    """Longer and shorter side of the smallest rectangle round it, mm."""
    area_mm2: float
    """Area as seen from the camera, projected onto the table plane, mm²."""
    crop: NDArray[np.uint8]
    """(56, 56, 4) uint8 BGR and mask (255 on the piece), top view at 2 px/mm, uncorrected colours."""
    source: str = ""
    """Short digest of the picture that it was segmented in."""

    @cached_property
    def mean(self) -> NDArray[np.float32]:
        """Mean CIELAB, (3,)."""
        return np.asarray(self.pixels.mean(axis=0), np.float32)

    @cached_property
    def spread(self) -> NDArray[np.float32]:
        """Standard deviation of the CIELAB pixels, (3,)."""
        return np.asarray(self.pixels.std(axis=0), np.float32)


@dataclass(frozen=True, eq=False)
class PieceSamples:
    """All specimens of one kind."""

    specimens: tuple[Specimen, ...]
    """Oldest first."""

    @cached_property
    def pixels(self) -> NDArray[np.float32]:
        """All pixels of all specimens, (n, 3) CIELAB."""
        return np.concatenate([specimen.pixels for specimen in self.specimens])

    @cached_property
    def mean(self) -> NDArray[np.float32]:
        """Mean CIELAB over all pixels, (3,)."""
        return np.asarray(self.pixels.mean(axis=0), np.float32)

    @cached_property
    def covariance(self) -> NDArray[np.float64]:
        """Covariance of the CIELAB pixels, (3, 3)."""
        return np.asarray(np.cov(self.pixels.T.astype(np.float64)), np.float64).reshape(3, 3)

    @property
    def area_mm2(self) -> float:
        """Median area of a specimen."""
        return float(np.median([specimen.area_mm2 for specimen in self.specimens]))

    @property
    def size_mm(self) -> tuple[float, float]:
        """Median longer and shorter side of a specimen."""
        longer, shorter = np.median([specimen.size_mm for specimen in self.specimens], axis=0)
        return float(longer), float(shorter)

    @property
    def flat_area_mm2(self) -> float:
        """Area of the smallest rectangle round a typical specimen that lies flat, mm².

        Specimens that stand on edge look smaller and do not count.
        """
        return float(np.quantile([np.prod(specimen.size_mm) for specimen in self.specimens], _LYING_FLAT_QUANTILE))

    def with_more(self, more: Sequence[Specimen]) -> PieceSamples:
        """Return the newest MOST_SPECIMENS of these and `more`, which replace those from the same picture."""
        shown_again = {specimen.source for specimen in more}
        kept = [specimen for specimen in self.specimens if specimen.source not in shown_again]
        return PieceSamples((*kept, *more)[-MOST_SPECIMENS:])

    def to_bytes(self) -> bytes:
        """Return the samples in NumPy's .npz format."""
        return self._npz

    @cached_property
    def _npz(self) -> bytes:
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer,
            pixels=self.pixels.astype(np.float32),
            lengths=np.array([len(specimen.pixels) for specimen in self.specimens], np.int32),
            sizes=np.array([specimen.size_mm for specimen in self.specimens], np.float32),
            areas=np.array([specimen.area_mm2 for specimen in self.specimens], np.float32),
            crops=np.stack([specimen.crop for specimen in self.specimens]),
            sources=np.array([specimen.source for specimen in self.specimens], "U32"),
        )
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> PieceSamples:
        """Read the bytes that `to_bytes` returned. Raises ProfileError for any others."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as parts:
                pixels = np.asarray(parts["pixels"], np.float32)
                lengths = [int(length) for length in parts["lengths"]]
                sizes, areas = np.asarray(parts["sizes"], np.float64), np.asarray(parts["areas"], np.float64)
                crops = parts["crops"]
                number, shapes = len(lengths), (pixels.shape, sizes.shape, areas.shape, crops.shape)
                if shapes != ((sum(lengths), 3), (number, 2), (number,), (number, CROP_PX, CROP_PX, 4)):
                    raise ValueError("the arrays do not agree")
                if not lengths or min(lengths) < 1 or min(sizes.min(), areas.min()) <= 0 or crops.dtype != np.uint8:
                    raise ValueError("a specimen has no pixels, size or picture")
                if not all(np.isfinite(values).all() for values in (pixels, sizes, areas)):
                    raise ValueError("a value is not finite")
                columns = zip(
                    np.split(pixels, np.cumsum(lengths)[:-1]), sizes, areas, crops, parts["sources"], strict=True
                )
                return cls(
                    tuple(
                        Specimen(own, (float(size[0]), float(size[1])), float(area), crop, str(source))
                        for own, size, area, crop, source in columns
                    )
                )
        except (*DAMAGE_ERRORS, OSError) as error:
            raise ProfileError(say("The stored samples of a kind are damaged: enrol it again.")) from error


_PREVIEW_ZOOM = 4
"""Enlargement of crops in a preview."""
_PREVIEW_COLUMNS = 6
"""Crops beside each other in a preview."""
_OUTLINE_BGR = (92, 164, 201)
"""Colour of outlines in a preview, BGR."""


def contact_sheet(samples: PieceSamples) -> NDArray[np.uint8]:
    """Return a BGR picture of all specimens of a kind, enlarged four times, with their segmented outlines."""
    side = CROP_PX * _PREVIEW_ZOOM
    tiles = []
    for specimen in samples.specimens:
        size = (side, side)
        tile = cv2.resize(specimen.crop[..., :3], size, interpolation=cv2.INTER_CUBIC)
        mask = cv2.resize(specimen.crop[..., 3], size, interpolation=cv2.INTER_LINEAR) > 127
        outlines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        tiles.append(cv2.drawContours(tile, outlines, -1, _OUTLINE_BGR, 1))
    columns = min(_PREVIEW_COLUMNS, len(tiles))
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    rows = [np.hstack(tiles[start : start + columns]) for start in range(0, len(tiles), columns)]
    return np.asarray(np.vstack(rows), np.uint8)
