"""Colour models of the enrolled kinds of pieces, and the likelihood of each kind for a box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light.light_field import linear
from calibration.pieces.samples import PieceSamples
from vision import colour
from vision.cameras.frame import Image
from vision.colour import Colours
from vision.painted_and_printed_kinds import is_painted, is_printed
from vision.readings import Box

NO_PIECE = ""
"""Key of the class "no piece", mostly skin."""
_SHADES = np.array([0.33, 0.52, 0.8, 1.1, 1.5, 2.1], np.float32)
"""Brightness factors of a palm relative to the centre of the table: near a lamp, tilted away, in a piece's
shadow."""
_SHADE_WEIGHTS = np.array([0.1, 0.2, 0.28, 0.24, 0.12, 0.06], np.float32)
"""Prior weight of each of `_SHADES`."""
_OWN_SHADES = np.array([0.6, 0.8, 1.0, 1.2], np.float32)
"""Brightness factors of the class "no piece", which is sampled from the same picture and so in the same light."""
_OWN_WEIGHTS = np.array([0.2, 0.25, 0.35, 0.2], np.float32)
"""Prior weight of each of `_OWN_SHADES`."""
_NO_PIECE_RADIUS = 0.36
"""Radius around the crop's centre in which "no piece" pixels are sampled, as a share of the crop's width."""
_MIN_NO_PIECE_PIXELS = 30
"""Minimum number of sampled "no piece" pixels."""
_NO_PIECE_STEP_PX = 6
"""Sampling step of "no piece" pixels, px."""
_GLOSS_LEVELS = (0.03, 0.08, 0.2, 0.4)
"""White light that varnish may reflect, linear 0..1."""
_GLOSS_SHARE = 0.3
"""Prior probability that varnish reflects the lamp."""
_KERNEL = np.array([0.12, 0.055, 0.05], np.float32)
"""Standard deviations of a kernel in the three colour channels."""
_LOG_VOLUME = np.log(_KERNEL).sum()
"""Logarithm of the product of these."""
_MAX_MEANS = 6
"""Maximum number of mean colours of a kind."""
_MIN_LOG_DENSITY = -7.0
"""Minimum log density of a pixel: bounds the effect of edges, highlights and neighbours."""
_LACKING_WEIGHT = 1.0
"""Weight of missing print colours in a sign's log likelihood."""
_SHARE_OFFSET = 0.06
"""Offset added to shares of colours before their logarithm."""
_CORE_SHARE = 0.62
"""Share of a box's sides that is evaluated: its corners show what lies beside the piece."""
_EFFECTIVE_PIXELS = 9.0
"""Number of independent pixels that the correlated pixels of a piece amount to."""
_BATCH_PIXELS = 2048
"""Number of pixels compared per batch: small enough for the processor's cache, and to start no threads."""


