"""The reveal reader: one picture in, every hand with what lies in it out."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.errors import ProfileError
from calibration.light import linear
from calibration.plane import TablePlane
from calibration.profile import TableProfile
from vision.cameras.frame import Image
from vision.readings import Alternative, Box, Counts, Expectation, HandReading, PieceReading, RevealReading
from vision.reveal import counting
from vision.reveal.colour import of_picture
from vision.reveal.counting import Posterior
from vision.reveal.evidence import HandEvidence, Heap
from vision.reveal.foreground import Ground, ground_of
from vision.reveal.geometry import PATCH_PALM
from vision.reveal.hands import FoundHand, find_hands, shrunk
from vision.reveal.pieces import KindColours, learn_kind, map_pieces
from vision.reveal.skin import learn_skin
from vision.reveal.state import state_chances

DOUBTFUL_BELOW = 0.95
"""An entry less likely right than this is asked about: so that less than 1 % of hands are silently wrong on made-up
reveals that nothing was fitted on (`python -m tests.bench.reading` counts them)."""
_ALTERNATIVES = 4
_SPECK = 0.15
"""In pieces: less of a colour than this is nothing."""
_KEEPS_RULE = 0.98
"""How sure it is that hands hold exactly what they must, before the picture is looked at."""


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand found quickly: seat, state, how sure the state is, box in pixels."""

    seat: int
    state: str
    confidence: float
    box: Box


@dataclass(frozen=True, slots=True)
class Picture:
    """What is read: a BGR picture, the same table without hands, linear gains (b, g, r) to enrolment's light."""

    image: Image
    empty: Image
    exposure: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weighed:
    """One kind in one hand: probability of each count, and the heaps it was read from."""

    kind: str
    posterior: Posterior
    heaps: tuple[Heap, ...]
    by_heap: tuple[Posterior, ...]


