"""Every piece that lies on the table, by kind: the box check before a game, and each player's own pieces.

One picture is enough. What is sure is counted; what is not is counted too, but named as doubtful with the reason.
"""

from __future__ import annotations

import time
from collections import Counter

import cv2
import numpy as np

from calibration.errors import ProfileError
from calibration.light import LightField
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from calibration.wording import say
from vision.boxes import scaled
from vision.count_pixels import Layer, light_on, map_kinds
from vision.count_print import Look, PrintReader
from vision.count_seen import Agreement, agree, things_on
from vision.count_sizes import MOST_TOUCHING, measure
from vision.count_things import Patch, find_patches
from vision.detector.network import Network
from vision.readings import Box, CountReading, DoubtfulThing, KindGuess, PieceReading
from vision.reveal.kinds import learn_varnished
from vision.saturation import refuse_grey, saturation

DOUBTFUL_BELOW = 0.85
"""Patches whose kind or number is less sure than this are asked about."""
_MOST_PX_PER_MM = 2.0
_LEAST_PIECE_PX = 8.0
"""A piece that is fewer pixels wide cannot be counted."""
_MOST_UNLIKE = 3.5
"""Colours so much less likely than the enrolled ones (natural logarithm a pixel) may be another thing."""
_HIDDEN_RIGHT = 0.8
"""How likely a thing that hardly stands out is of the kind it looks like: cautiously (47 of 48 rendered ones)."""
_REACH_MM = 1000.0
_ON_PRINT = "on a printed board pieces and print are hard to tell apart: count these yourselves"
_STRANGE_ON_PRINT = "not counted: it stands on the board, but looks like no piece that was pointed out; is it one?"
_RIGHT_AT = ((0.45, 0.17), (0.55, 0.35), (0.65, 0.46), (0.75, 0.83), (0.83, 0.92), (0.9, 0.96), (0.95, 0.98))
"""How many of those found among print that fit so well are right, on the boards that
`models.evaluation.photographs` sets apart."""


class PieceCounter:
    """Counts pieces with one profile's plane and enrolled samples."""

    def __init__(self, profile: TableProfile) -> None:
        """Prepare the kinds. Raises ProfileError for a profile without plane or without pieces."""
        if profile.plane is None:
            raise ProfileError(say("This table is not calibrated yet: run `companion calibrate` first."))
        if not profile.pieces:
            raise ProfileError(say("No pieces are enrolled yet: run `companion enrol pieces` first."))
        self._plane = profile.plane
        self._background = profile.background
        self._saturation = None if profile.background is None else saturation(profile.background)
        # Samples that were only ever pointed out on a busy board come without a measured light.
        self._reference = profile.table_light if profile.views else None
        self._print: PrintReader | None = None
        self._network: Network | None = None
        self._profile = profile
        self._models = {kind: learn_varnished(samples) for kind, samples in profile.pieces.items()}
        self._measures = {
            kind: measure(samples, self._models[kind], printed=kind.startswith("sign:"))
            for kind, samples in profile.pieces.items()
        }

    @property
    def among_print(self) -> bool:
        """Whether pieces are looked for among print: those that were only ever pointed out on boards."""
        return self._reference is None

    def learn_print(self) -> PrintReader:
        """Learn the boards that pieces were pointed out on, which takes some 25 seconds; once is enough.

        Raises ProfileError when the profile does not know these boards.
        """
        if self._print is None:
            self._print = PrintReader.learn(self._profile.boards, self._profile.pieces)
        return self._print

    def count(self, image: Image) -> CountReading:
        """Count the pieces in a BGR picture of the calibrated size; of any size for a flat profile.

        Raises ProfileError when the picture has another size than the calibrated one, or shows pieces too small,
        and PictureError when it has no colours.
        """
        start = time.perf_counter()
        plane = self._plane.fitting(image)
        refuse_grey(image, self._saturation)
        middle = float(np.nan_to_num(plane.px_per_mm_at(plane.to_table(_centre(image)))))
        self._check(middle)
        if self._reference is None:
            look = self.learn_print().look(image, middle)
            return _on_print(look, 1000 * (time.perf_counter() - start))
        shrink = min(1.0, _MOST_PX_PER_MM / middle)
        empty = self._background
        empty = empty if empty is not None and empty.shape == image.shape else None
        light = light_on(image, empty, self._reference)
        small, below = _resized(image, shrink), None if empty is None else _resized(empty, shrink)
        height, width = small.shape[:2]
        light = LightField(np.asarray(cv2.resize(light.gain, (width, height)), np.float32), light.balance)
        seen = map_kinds(small, light, below, self._models, middle * shrink)
        scale = _scale(plane, (width, height), shrink)
        seen.posterior[:, scale <= 0] = 0.0
        patches = find_patches(seen, self._measures, scale)
        self._network = self._network or Network()
        things = things_on(small, self._network, middle * shrink)
        agreed = agree(patches, things, seen.colours, self._models, self._measures)
        return _reading(agreed, shrink, 1000 * (time.perf_counter() - start))

    def _check(self, px_per_mm: float) -> None:
        side = float(np.sqrt(min(own.area for own in self._measures.values())))
        if px_per_mm * side < _LEAST_PIECE_PX:
            raise ProfileError(
                say(
                    "Pieces are only {px_per_mm} pixels wide in this picture, too few to count: use a higher "
                    "camera resolution or hang the camera lower.",
                    px_per_mm=f"{px_per_mm * side:.0f}",
                )
            )


