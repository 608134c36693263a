"""The reveal reader: one picture in, every hand with what lies in it out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.errors import ProfileError
from calibration.kinds import in_hands
from calibration.plane import TablePlane
from calibration.profile import TableProfile
from vision.cameras.frame import Image
from vision.detector.sight import Sight
from vision.exposure import Gains, exposure
from vision.readings import Alternative, Box, Counts, Expectation, HandReading, PieceReading, RevealReading
from vision.reveal.counting import Hypothesis, clear, hypotheses, kind_shares
from vision.reveal.evidence import calibrated, reality
from vision.reveal.hands import FoundHand, find_hands
from vision.reveal.held import Held, Palm
from vision.reveal.kinds import KindColours, learn_kind
from vision.reveal.likeness import Likeness, Teller
from vision.reveal.untaught import AT_MOST, by_shape, unexplained, untaught
from vision.saturation import refuse_grey, saturation

DOUBTFUL_BELOW = 0.95
"""An entry less likely right than this is asked about."""
LOOKS = 2
"""So many ways round a hand is looked at, unless one look leaves no doubt of how much lies in it."""
_LOOKED_AT_TWICE = 2
"""Of several pictures of the same still hands only the first so many are looked at more than once. On 90 moments of
30 development evenings five such pictures say as much as five that are all looked at alike (70 and 68 tables)."""
_ALTERNATIVES = 4
_SURELY_CLOSED, _OPEN_BY_PIECES = 0.98, 0.8
"""What looks closed less surely than the first is looked into: with pieces it is open, as surely as the second. Of
334 fists over 40 development evenings a piece is seen in none."""
_LOOKS_CLOSED = 0.65
"""A hand seen in passing that looks closed less surely than this counts as open, so that it is read."""
_LOOKS_OPEN, _MAY_BE_FIST = 0.75, 0.6
"""Of hands that looked open and empty and were found less surely than the first, about a quarter were fists or
backs of hands (150 pictures of development evenings); none is taken for open more surely than the second."""
_KEEPS_RULE = 0.98
"""How sure it is that hands hold exactly what they must, before the picture is looked at."""
_STRAY = 0.6
"""A hand that cannot be given to a seat by where it lies is at most so sure."""


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand found quickly: seat, state, how sure the state is, box in pixels."""

    seat: int
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
            HandSeen(hand.seat, "open" if hand.certainty < _LOOKS_CLOSED else hand.state, hand.certainty, hand.box)
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
        glance, self._glance = self._glance, None
        if glance and glance[0] is image and glance[1] == expectation.seats and glance[2] is background:
            hands = glance[3]  # found a moment ago, when it was asked whether reading is worth it
        else:
            hands = self.find(image, expectation.seats, background)
        palms = self.palms(image, [hand for hand in hands if not _surely_closed(hand)], hands, background, number)
        held = dict(zip((palm.hand.seat for palm in palms), self.look(palms), strict=True))
        readings = tuple(self._read_hand(hand, held.get(hand.seat), expectation) for hand in hands)
        return RevealReading(readings, round((time.perf_counter() - start) * 1000, 2))

    def find(self, image: Image, seats: int, background: Image | None = None) -> tuple[FoundHand, ...]:
        """Find the hands of a picture: the first stage of a reading. Raises PictureError for a grey picture."""
        self._plane = self._plane.fitting(image)
        refuse_grey(image, self._saturation)
        empty = self._profile.background if background is None else background
        if empty is not None and empty.shape != image.shape:
            raise ProfileError("The picture and the empty table's picture differ in size: calibrate again.")
        return find_hands(self._sight, image, self._plane, seats, empty)

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

    def _read_hand(self, hand: FoundHand, held: tuple[Held, ...] | None, expectation: Expectation) -> HandReading:
        sure = hand.certainty * (_STRAY if hand.stray else 1.0)
        limits = expectation.limits[hand.seat] if hand.seat < len(expectation.limits) else None
        if held is None:
            return HandReading(hand.seat, "closed", {}, sure, sure < DOUBTFUL_BELOW, hand.box)
        untold = untaught(self.kinds, limits)
        shapes = by_shape(held, untold) if untold else ()
        if unexplained(held, shapes, self._possible(limits), calibrated()):
            held, sure = shapes, min(sure, AT_MOST)
        else:
            untold = ()
        ranked = self.weigh(held, limits, untold)
        bare = not bool((reality(held, calibrated()) > 0.5).any())
        if bare and hand.state == "open" and hand.score < _LOOKS_OPEN:
            sure = min(sure, _MAY_BE_FIST)
        if hand.state == "closed":
            if bare:
                # Should it be open after all, this is what would lie in it.
                opened = tuple(Alternative(h.counts, h.probability * (1 - sure)) for h in ranked[:_ALTERNATIVES])
                return HandReading(hand.seat, "closed", {}, sure, sure < DOUBTFUL_BELOW, hand.box, opened)
            sure = min(_STRAY if hand.stray else _OPEN_BY_PIECES, AT_MOST if untold else 1.0)
        return _answer(hand, held, ranked, limits if expectation.exact else None, sure)


def _surely_closed(hand: FoundHand) -> bool:
    return hand.state == "closed" and hand.certainty >= _SURELY_CLOSED


def _answer(
    hand: FoundHand, held: Sequence[Held], ranked: Sequence[Hypothesis], exactly: Counts | None, sure: float
) -> HandReading:
    """Say the likeliest; exactly: what the hand must hold, if that is known."""
    best, *others = ranked
    counts, confidence = best.counts, best.probability * sure
    if exactly is not None:
        wanted = {kind: n for kind, n in exactly.items() if n > 0}
        agree = sum(h.probability for h in ranked if dict(h.counts) == wanted)
        rival = max((h.probability for h in ranked if dict(h.counts) != wanted), default=0.0)
        others = [h for h in ranked if dict(h.counts) != wanted]
        counts = wanted
        confidence = sure * _KEEPS_RULE * agree / (_KEEPS_RULE * agree + (1 - _KEEPS_RULE) * rival + 1e-9)
    alternatives = tuple(Alternative(h.counts, h.probability * sure) for h in others[:_ALTERNATIVES])
    return HandReading(
        hand.seat, "open", counts, min(confidence, 0.999), confidence < DOUBTFUL_BELOW, hand.box, alternatives,
        _pieces(held, counts),
    )  # fmt: skip


def _pieces(held: Sequence[Held], counts: Counts) -> tuple[PieceReading, ...]:
    """Say where the counted pieces lie: of each kind the boxes that fit it best."""
    search = next((kind for kind in counts if kind.startswith("search:")), "")
    signs = [kind for kind in counts if kind != search]
    fits = kind_shares(held, search, signs, calibrated())
    left, chosen = dict(counts), []
    ranked = sorted(
        ((shares.get(kind, 0.0), index, kind) for index, shares in enumerate(fits) for kind in counts),
        reverse=True,
    )
    used: set[int] = set()
    for chance, index, kind in ranked:
        if left[kind] > 0 and index not in used:
            used.add(index)
            left[kind] -= 1
            chosen.append(PieceReading(kind, held[index].box, chance))
    return tuple(chosen)
