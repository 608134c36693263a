"""Which kind a piece is: by the colours of the kinds that were enrolled at this table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import linear
from calibration.samples import PieceSamples
from vision.cameras.frame import Image
from vision.readings import Box
from vision.reveal import colour
from vision.reveal.colour import Colours

REST = ""
"""Stands among kinds for what is no piece: the skin, mostly."""
_SHADES = np.array([0.33, 0.52, 0.8, 1.1, 1.5, 2.1], np.float32)
_SHADE_WEIGHTS = np.array([0.1, 0.2, 0.28, 0.24, 0.12, 0.06], np.float32)
"""How a palm's light differs from the middle of the table's: lamp nearer, turned away, in a piece's shadow."""
_OWN_SHADES = np.array([0.6, 0.8, 1.0, 1.2], np.float32)
_OWN_WEIGHTS = np.array([0.2, 0.25, 0.35, 0.2], np.float32)
"""What lies beside the pieces is seen in their own light; fingertips are a little lighter or darker than palms."""
_NEAR, _FEWEST, _EVERY = 0.36, 30, 6
"""So far round the crop's middle (of its width), so many pixels at least, taken every so many px."""
_MIRRORED, _MIRRORING = (0.03, 0.08, 0.2, 0.4), 0.3
"""How much white (linear light) varnish mirrors, and how often it does."""
_KERNEL = np.array([0.12, 0.055, 0.05], np.float32)
_MEANS = 6
_FLOOR = -7.0
"""A pixel that fits no colour of a kind (an edge, a highlight, a neighbour) counts against it so much, no more."""
_LACKING, _SLACK = 1.0, 0.06
_CORE = 0.62
"""Only the middle of a box is looked at: its corners show what lies beside the piece."""
_INDEPENDENT = 9.0
"""The pixels of a piece say as much as so many that have nothing to do with each other."""
_AT_ONCE = 2048
"""Pixels compared at once: few enough that their table stays in the cache, and no threads are started for it."""


@dataclass(frozen=True, slots=True)
class KindColours:
    """What a kind looks like under all shades: kernels (n, 3) divided by the kernel's width, and log weights.

    Kernels come in groups of one for each shade; shares (m) tell how much of the kind each group's colour covers.
    """

    centres: Colours
    log_weights: NDArray[np.float32]
    shares: NDArray[np.float32]

    @property
    def mean(self) -> NDArray[np.float32]:
        """Mean colour under all shades, (3)."""
        return np.asarray(np.average(self.centres * _KERNEL, axis=0, weights=np.exp(self.log_weights)), np.float32)

    def log_density(self, colours: Colours) -> NDArray[np.float32]:
        """Logarithm of the kind's density; colours (n, 3) gives (n)."""
        nearest = np.empty(len(colours), np.float32)
        for part in (slice(start, start + _AT_ONCE) for start in range(0, len(colours), _AT_ONCE)):
            # The nearest kernel stands for the sum of all: a third of the time, and as good.
            nearest[part] = self.nearness(colours[part]).max(axis=0)
        return nearest + _at_kernel(colours)

    def nearness(self, colours: Colours) -> NDArray[np.float32]:
        """Give how near each kernel is to colours, (n, 3): (kernels, n)."""
        offset = self.log_weights - 0.5 * (self.centres**2).sum(axis=1)
        return np.asarray((self.centres / _KERNEL) @ colours.T + offset[:, None], np.float32)

    def lacking(self, colours: Colours) -> float:
        """Tell how much of what belongs to the kind is not there: 0 where all its colours are seen in their shares.

        A black piece has all the colours of a dark sign but for its light print.
        """
        return float(self.lacking_in(self.nearness(colours), np.zeros(1, np.intp))[0])

    def lacking_in(self, nearness: NDArray[np.float32], starts: NDArray[np.intp]) -> NDArray[np.float64]:
        """Tell how much of the kind is `lacking` in each of some things, by the nearness of all their colours.

        nearness: (kernels, n); starts: where each thing's colours begin, rising, none of them empty.
        """
        # The best kernel of each group first, for telling which of many is best takes long.
        of = nearness.reshape(len(self.shares), -1, nearness.shape[1]).max(axis=1).argmax(axis=0)
        counts = np.add.reduceat((of == np.arange(len(self.shares))[:, None]).astype(np.int64), starts, axis=1)
        seen = counts / counts.sum(axis=0)
        return np.asarray(self.shares @ np.log((self.shares[:, None] + _SLACK) / (seen + _SLACK)), np.float64)


def _at_kernel(colours: Colours) -> NDArray[np.float32]:
    """Give what every kernel's log density has in common at colours, (n, 3) to (n)."""
    return np.asarray(-0.5 * colour.squared(colours, _KERNEL) - np.log(_KERNEL).sum() - 2.757, np.float32)


def learn_kind(samples: PieceSamples) -> KindColours:
    """Sum up a kind's enrolled pixels as a few mean colours, each under all shades."""
    return under_all_shades(colour.of_lab(samples.pixels))


def under_all_shades(light: NDArray[np.float32]) -> KindColours:
    """Sum up linear light (n, 3) that is looked for in other light."""
    return _summed(light, _SHADES, _SHADE_WEIGHTS)