class RevealReader:
    """Reads hands and the pieces in them from single pictures of one table.

    Needs a calibrated profile; kinds that were not enrolled are never read.
    """

    def __init__(self, profile: TableProfile) -> None:
        if profile.plane is None:
            raise ProfileError("This table is not calibrated yet: run `companion calibrate` first.")
        self._profile = profile
        self._plane: TablePlane = profile.plane
        self._ground: tuple[Image, Ground] | None = None
        self.areas: Mapping[str, float] = {
            kind: samples.area_mm2
            for kind, samples in profile.pieces.items()
            if kind.startswith(("search:", "sign:"))
        }
        self._models: dict[str, KindColours] = {kind: learn_kind(profile.pieces[kind]) for kind in self.areas}

    def read_hands(
        self, image: Image, expectation: Expectation, background: Image | None = None
    ) -> tuple[HandSeen, ...]:
        """Find the hands and tell open from closed, without looking at pieces: for every frame of a camera."""
        seen = []
        for hand in self.find(self.prepare(image, background), expectation.seats):
            closed, opened, _ = state_chances(hand.mask)
            seen.append(
                HandSeen(hand.seat, "open" if opened >= closed else "closed", max(closed, opened), hand.box)
            )
        return tuple(seen)

    def read(self, image: Image, expectation: Expectation, background: Image | None = None) -> RevealReading:
        """Read every hand of a BGR picture of the calibrated size.

        background: the same table without hands but with whatever else lies on it, of the same size; the
        profile's empty table when None. Raises ProfileError when the picture has another size than the profile.
        """
        start = time.perf_counter()
        picture = self.prepare(image, background)
        hands = self.find(picture, expectation.seats)
        readings = tuple(self._read_hand(picture, hand, expectation) for hand in hands)
        return RevealReading(readings, round((time.perf_counter() - start) * 1000, 2))

    def prepare(self, image: Image, background: Image | None = None) -> Picture:
        """Put a picture beside the same table without hands. Raises ProfileError when their sizes do not fit."""
        self._plane = self._plane.fitting(image)
        empty = background if background is not None else self._profile.background
        if empty is None:
            raise ProfileError("This table has no picture of itself yet: run `companion calibrate` first.")
        if empty.shape != image.shape:
            raise ProfileError("The picture and the empty table's picture differ in size: calibrate again.")
        return Picture(image, empty, self._exposure(empty))

    def find(self, picture: Picture, seats: int) -> tuple[FoundHand, ...]:
        """Find the hands of a picture: the first stage of a reading."""
        return find_hands(picture.image, self._ground_of(picture.empty), self._plane, seats)

    def gather(self, picture: Picture, hand: FoundHand, kinds: Sequence[str]) -> HandEvidence | None:
        """Tell skin and pieces of these kinds apart in one hand: the second stage; None where no skin is seen."""
        light = self._light_at(hand) * picture.exposure
        colours = of_picture(hand.frame.picture(picture.image), light)
        skin = learn_skin(colours, hand.mask)
        if skin is None:
            return None
        table = of_picture(hand.frame.picture(picture.empty), light)
        pieces = map_pieces(colours, table, hand.mask, skin, self._models, kinds)
        return HandEvidence(colours, hand.mask, skin, pieces)

    def weigh(self, evidence: HandEvidence, kinds: Sequence[str]) -> tuple[Weighed, ...]:
        """Give the probability of each count of each kind: the third stage."""
        return weigh(evidence, self.areas, kinds)

    def _ground_of(self, empty: Image) -> Ground:
        """Prepare the table without hands once for all pictures that are compared with it."""
        if self._ground is None or self._ground[0] is not empty:
            self._ground = (empty, ground_of(shrunk(empty)))
        return self._ground[1]

    def _exposure(self, empty: Image) -> NDArray[np.float64]:
        """Give how much darker than at enrolment the camera sees the same table now, by channel."""
        known = self._profile.background
        if known is None or known is empty or known.shape != empty.shape:
            return np.ones(3)
        then = np.log(linear(known[::8, ::8]) + 0.003).reshape(-1, 3)
        now = np.log(linear(empty[::8, ::8]) + 0.003).reshape(-1, 3)
        return np.asarray(np.exp(np.clip(np.median(then - now, axis=0), -0.7, 0.7)), np.float64)

    def _light_at(self, hand: FoundHand) -> NDArray[np.float64]:
        if self._profile.table_light is None or self._profile.background is None:
            return np.ones(3)
        light = self._profile.light()
        x, y, _, _ = hand.frame.box(*PATCH_PALM, 0.0, 0.0)
        height, width = light.gain.shape
        gain = light.gain[min(max(round(y), 0), height - 1), min(max(round(x), 0), width - 1)]
        return np.asarray(float(gain) * np.array(light.balance), np.float64)

    def _read_hand(self, picture: Picture, hand: FoundHand, expectation: Expectation) -> HandReading:
        closed, chance, _ = state_chances(hand.mask)
        if closed > chance:
            return HandReading(hand.seat, "closed", {}, closed, closed < DOUBTFUL_BELOW, hand.box)
        limits = expectation.limits[hand.seat] if hand.seat < len(expectation.limits) else None
        kinds = [kind for kind in self.areas if limits is None or limits.get(kind, 0) > 0]
        evidence = self.gather(picture, hand, kinds)
        sure = 1.0
        searches = [kind for kind in kinds if kind.startswith("search:")]
        if evidence is not None and len(searches) > 1:
            kept, sure = self._likeliest_colour(evidence, searches, [k for k in kinds if k not in searches])
            kinds = [kind for kind in kinds if kind == kept or kind not in searches]
            evidence = self.gather(picture, hand, kinds)
        if evidence is None:
            return HandReading(hand.seat, "open", {}, 0.1, True, hand.box)
        return _answer(hand, self.weigh(evidence, kinds), limits, expectation.exact, chance * sure)

    def _likeliest_colour(
        self, evidence: HandEvidence, searches: Sequence[str], signs: Sequence[str]
    ) -> tuple[str, float]:
        """A hand holds search pieces of one colour only: the one that is seen most, and how sure that is.

        Shadows between fingers pass for black at a glance, so only what also has the shape of pieces counts.
        """
        seen = {}
        for kind in searches:
            heaps = evidence.heaps(kind, self.areas[kind], signs)
            chances = counting.heap_posteriors(heaps)
            seen[kind] = sum(heap.pieces * (1.0 - float(row[0])) for heap, row in zip(heaps, chances, strict=True))
        ordered = sorted(seen, key=lambda kind: seen[kind], reverse=True)
        first, second = seen[ordered[0]] + _SPECK, seen[ordered[1]] + 0.05 * _SPECK
        return ordered[0], first**2 / (first**2 + second**2)