@dataclass(frozen=True, slots=True)
class KindColours:
    """Colour model of a kind: a mixture of Gaussian kernels under all brightness factors.

    The kernels come in groups, one group per mean colour, one kernel per brightness factor.
    """

    centres: Colours
    """Kernel centres divided by the kernel's standard deviation, (n, 3)."""
    log_weights: NDArray[np.float32]
    """Logarithm of each kernel's weight, (n)."""
    shares: NDArray[np.float32]
    """Share of the kind that each group's colour covers, (groups)."""
    _linear: NDArray[np.float32] = field(init=False, repr=False)
    """Coefficients by which `nearness` is linear in a colour's three channels, and its constant term, (n, 4)."""

    def __post_init__(self) -> None:
        """Compute `_linear` once: it is needed for every box and picture."""
        offset = self.log_weights - 0.5 * (self.centres**2).sum(axis=1)
        object.__setattr__(self, "_linear", np.column_stack([self.centres / _KERNEL, offset]).astype(np.float32))

    @property
    def mean(self) -> NDArray[np.float32]:
        """Mean colour over all kernels, (3)."""
        return np.asarray(np.average(self.centres * _KERNEL, axis=0, weights=np.exp(self.log_weights)), np.float32)

    def log_density(self, colours: Colours) -> NDArray[np.float32]:
        """Return the kind's log density at each of some colours. colours: (n, 3); result: (n,)."""
        nearest = np.empty(len(colours), np.float32)
        for part in (slice(start, start + _BATCH_PIXELS) for start in range(0, len(colours), _BATCH_PIXELS)):
            # The nearest kernel approximates the sum of all: as accurate, in a third of the time.
            nearest[part] = self.nearness(colours[part]).max(axis=0)
        return nearest + _at_kernel(colours)

    def nearness(self, colours: Colours) -> NDArray[np.float32]:
        """Return each kernel's log density at colours (n, 3), less a term common to all kernels: (kernels, n)."""
        # One product and one large array: further arrays of this size take several times as long to allocate.
        channels = np.ones((4, len(colours)), np.float32)
        channels[:3] = colours.T
        return np.asarray(self._linear @ channels, np.float32)

    def lacking(self, colours: Colours) -> float:
        """Return how much of the kind's colours is missing among pixels (n, 3), nats; 0 if none is too rare.

        It separates a black piece from a dark sign: the piece lacks the colour of the sign's light print.
        """
        return float(self.lacking_in(self.nearness(colours), np.zeros(1, np.intp))[0])

    def lacking_in(self, nearness: NDArray[np.float32], starts: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return how much of the kind's colours each of several objects lacks, nats, (objects,); see `lacking`.

        nearness: of the pixels of all objects, one object after the other, (kernels, n). starts: index of each
        object's first pixel, ascending; every object has at least one pixel.
        """
        # Reduce each group to its best kernel first: an argmax over all kernels is slow.
        of = nearness.reshape(len(self.shares), -1, nearness.shape[1]).max(axis=1).argmax(axis=0)
        counts = np.add.reduceat((of == np.arange(len(self.shares))[:, None]).astype(np.int64), starts, axis=1)
        seen = counts / counts.sum(axis=0)
        return np.asarray(
            self.shares @ np.log((self.shares[:, None] + _SHARE_OFFSET) / (seen + _SHARE_OFFSET)), np.float64
        )


def _at_kernel(colours: Colours) -> NDArray[np.float32]:
    """Return the term of the log density that is common to all kernels, (n,), for colours (n, 3)."""
    return np.asarray(-0.5 * colour.squared(colours, _KERNEL) - _LOG_VOLUME - 2.757, np.float32)


def learn_kind(samples: PieceSamples) -> KindColours:
    """Fit the colour model of a kind to the pixels of its specimens, for pictures in any brightness."""
    return model_in_any_light(colour.light_of_lab(samples.pixels))


def model_in_any_light(light: NDArray[np.float32]) -> KindColours:
    """Fit a colour model to linear BGR pixels (n, 3), for pictures of any brightness."""
    return _fit(light, _SHADES, _SHADE_WEIGHTS)


def learn_no_piece(crop: Image, light: NDArray[np.float64], boxes: Sequence[Box]) -> KindColours | None:
    """Fit the colour model of "no piece" (skin) to pixels around the centre of a hand's crop; None if too few.

    crop: BGR. light: gains (b, g, r) to the light of enrolment. boxes: detected pieces, px of the crop; their
    pixels are left out.
    """
    height, width = crop.shape[:2]
    rows, columns = np.ogrid[0:height:_NO_PIECE_STEP_PX, 0:width:_NO_PIECE_STEP_PX]
    near = (rows - height / 2) ** 2 + (columns - width / 2) ** 2 < (_NO_PIECE_RADIUS * width) ** 2
    chosen = outside_boxes(crop, boxes)[::_NO_PIECE_STEP_PX, ::_NO_PIECE_STEP_PX] & near
    if np.count_nonzero(chosen) < _MIN_NO_PIECE_PIXELS:
        return None
    return model_in_same_light(
        linear(crop[::_NO_PIECE_STEP_PX, ::_NO_PIECE_STEP_PX][chosen][None])[0] * light.astype(np.float32)
    )


def model_in_same_light(light: NDArray[np.float32]) -> KindColours:
    """Fit a colour model to linear BGR pixels (n, 3), for the picture that they come from."""
    return _fit(light, _OWN_SHADES, _OWN_WEIGHTS, tries=1)


def outside_boxes(crop: Image, boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """Return a mask (height, width) that is true outside the boxes and a margin of 2 px. crop: gives the size."""
    free = np.ones(crop.shape[:2], bool)
    for x, y, width, height in boxes:
        free[max(0, int(y) - 2) : int(y + height) + 3, max(0, int(x) - 2) : int(x + width) + 3] = False
    return free


def learn_varnished(samples: PieceSamples) -> KindColours:
    """Fit the colour model of a kind, including reflections of a lamp on its varnish."""
    return _fit(colour.light_of_lab(samples.pixels), _SHADES, _SHADE_WEIGHTS, mirrored=_GLOSS_LEVELS)


def _fit(
    light: NDArray[np.float32],
    shades: NDArray[np.float32],
    weights_of: NDArray[np.float32],
    tries: int = 2,
    mirrored: Sequence[float] = (),
) -> KindColours:
    """Fit a colour model to linear BGR pixels (n, 3) by k-means.

    shades, weights_of: brightness factors and their prior weights. tries: number of k-means runs. mirrored: levels
    (linear 0..1) of white light that varnish may reflect.
    """
    points = np.ascontiguousarray(colour.of_light(light) / _KERNEL, np.float32)
    count = min(_MAX_MEANS, len(points))
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 1e-3)
    cv2.setRNGSeed(0)
    start = np.zeros((len(points), 1), np.int32)
    _, labels, _ = cv2.kmeans(points, count, start, criteria, tries, cv2.KMEANS_PP_CENTERS)
    groups = [light[np.asarray(labels)[:, 0] == k] for k in range(count)]
    groups = [group for group in groups if len(group)]
    means = np.array([group.mean(axis=0) for group in groups], np.float32)
    share = np.array([len(group) for group in groups], np.float32) / len(light)
    variants = means[:, None, :] * shades[None, :, None]
    weights_of = weights_of * (1 - _GLOSS_SHARE if mirrored else 1.0)
    for white in mirrored:
        variants = np.concatenate([variants, means[:, None, :] + np.float32(white)], axis=1)
        weights_of = np.append(weights_of, _GLOSS_SHARE / len(mirrored)).astype(np.float32)
    centres = colour.of_light(variants).reshape(-1, 3) / _KERNEL
    weights = (share[:, None] * weights_of[None]).reshape(-1)
    return KindColours(centres.astype(np.float32), np.log(weights).astype(np.float32), share.astype(np.float32))


def kind_likelihoods(
    colours: Colours, boxes: Sequence[Box], models: Mapping[str, KindColours]
) -> tuple[dict[str, float], ...]:
    """Return, for each box, the log likelihood of its colours by kind.

    colours: picture that contains the boxes, (height, width, 3). models: colour model of each kind.
    """
    cores = [_core(colours, box) for box in boxes]
    likelihoods: tuple[dict[str, float], ...] = tuple(dict.fromkeys(models, 0.0) for _ in boxes)
    seen = [(pixels, of) for pixels, of in zip(cores, likelihoods, strict=True) if len(pixels)]
    if not seen:
        return likelihoods
    # The boxes are small and many: evaluate all at once.
    pixels = np.concatenate([pixels for pixels, _ in seen])
    sizes = np.array([len(pixels) for pixels, _ in seen])
    starts = np.cumsum(sizes) - sizes
    common = _at_kernel(pixels)
    for kind, model in models.items():
        nearness = model.nearness(pixels)
        fits = np.add.reduceat(np.maximum(nearness.max(axis=0) + common, _MIN_LOG_DENSITY), starts) / sizes
        if is_printed(kind):
            # A print is either visible as a whole or not at all; paint may lie partly in light and partly in shade.
            fits = fits - _LACKING_WEIGHT * model.lacking_in(nearness, starts)
        for (_, of), fit in zip(seen, fits.tolist(), strict=True):
            of[kind] = _EFFECTIVE_PIXELS * fit
    return likelihoods


def likeliest_painted_kind(likelihoods: Sequence[Mapping[str, float]]) -> str | None:
    """Return the painted kind with the highest summed log likelihood; None without painted kinds.

    likelihoods: for each box, the log likelihood by kind.
    """
    kinds = dict.fromkeys(kind for of in likelihoods for kind in of if is_painted(kind))
    return max(kinds, key=lambda kind: sum(of.get(kind, 0.0) for of in likelihoods), default=None)


def _core(colours: Colours, box: Box) -> Colours:
    """Return the colours in the central ellipse of a box, (n, 3), clipped to the picture."""
    x, y, width, height = box
    middle_x, middle_y = x + width / 2, y + height / 2
    half_x, half_y = max(1.5, width * _CORE_SHARE / 2), max(1.5, height * _CORE_SHARE / 2)
    rows = np.arange(max(0, int(middle_y - half_y)), min(colours.shape[0], int(middle_y + half_y) + 2))
    columns = np.arange(max(0, int(middle_x - half_x)), min(colours.shape[1], int(middle_x + half_x) + 2))
    if not len(rows) or not len(columns):
        return np.zeros((0, 3), np.float32)
    patch = colours[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    inside = ((columns[None] - middle_x) / half_x) ** 2 + ((rows[:, None] - middle_y) / half_y) ** 2 <= 1.0
    return np.asarray(patch[inside] if inside.any() else patch.reshape(-1, 3), np.float32)