def learn_rest(crop: Image, light: NDArray[np.float64], boxes: Sequence[Box]) -> KindColours | None:
    """Sum up what is in a crop beside these boxes: mostly the hand's own skin. None where hardly anything is."""
    height, width = crop.shape[:2]
    rows, columns = np.ogrid[0:height:_EVERY, 0:width:_EVERY]
    near = (rows - height / 2) ** 2 + (columns - width / 2) ** 2 < (_NEAR * width) ** 2
    chosen = free_of(crop, boxes)[::_EVERY, ::_EVERY] & near
    if np.count_nonzero(chosen) < _FEWEST:
        return None
    return under_own_shades(linear(crop[::_EVERY, ::_EVERY][chosen][None])[0] * light.astype(np.float32))


def under_own_shades(light: NDArray[np.float32]) -> KindColours:
    """Sum up linear light (n, 3) that was seen where it is looked for again."""
    return _summed(light, _OWN_SHADES, _OWN_WEIGHTS, tries=1)


def free_of(crop: Image, boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """Tell which pixels of a crop lie beside these boxes, (height, width)."""
    free = np.ones(crop.shape[:2], bool)
    for x, y, width, height in boxes:
        free[max(0, int(y) - 2) : int(y + height) + 3, max(0, int(x) - 2) : int(x + width) + 3] = False
    return free


def learn_varnished(samples: PieceSamples) -> KindColours:
    """Sum up a kind as `learn_kind` does, also for where the varnish mirrors the lamp: white is added there."""
    return _summed(colour.of_lab(samples.pixels), _SHADES, _SHADE_WEIGHTS, mirrored=_MIRRORED)


def _summed(
    light: NDArray[np.float32],
    shades: NDArray[np.float32],
    weights_of: NDArray[np.float32],
    tries: int = 2,
    mirrored: Sequence[float] = (),
) -> KindColours:
    points = np.ascontiguousarray(colour.of_light(light) / _KERNEL, np.float32)
    count = min(_MEANS, len(points))
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 1e-3)
    cv2.setRNGSeed(0)
    start = np.zeros((len(points), 1), np.int32)
    _, labels, _ = cv2.kmeans(points, count, start, criteria, tries, cv2.KMEANS_PP_CENTERS)
    groups = [light[np.asarray(labels)[:, 0] == k] for k in range(count)]
    groups = [group for group in groups if len(group)]
    means = np.array([group.mean(axis=0) for group in groups], np.float32)
    share = np.array([len(group) for group in groups], np.float32) / len(light)
    variants = means[:, None, :] * shades[None, :, None]
    weights_of = weights_of * (1 - _MIRRORING if mirrored else 1.0)
    for white in mirrored:
        variants = np.concatenate([variants, means[:, None, :] + np.float32(white)], axis=1)
        weights_of = np.append(weights_of, _MIRRORING / len(mirrored)).astype(np.float32)
    centres = colour.of_light(variants).reshape(-1, 3) / _KERNEL
    weights = (share[:, None] * weights_of[None]).reshape(-1)
    return KindColours(centres.astype(np.float32), np.log(weights).astype(np.float32), share.astype(np.float32))


def kind_evidence(
    colours: Colours, boxes: Sequence[Box], models: Mapping[str, KindColours]
) -> tuple[dict[str, float], ...]:
    """Give the log likelihood of each kind for what lies in each of some boxes of colours, (height, width, 3)."""
    cores = [_core(colours, box) for box in boxes]
    told: tuple[dict[str, float], ...] = tuple(dict.fromkeys(models, 0.0) for _ in boxes)
    seen = [(pixels, of) for pixels, of in zip(cores, told, strict=True) if len(pixels)]
    if not seen:
        return told
    # All boxes at once: they are small, and there are many.
    pixels = np.concatenate([pixels for pixels, _ in seen])
    sizes = np.array([len(pixels) for pixels, _ in seen])
    starts = np.cumsum(sizes) - sizes
    common = _at_kernel(pixels)
    for kind, model in models.items():
        nearness = model.nearness(pixels)
        fits = np.add.reduceat(np.maximum(nearness.max(axis=0) + common, _FLOOR), starts) / sizes
        if kind.startswith("sign:"):
            # Only a print is always seen whole or not at all; paint may lie in the light or in the shade.
            fits = fits - _LACKING * model.lacking_in(nearness, starts)
        for (_, of), fit in zip(seen, fits.tolist(), strict=True):
            of[kind] = _INDEPENDENT * fit
    return told


def likeliest_wood(told: Sequence[Mapping[str, float]]) -> str | None:
    """Name the search piece that all things of a hand fit best, by their log likelihoods; None if none is told."""
    kinds = dict.fromkeys(kind for of in told for kind in of if kind.startswith("search:"))
    return max(kinds, key=lambda kind: sum(of.get(kind, 0.0) for of in told), default=None)


def _core(colours: Colours, box: Box) -> Colours:
    """Give what is seen in the middle of a box, (n, 3); none outside the picture."""
    x, y, width, height = box
    middle_x, middle_y = x + width / 2, y + height / 2
    half_x, half_y = max(1.5, width * _CORE / 2), max(1.5, height * _CORE / 2)
    rows = np.arange(max(0, int(middle_y - half_y)), min(colours.shape[0], int(middle_y + half_y) + 2))
    columns = np.arange(max(0, int(middle_x - half_x)), min(colours.shape[1], int(middle_x + half_x) + 2))
    if not len(rows) or not len(columns):
        return np.zeros((0, 3), np.float32)
    patch = colours[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    inside = ((columns[None] - middle_x) / half_x) ** 2 + ((rows[:, None] - middle_y) / half_y) ** 2 <= 1.0
    return np.asarray(patch[inside] if inside.any() else patch.reshape(-1, 3), np.float32)
