"""Count all pieces on the table by kind: the box check before a game, and each player's own pieces.

One picture is enough. Uncertain pieces are counted too, and listed with the reason why they need confirmation.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import ProfileError
from calibration.light.grey_picture_check import refuse_grey, saturation
from calibration.light.light_field import LightField, table_light
from calibration.pieces.foreground import foreground
from calibration.pieces.plain_ground import has_plain_ground, middle_scale
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from calibration.translatable import say
from vision.bounding_boxes import scaled
from vision.counting.count_by_size import MAX_TOUCHING, area_px, measure_kind, relative_size
from vision.counting.detector_agreement import Agreement, combine, detect_small_objects
from vision.counting.open_set import PatchMeasures, membership, model_kind, shape_of
from vision.counting.piece_patches import Patch, find_patches, px_per_mm_of, without_rim
from vision.counting.pixel_classification import MIN_LOG_DENSITY, Changes, KindMap, Layer, light_on, map_kinds
from vision.detector.network import Network
from vision.kind_colours import learn_varnished
from vision.readings import Box, CountReading, DoubtfulThing, KindGuess, PieceReading, UnknownThing

DOUBTFUL_BELOW = 0.85
"""Confidence in kind or number below which a patch of pieces needs confirmation."""
_MAX_PX_PER_MM = 2.0
"""Maximum scale of the examined picture; larger ones are downscaled."""
_MIN_PIECE_PX = 8.0
"""Minimum width of a piece that can be counted."""
UNKNOWN_BELOW = 0.05
"""Membership probability below which a patch is of no enrolled kind."""
KNOWN_ABOVE = 0.7
"""Membership probability above which a patch is of its kind; between the two it needs confirmation."""
_HIDDEN_CONFIDENCE = 0.8
"""Confidence in the kind of an object with little contrast to the table: conservative (47 of 48 rendered ones)."""
_MAX_REACH_MM = 1000.0
"""Maximum distance from the table's origin at which the plane is used."""
_MAX_CHANGED_SHARE = 0.4
"""Maximum share of changed pixels; above it, the camera is assumed to have moved."""
_MIN_RIVAL_PROBABILITY = 0.1
"""Minimum probability of another kind for a patch to be compared with it."""
_NOT_KNOWN = "not known: it fits none of the enrolled kinds"


@dataclass(frozen=True, slots=True)
class PlainTable:
    """Pieces and other objects detected on a plain table."""

    agreed: Agreement
    """Combined result of colour patches and detected objects."""
    measures: tuple[Mapping[str, PatchMeasures], ...]
    """Measures of each counted patch, by possible kind."""
    px_factor: float
    """Scale of the examined picture relative to the given one."""