def _centre(image: Image) -> tuple[float, float]:
    return (image.shape[1] - 1) / 2, (image.shape[0] - 1) / 2


def _resized(image: Image, shrink: float) -> Image:
    if shrink == 1.0:
        return image
    return np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)


def _scale(plane: TablePlane, size: tuple[int, int], shrink: float) -> Layer:
    """Give px/mm for each pixel of the shrunk picture, (height, width); 0 where no table can be."""
    width, height = size
    u, v = np.linspace(0, width - 1, 33), np.linspace(0, height - 1, 33)
    spots = plane.to_table(np.stack(np.meshgrid(u, v), axis=-1) / shrink)
    local = plane.px_per_mm_at(spots) * shrink
    local = np.where(np.isfinite(local) & (np.abs(spots).max(axis=-1) < _REACH_MM), local, 0.0)
    nearest = cv2.resize((local > 0).astype(np.float32), size, interpolation=cv2.INTER_LINEAR) > 0.99
    return np.asarray(np.where(nearest, cv2.resize(local, size, interpolation=cv2.INTER_LINEAR), 0.0), np.float32)


def _on_print(look: Look, milliseconds: float) -> CountReading:
    """Tell what was found among print: so many are missed or mistaken there that all of it is to be looked at."""
    fits, shares = zip(*_RIGHT_AT, strict=True)
    pieces = tuple(PieceReading(one.kind, one.box, float(np.interp(one.fit, fits, shares))) for one in look.pieces)
    doubtful = (
        *(DoubtfulThing(piece.box, _ON_PRINT) for piece in pieces),
        *(DoubtfulThing(box, _STRANGE_ON_PRINT) for box in look.strange),
    )
    counts = Counter(piece.kind for piece in pieces)
    return CountReading(dict(sorted(counts.items())), pieces, doubtful, milliseconds)


def _reading(agreed: Agreement, shrink: float, milliseconds: float) -> CountReading:
    counts: Counter[str] = Counter()
    pieces: list[PieceReading] = []
    doubtful: list[DoubtfulThing] = []
    for place, patch in enumerate(agreed.counted):
        number = patch.chances[patch.count - 1]
        kind = patch.kinds[0][1]
        whole = _whole(patch, shrink)
        if patch.on_thing:
            reason = f"not counted: it lies on something, or is printed on it; is it {patch.kind}?"
            doubtful.append(DoubtfulThing(whole, reason, (KindGuess(patch.kind, kind * number),)))
            continue
        counts[patch.kind] += patch.count
        boxes = [scaled(box, 1 / shrink) for box in patch.boxes()]
        pieces += [PieceReading(patch.kind, box, number * kind) for box in boxes]
        reason = _doubt(patch, kind, number, disputed=place in agreed.disputed, odd=place in agreed.odd)
        if reason:
            others = tuple(KindGuess(name, chance) for name, chance in patch.kinds[1:] if chance > 0.02)
            doubtful.append(DoubtfulThing(whole, reason, others))
    for patch in agreed.dropped:
        reason = f"not counted: it has the colour of {patch.kind}, but does not look like a piece; is it one?"
        doubtful.append(DoubtfulThing(_whole(patch, shrink), reason, (KindGuess(patch.kind, 0.5),)))
    for thing, kind_seen in agreed.hidden:
        box = scaled(thing.box, 1 / shrink)
        counts[kind_seen] += 1
        pieces.append(PieceReading(kind_seen, box, _HIDDEN_RIGHT))
        doubtful.append(DoubtfulThing(box, f"it hardly stands out from the table: is it {kind_seen}?"))
    for thing, kind_seen in agreed.shadows:
        reason = f"not counted: it may be the shadow of what lies beside it; is it {kind_seen}?"
        doubtful.append(DoubtfulThing(scaled(thing.box, 1 / shrink), reason, (KindGuess(kind_seen, 0.5),)))
    for thing in agreed.strange:
        reason = "not counted: it looks like a piece, but has no colour of the enrolled ones; is it one?"
        doubtful.append(DoubtfulThing(scaled(thing.box, 1 / shrink), reason))
    return CountReading(dict(sorted(counts.items())), tuple(pieces), tuple(doubtful), milliseconds)


def _whole(patch: Patch, shrink: float) -> Box:
    rows, columns = patch.mask.shape
    return scaled((float(patch.left), float(patch.top), float(columns), float(rows)), 1 / shrink)


def _doubt(patch: Patch, kind: float, number: float, *, disputed: bool, odd: bool) -> str:
    """Say what is not sure about a patch; nothing when all is."""
    if patch.count >= MOST_TOUCHING:
        return "pieces in a pile cannot be counted: spread them out"
    if patch.unlike > _MOST_UNLIKE:
        return f"it looks a little like {patch.kind}, but not like the enrolled ones: is it a piece at all?"
    if kind < DOUBTFUL_BELOW or odd:
        return f"{patch.kinds[0][0]} or {patch.kinds[1][0]}"
    if number < DOUBTFUL_BELOW:
        chances = list(patch.chances)
        chances[patch.count - 1] = 0.0
        return f"{patch.count} or {int(np.argmax(chances)) + 1} pieces that touch: lay them apart"
    if disputed:
        return f"{patch.count} or {patch.count + 1} pieces that touch: lay them apart"
    return ""
