"""The reveal reader: one picture in, every hand with what lies in it out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from calibration.errors import ProfileError
from calibration.kinds import in_hands
from calibration.plane import TablePlane
from calibration.profile import TableProfile
from calibration.saturation import refuse_grey, saturation
from vision.cameras.frame import Image
from vision.detector.sight import Sight
from vision.exposure import Gains, exposure
from vision.readings import Box, Counts, Expectation, HandReading, RevealReading
from vision.reveal.answers import Contents, answer
from vision.reveal.counting import Hypothesis, clear, hypotheses, joined
from vision.reveal.evidence import calibrated, reality
from vision.reveal.hands import FoundHand, find_hands, places_mm
from vision.reveal.held import Held, Palm
from vision.reveal.kinds import KindColours, learn_kind
from vision.reveal.likeness import Likeness, Teller
from vision.reveal.owners import HandEvidence, Share, owners, seat_fits
from vision.reveal.untaught import AT_MOST, by_shape, unexplained, untaught

LOOKS = 2
"""So many ways round a hand is looked at, unless one look leaves no doubt of how much lies in it."""
_LOOKED_AT_TWICE = 2
"""Of several pictures of the same still hands only the first so many are looked at more than once. On 90 moments of
30 development evenings five such pictures say as much as five that are all looked at alike (70 and 68 tables)."""
_SURELY_CLOSED, _OPEN_BY_PIECES = 0.98, 0.8
"""What looks closed less surely than the first is looked into: with pieces it is open, as surely as the second. Of
334 fists over 40 development evenings a piece is seen in none."""
_LOOKS_CLOSED = 0.65
"""A hand seen in passing that looks closed less surely than this counts as open, so that it is read."""
_LOOKS_OPEN, _MAY_BE_FIST = 0.75, 0.6
"""Of hands that looked open and empty and were found less surely than the first, about a quarter were fists or
backs of hands (150 pictures of development evenings); none is taken for open more surely than the second."""
_LEAST_OWNED = 0.2
"""A hand that is less likely any one seat's is read for none."""


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand found quickly: state, how sure the state is, box in pixels."""

    state: str
    confidence: float
    box: Box


class RevealReader:
    """Reads hands and the pieces in them from single pictures of one table.

    Needs a calibrated profile; what is of a kind that was not enrolled is counted by its shape, and doubtful. Not
    to be shared between threads.
    teller: tells pieces, signs and what is none from each other, if not the shipped network.
    """

    def __init__(self, profile: TableProfile, sight: Sight | None = None, teller: Teller | None = None) -> None:
        if profile.plane is None:
            raise ProfileError("This table is not calibrated yet: run `companion calibrate` first.")
        self._profile = profile
        self._plane: TablePlane = profile.plane
        self._sight, self._teller = sight or Sight.shipped(), teller or Likeness()
        self.kinds = tuple(kind for kind in profile.pieces if in_hands(kind))
        self._models: dict[str, KindColours] = {kind: learn_kind(profile.pieces[kind]) for kind in self.kinds}
        self._areas = {kind: profile.pieces[kind].lying_mm2 for kind in self.kinds}
        self._saturation = None if profile.background is None else saturation(profile.background)
        self._exposed: tuple[Image, Gains] | None = None
        self._glance: tuple[Image, int, Image | None, tuple[FoundHand, ...]] | None = None

    def read_hands(
        self, image: Image, expectation: Expectation, background: Image | None = None
    ) -> tuple[HandSeen, ...]:
        """Find the hands and tell open from closed, without looking at pieces: for every frame of a camera."""
        hands = self.find(image, expectation.seats, background)
        self._glance = (image, expectation.seats, background, hands)
        # What may be open is worth a closer look.
        return tuple(
            HandSeen("open" if hand.certainty < _LOOKS_CLOSED else hand.state, hand.certainty, hand.box)
            for hand in hands
        )

    def read(
        self, image: Image, expectation: Expectation, background: Image | None = None, number: int = 0
    ) -> RevealReading:
        """Read every hand of a BGR picture of the calibrated size.

        background: the same table without hands, of the same size, by which today's light is told; the light of
        the calibration when None. number: which of several pictures of the same still hands this is, from 0: each
        is looked at another way round, so that they do not all err alike. Raises ProfileError when the picture has
        another size than the profile, PictureError when it has no colours.
        """
        start = time.perf_counter()
        hands, held = self.look_into(image, expectation.seats, background, number)
        readings = self.assign(hands, held, expectation)
        return RevealReading(readings, round((time.perf_counter() - start) * 1000, 2))

    def look_into(
        self, image: Image, seats: int, background: Image | None = None, number: int = 0
    ) -> tuple[tuple[FoundHand, ...], tuple[tuple[Held, ...] | None, ...]]:
        """Return the hands of a picture and what lies in each, None for plain fists: all stages but the last.

        number: see `read`.
        """
        glance, self._glance = self._glance, None
        if glance and glance[0] is image and glance[1] == seats and glance[2] is background:
            hands = glance[3]  # found a moment ago, when it was asked whether reading is worth it
        else:
            hands = self.find(image, seats, background)
        palms = self.palms(image, [hand for hand in hands if not _surely_closed(hand)], hands, background, number)
        looked = iter(self.look(palms))
        return hands, tuple(None if _surely_closed(hand) else next(looked) for hand in hands)

    def find(self, image: Image, seats: int, background: Image | None = None) -> tuple[FoundHand, ...]:
        """Return the hands of a picture, strongest first: the first stage of a reading.

        Raises PictureError for a picture without colours.
        """
        self._plane = self._plane.fitting(image)
        refuse_grey(image, self._saturation)
        empty = self._profile.background if background is None else background
        if empty is not None and empty.shape != image.shape:
            raise ProfileError("The picture and the empty table's picture differ in size: calibrate again.")
        return find_hands(self._sight, image, self._plane, 2 * seats, empty)

    def assign(
        self, hands: Sequence[FoundHand], held: Sequence[tuple[Held, ...] | None], expectation: Expectation
    ) -> tuple[HandReading, ...]:
        """Return one reading for each seat that shows a hand: the last stage."""
        seating = expectation.seating or self._profile.seating(expectation.seats)
        told = expectation.limits
        limits = [told[seat] if seat < len(told) else None for seat in range(len(seating))]

        @cache
        def as_seat(seat: int) -> Callable[[int], Contents]:
            return cache(lambda index: self._contents(hands[index], held[index], limits[seat]))

        def together(one: int, other: int, seat: int) -> float:
            first, second = as_seat(seat)(one), as_seat(seat)(other)
            if first.state == "closed" or second.state == "closed":
                return 1.0
            return joined(first.ranked, second.ranked, limits[seat])[1]

        evidence = self.evidence(hands, held, limits)
        shares = owners(evidence, seating, together)
        return tuple(
            answer(seat, shares[seat], as_seat(seat), limits[seat], exact=expectation.exact)
            for seat in _seats_shown(shares, len(hands))
        )

    def evidence(
        self,
        hands: Sequence[FoundHand],
        held: Sequence[tuple[Held, ...] | None],
        limits: Sequence[Counts | None],
    ) -> tuple[HandEvidence, ...]:
        """Return what hands say about their owners. limits: by seat, the most of each kind that it may hold."""
        places = places_mm(self._plane, hands).tolist()
        return tuple(
            HandEvidence((x, y), hand.score, lying is None or _bare(lying), self._fits(lying, limits))
            for hand, lying, (x, y) in zip(hands, held, places, strict=True)
        )

    def palms(
        self,
        image: Image,
        hands: Sequence[FoundHand],
        others: tuple[FoundHand, ...],
        background: Image | None = None,
        number: int = 0,
    ) -> tuple[Palm, ...]:
        """Look into some of the hands of a picture, side by side: the second stage. number: see `read`.

        A second look, where one leaves a doubt, begins as soon as the first is over, and is not waited for.
        """
        exposed = self._exposure(image, background, others)
        empty = self._profile.background if background is None else background
        palms = tuple(
            Palm(
                self._sight,
                image,
                hand,
                others,
                self._plane,
                self._light_at(hand) * exposed,
                self._teller,
                empty,
                number,
            )
            for hand in hands
        )
        for palm in palms:
            palm.centre()
            if number < _LOOKED_AT_TWICE and (palm.unsettled() or not clear(palm.found(), calibrated())):
                palm.look_again(LOOKS)
        return palms

    def look(self, palms: Sequence[Palm]) -> tuple[tuple[Held, ...], ...]:
        """Tell what lies in these hands: the third stage."""
        return tuple(palm.held(self._models, self._areas) for palm in palms)

    def weigh(
        self, held: Sequence[Held], limits: Counts | None, untold: Sequence[str] = ()
    ) -> tuple[Hypothesis, ...]:
        """Give what a hand may hold and how likely: the fourth stage. untold: other kinds, never taught."""
        possible = [*self._possible(limits), *untold]
        searches = [kind for kind in possible if kind.startswith("search:")]
        signs = [kind for kind in possible if kind not in searches]
        return hypotheses(held, searches, signs, limits, calibrated())

    def _possible(self, limits: Counts | None) -> list[str]:
        return [kind for kind in self.kinds if limits is None or limits.get(kind, 0) > 0]

    def _exposure(self, image: Image, empty: Image | None, hands: Sequence[FoundHand]) -> Gains:
        """Tell how the light of this very picture becomes that of enrolment, as far as it is alike everywhere.

        A camera exposes and balances anew when hands come in. The table without hands, if there is a picture of it,
        is nearer to what is seen now than the one that was taught.
        """
        known = self._profile.background
        if known is None or known.shape != image.shape:
            return np.ones(3)
        now = exposure(known if empty is None else empty, image, [hand.box for hand in hands])
        if empty is None or empty is known:
            return now
        if self._exposed is None or self._exposed[0] is not empty:
            self._exposed = (empty, exposure(known, empty))
        return now * self._exposed[1]

    def _light_at(self, hand: FoundHand) -> Gains:
        if self._profile.table_light is None or self._profile.background is None:
            return np.ones(3)
        light = self._profile.light()
        x, y = hand.centre
        height, width = light.gain.shape
        gain = light.gain[min(max(round(y), 0), height - 1), min(max(round(x), 0), width - 1)]
        return np.asarray(float(gain) * np.array(light.balance), np.float64)

    def _contents(self, hand: FoundHand, held: tuple[Held, ...] | None, limits: Counts | None) -> Contents:
        """Return what a hand holds if it is that of a seat with these limits."""
        sure = hand.certainty
        if held is None:
            return Contents(hand, "closed", sure, True, ())
        untold = untaught(self.kinds, limits)
        shapes = by_shape(held, untold) if untold else ()
        if unexplained(held, shapes, self._possible(limits), calibrated()):
            held, sure = shapes, min(sure, AT_MOST)
        else:
            untold = ()
        ranked = self.weigh(held, limits, untold)
        bare = _bare(held)
        if bare and hand.state == "open" and hand.score < _LOOKS_OPEN:
            sure = min(sure, _MAY_BE_FIST)
        if hand.state == "closed":
            if bare:
                return Contents(hand, "closed", sure, bare, ranked, held)
            sure = min(_OPEN_BY_PIECES, AT_MOST if untold else 1.0)
        return Contents(hand, "open", sure, bare, ranked, held)

    def _fits(self, held: tuple[Held, ...] | None, limits: Sequence[Counts | None]) -> tuple[float, ...]:
        """Return how well what lies in a hand fits each seat's limits (log, at most 0)."""
        if held is None:
            return (0.0,) * len(limits)
        missing = sorted({kind for limit in limits for kind in untaught(self.kinds, limit)})
        seen = by_shape(held, missing) if missing else held
        return seat_fits(seen, (*self.kinds, *missing), limits, calibrated())


def _bare(held: Sequence[Held]) -> bool:
    return not bool((reality(held, calibrated()) > 0.5).any())


def _surely_closed(hand: FoundHand) -> bool:
    return hand.state == "closed" and hand.certainty >= _SURELY_CLOSED


def _seats_shown(shares: Sequence[Sequence[Share]], hands: int) -> list[int]:
    """Return the seats that more likely than not show a hand, and those that a hand is likeliest of."""
    of_seats = [sum(share.probability for share in of if share.hands) for of in shares]
    seats = {seat for seat, chance in enumerate(of_seats) if chance > 0.5}
    for hand in range(hands):
        chances = [sum(share.probability for share in of if hand in share.hands) for of in shares]
        best = max(range(len(chances)), key=lambda seat: chances[seat])
        if chances[best] > max(1.0 - sum(chances), _LEAST_OWNED):
            seats.add(best)
    return sorted(seats)