class PieceCounter:
    """Counter of the pieces in pictures of one calibrated table."""

    def __init__(self, profile: TableProfile) -> None:
        """Build the models of the profile's kinds.

        Raises ProfileError for a profile without plane or without pieces, and for one whose pieces were enrolled on
        a patterned ground, but which has no picture of that ground without pieces.
        """
        if profile.plane is None:
            raise ProfileError(say("This table is not calibrated yet: run `companion calibrate` first."))
        if not profile.pieces:
            raise ProfileError(say("No pieces are enrolled yet: run `companion enrol pieces` first."))
        if not profile.views and profile.on_pattern & profile.pieces.keys():
            raise ProfileError(
                say(
                    "The pieces were enrolled on a printed board or a patterned cloth, where they cannot be "
                    "counted: enrol them on a plain table with `companion enrol pieces --replace`, or count them "
                    "yourselves."
                )
            )
        self._plane = profile.plane
        self._background = profile.background
        self._saturation = None if profile.background is None else saturation(profile.background)
        self._uncovered_table = _uncovered_table(profile)
        empty = profile.background
        self._plain = empty is None or has_plain_ground(empty, middle_scale(profile.plane))
        self._reference = profile.table_light
        self._network: Network | None = None
        self._models = {kind: learn_varnished(samples) for kind, samples in profile.pieces.items()}
        self._measures = {
            kind: measure_kind(samples, self._models[kind], printed=profile.kit.is_printed(kind))
            for kind, samples in profile.pieces.items()
        }
        ground = profile.table_light or (0.5, 0.5, 0.5)
        self.kinds = {
            kind: model_kind(samples, ground, printed=profile.kit.is_printed(kind))
            for kind, samples in profile.pieces.items()
        }

    def count(self, image: Image) -> CountReading:
        """Count the pieces in a BGR picture of the calibrated size; of any size for a flat profile.

        Raises ProfileError when the picture has another size than the calibrated one or shows pieces too small, and
        PictureError when it is grey.
        """
        start = time.perf_counter()
        found = self.find(image)
        fits = [
            {kind: membership(own, self.kinds[kind]) for kind, own in measures.items()}
            for measures in found.measures
        ]
        return _reading(found.agreed, fits, found.px_factor, 1000 * (time.perf_counter() - start))

    def find(self, image: Image) -> PlainTable:
        """Return the objects on a plain table in a BGR picture. Raises as `count` does."""
        plane, middle = self._scale_of(image)
        shrink = min(1.0, _MAX_PX_PER_MM / middle)
        empty = self._background
        empty = empty if empty is not None and empty.shape == image.shape else None
        light = light_on(image, empty, self._reference or table_light(image))
        small, below = _resized(image, shrink), None if empty is None else _resized(empty, shrink)
        height, width = small.shape[:2]
        light = LightField(np.asarray(cv2.resize(light.gain, (width, height)), np.float32), light.balance)
        changes = None if below is None or self._plain else self._changes(small, below)
        seen = map_kinds(small, light, below, self._models, middle * shrink, changes)
        scale = _scale_map(plane, (width, height), shrink)
        seen.posterior[:, scale <= 0] = 0.0
        patches = find_patches(seen, self._measures, scale)
        self._network = self._network or Network()
        things = [
            thing
            for thing in detect_small_objects(small, self._network, middle * shrink)
            if changes is None or changes.may_hold(*thing.middle)
        ]
        agreed = combine(patches, things, seen.colours, self._models, self._measures)
        measured = tuple(self._measured(patch, seen, scale) for patch in agreed.counted)
        return PlainTable(agreed, measured, shrink)

    def _measured(self, patch: Patch, seen: KindMap, scale: Layer) -> dict[str, PatchMeasures]:
        """Return a patch's measures by kind, for each kind that it may show. scale: px/mm at each pixel."""
        rows, columns = patch.mask.shape
        window = seen.colours[patch.top : patch.top + rows, patch.left : patch.left + columns]
        pixels = window[without_rim(patch.mask) > 0]
        local = px_per_mm_of(patch, scale)
        chances = dict(patch.kinds)
        measured = {}
        for kind in (patch.kind, *(kind for kind, chance in patch.kinds if chance >= _MIN_RIVAL_PROBABILITY)):
            own = self._measures[kind]
            seen_as = relative_size(patch.mask, own, local)
            density = float(np.maximum(self._models[kind].log_density(pixels), MIN_LOG_DENSITY).mean())
            measured[kind] = PatchMeasures(
                pixels,
                area_px(patch.mask) / local**2,
                seen_as.longer * own.longer,
                patch.count,
                patch.unlike if kind == patch.kind else own.typical - density,
                -seen_as.gaps,
                shape_of(patch.mask),
                max((chance for other, chance in chances.items() if other != kind), default=0.0),
            )
        return measured

    def _changes(self, image: Image, empty: Image) -> Changes | None:
        """Return where a picture differs from that of the empty table.

        None where so much changed that the camera must have moved.
        """
        size = (image.shape[1], image.shape[0])
        known = cv2.resize(self._uncovered_table.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
        new = foreground(image, empty, np.asarray(known, np.bool_))
        return Changes(new, np.asarray(known, np.bool_)) if new.mean() < _MAX_CHANGED_SHARE else None

    def _scale_of(self, image: Image) -> tuple[TablePlane, float]:
        """Return the picture's plane and the scale at its centre, px/mm.

        Raises ProfileError for a picture of another size or with too small pieces, PictureError for a grey one.
        """
        plane = self._plane.fitting(image)
        refuse_grey(image, self._saturation)
        middle = float(np.nan_to_num(plane.px_per_mm_at(plane.to_table(_centre(image)))))
        self._refuse_small_pieces(middle)
        return plane, middle

    def _refuse_small_pieces(self, px_per_mm: float) -> None:
        """Raise ProfileError where pieces are too small to be counted at this scale."""
        side = float(np.sqrt(min(own.area for own in self._measures.values())))
        if px_per_mm * side < _MIN_PIECE_PX:
            raise ProfileError(
                say(
                    "Pieces are only {px_per_mm} pixels wide in this picture, too few to count: use a higher "
                    "camera resolution or hang the camera lower.",
                    px_per_mm=f"{px_per_mm * side:.0f}",
                )
            )


def _uncovered_table(profile: TableProfile) -> NDArray[np.bool_]:
    """Return a mask of the pixels at which any picture of the profile shows the bare table, (height, width)."""
    width, height = (0, 0) if profile.plane is None else profile.plane.image_size
    known = np.zeros((height, width), np.bool_)
    for view in profile.views:
        known |= view.uncovered((width, height))
    return known


def _centre(image: Image) -> tuple[float, float]:
    """Return the centre (x, y) of a picture, px."""
    return (image.shape[1] - 1) / 2, (image.shape[0] - 1) / 2


def _resized(image: Image, shrink: float) -> Image:
    """Return a picture downscaled by this factor, at most 1."""
    if shrink == 1.0:
        return image
    return np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)