def weigh(evidence: HandEvidence, areas: Mapping[str, float], kinds: Sequence[str]) -> tuple[Weighed, ...]:
    """Give the probability of each count of each kind; areas: of one piece in mm² by kind."""
    signs = [kind for kind in kinds if kind.startswith("sign:")]
    searches = [kind for kind in kinds if not kind.startswith("sign:")]
    found = []
    for kind in searches:
        heaps = evidence.heaps(kind, areas[kind], signs)
        by_heap = counting.heap_posteriors(heaps)
        total = counting.sharpened(counting.sum_posterior(by_heap))
        found.append(Weighed(kind, total, heaps, by_heap))
    for kind in signs:
        sign = evidence.sign(kind, areas[kind], [s for s in signs if s != kind], searches)
        posterior = counting.sign_posterior(sign)
        found.append(Weighed(kind, counting.sharpened(posterior), (sign,), (posterior,)))
    return tuple(found)


def _answer(
    hand: FoundHand, weighed: Sequence[Weighed], limits: Counts | None, exact: bool, sure: float
) -> HandReading:
    other: tuple[Alternative, ...]
    if limits is not None and exact:
        counts = {kind: n for kind, n in limits.items() if n > 0}
        confidence = sure
        for one in weighed:
            agree = float(one.posterior[limits[one.kind]]) if limits[one.kind] < len(one.posterior) else 0.0
            others = (1.0 - agree) / max(1, len(one.posterior) - 1)
            confidence *= _KEEPS_RULE * agree / (_KEEPS_RULE * agree + (1 - _KEEPS_RULE) * others + 1e-9)
        seen = {one.kind: int(np.argmax(one.posterior)) for one in weighed}
        seen = {kind: n for kind, n in seen.items() if n}
        other = (Alternative(seen, 1.0 - confidence),) if seen != counts else ()
    else:
        ranked = _ranked([_limited(one, limits) for one in weighed])
        best, chance = ranked[0]
        counts = {one.kind: n for one, n in zip(weighed, best, strict=True) if n}
        confidence = chance * sure
        other = tuple(
            Alternative({one.kind: n for one, n in zip(weighed, ns, strict=True) if n}, p * sure)
            for ns, p in ranked[1 : 1 + _ALTERNATIVES]
        )
    pieces = tuple(piece for one in weighed for piece in _pieces(hand, one, counts.get(one.kind, 0)))
    return HandReading(
        hand.seat, "open", counts, min(confidence, 0.999), confidence < DOUBTFUL_BELOW, hand.box, other, pieces
    )


def _limited(one: Weighed, limits: Counts | None) -> Posterior:
    if limits is None:
        return one.posterior
    allowed = one.posterior[: limits.get(one.kind, 0) + 1]
    return np.asarray(allowed / max(float(allowed.sum()), 1e-12))


def _ranked(posteriors: Sequence[Posterior]) -> list[tuple[tuple[int, ...], float]]:
    """All combinations of each kind's likeliest few counts, likeliest first."""
    if not posteriors:
        return [((), 1.0)]
    tops = [[int(n) for n in np.argsort(posterior)[::-1][:4]] for posterior in posteriors]
    rows = [
        (ns, float(np.prod([posterior[n] for posterior, n in zip(posteriors, ns, strict=True)])))
        for ns in itertools.product(*tops)
    ]
    return sorted(rows, key=lambda row: row[1], reverse=True)


def _pieces(hand: FoundHand, one: Weighed, count: int) -> tuple[PieceReading, ...]:
    """Say where the pieces lie."""
    shares = counting.share_out(one.by_heap, count)
    return tuple(
        PieceReading(one.kind, hand.frame.box(*place), float(posterior[n]))
        for heap, posterior, n in zip(one.heaps, one.by_heap, shares, strict=True)
        for place in heap.places(n)
    )