def _scale_map(plane: TablePlane, size: tuple[int, int], shrink: float) -> Layer:
    """Return the scale (px/mm) at each pixel of a downscaled picture, (height, width); 0 where no table can be.

    size: width and height of that picture. shrink: its scale relative to the original picture.
    """
    width, height = size
    u, v = np.linspace(0, width - 1, 33), np.linspace(0, height - 1, 33)
    spots = plane.to_table(np.stack(np.meshgrid(u, v), axis=-1) / shrink)
    local = plane.px_per_mm_at(spots) * shrink
    local = np.where(np.isfinite(local) & (np.abs(spots).max(axis=-1) < _MAX_REACH_MM), local, 0.0)
    nearest = cv2.resize((local > 0).astype(np.float32), size, interpolation=cv2.INTER_LINEAR) > 0.99
    return np.asarray(np.where(nearest, cv2.resize(local, size, interpolation=cv2.INTER_LINEAR), 0.0), np.float32)


def _reading(
    agreed: Agreement, fits: Sequence[Mapping[str, float]], shrink: float, milliseconds: float
) -> CountReading:
    """Return the pieces counted by kind, with those that need confirmation.

    fits: membership probability of each counted patch, by possible kind. shrink: scale of the examined picture
    relative to the given one. milliseconds: processing time.
    """
    counts: Counter[str] = Counter()
    pieces: list[PieceReading] = []
    doubtful: list[DoubtfulThing] = []
    unknown: list[UnknownThing] = []
    for place, (patch, likely) in enumerate(zip(agreed.counted, fits, strict=True)):
        fit = likely[patch.kind]
        number = patch.chances[patch.count - 1]
        kind = patch.kinds[0][1] * fit
        whole = _box_of(patch, shrink)
        if patch.on_thing:
            reason = f"not counted: it lies on something, or is printed on it; is it {patch.kind}?"
            doubtful.append(DoubtfulThing(whole, reason, (KindGuess(patch.kind, kind * number),)))
            continue
        if max(likely.values()) < UNKNOWN_BELOW:
            unknown.append(UnknownThing(whole, 1.0 - max(likely.values())))
            continue
        counts[patch.kind] += patch.count
        boxes = [scaled(box, 1 / shrink) for box in patch.boxes()]
        pieces += [PieceReading(patch.kind, box, number * kind) for box in boxes]
        reason = _confirmation_reason(
            patch, fit, number, disputed=place in agreed.disputed, odd=place in agreed.odd
        )
        if reason:
            others = tuple(KindGuess(name, chance) for name, chance in patch.kinds[1:] if chance > 0.02)
            doubtful.append(DoubtfulThing(whole, reason, others))
    for patch in agreed.dropped:
        reason = f"not counted: it has the colour of {patch.kind}, but does not look like a piece; is it one?"
        doubtful.append(DoubtfulThing(_box_of(patch, shrink), reason, (KindGuess(patch.kind, 0.5),)))
    for thing, kind_seen in agreed.hidden:
        box = scaled(thing.box, 1 / shrink)
        counts[kind_seen] += 1
        pieces.append(PieceReading(kind_seen, box, _HIDDEN_CONFIDENCE))
        doubtful.append(DoubtfulThing(box, f"low contrast with the table: is it {kind_seen}?"))
    for thing, kind_seen in agreed.shadows:
        reason = f"not counted: it may be the shadow of what lies beside it; is it {kind_seen}?"
        doubtful.append(DoubtfulThing(scaled(thing.box, 1 / shrink), reason, (KindGuess(kind_seen, 0.5),)))
    unknown += [UnknownThing(scaled(thing.box, 1 / shrink), thing.score) for thing in agreed.strange]
    doubtful += [DoubtfulThing(one.box, _NOT_KNOWN) for one in unknown]
    return CountReading(dict(sorted(counts.items())), tuple(pieces), tuple(doubtful), milliseconds, tuple(unknown))


def _box_of(patch: Patch, shrink: float) -> Box:
    """Return a patch's bounding box in px of the original picture.

    shrink: scale of the downscaled picture, relative to the original one.
    """
    rows, columns = patch.mask.shape
    return scaled((float(patch.left), float(patch.top), float(columns), float(rows)), 1 / shrink)


def _confirmation_reason(patch: Patch, fit: float, number: float, *, disputed: bool, odd: bool) -> str:
    """Return the reason, in words for users, why a patch needs confirmation; "" if it needs none.

    fit: probability that it shows its kind. number: confidence in its number of pieces. disputed: whether it may be
    one piece more. odd: whether its kind is uncertain.
    """
    if patch.count >= MAX_TOUCHING:
        return "pieces in a pile cannot be counted: spread them out"
    uncertain = patch.kinds[0][1] < DOUBTFUL_BELOW or odd
    if uncertain and len(patch.kinds) > 1:
        return f"{patch.kinds[0][0]} or {patch.kinds[1][0]}"
    if uncertain or fit < KNOWN_ABOVE:
        return f"it looks a little like {patch.kind}, but not like the enrolled ones: is it of that kind?"
    if number < DOUBTFUL_BELOW:
        chances = list(patch.chances)
        chances[patch.count - 1] = 0.0
        return f"{patch.count} or {int(np.argmax(chances)) + 1} pieces that touch: lay them apart"
    if disputed:
        return f"{patch.count} or {patch.count + 1} pieces that touch: lay them apart"
    return ""
