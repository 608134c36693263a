"""Hand reader: returns the state and contents of every seat's hand in a picture."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from calibration.errors import ProfileError
from calibration.light.grey_picture_check import refuse_grey, saturation
from calibration.plane import TablePlane
from calibration.profile import TableProfile
from calibration.translatable import say
from vision.cameras.frame import Image
from vision.detector.model_set import ModelSet
from vision.exposure_change import Gains, cells, exposure_of_cells
from vision.hands.candidate_pieces import CandidatePiece, HandCropDetection, classify_candidates
from vision.hands.counting import Hypothesis, hypotheses, is_settled, joint_hypotheses
from vision.hands.hand_detection import FoundHand, find_hands, positions_mm
from vision.hands.hand_owners import HandEvidence, Share, assign_hands, seat_fits
from vision.hands.piece_probabilities import fitted_weights, piece_probabilities
from vision.hands.piece_sign_classifier import PieceSignClassifier, PieceSignModel
from vision.hands.seat_readings import Contents, seat_reading
from vision.hands.uncounted_pieces import may_hold_more
from vision.hands.unenrolled_kinds import MAX_UNENROLLED_CERTAINTY, by_shape, holds_unenrolled, unenrolled_kinds
from vision.kind_colours import KindColours, learn_kind
from vision.readings import Box, Counts, Expectation, HandReading, HandsReading

MAX_PASSES = 2
"""Maximum number of inference passes per hand, each in another orientation (test-time augmentation)."""
_MAX_AUGMENTED_PICTURES = 2
"""Number of pictures of the same still hands that may get more than one pass. Of 90 tables of 30 development
sessions, 70 were read right from five pictures with this limit, and 68 without it."""
_MIN_CERTAINLY_CLOSED = 0.98
"""Minimum certainty of a closed hand that is not searched for pieces."""
_OPEN_BY_PIECES = 0.8
"""Certainty that a hand classified as closed is open, where pieces are detected in it. Of 334 fists over 40
development sessions none had a detected piece."""
_MIN_QUICK_CLOSED = 0.65
"""Minimum certainty of a closed hand in a quick detection; below it the hand counts as open, so that it is read."""
_MIN_EMPTY_OPEN_SCORE = 0.75
"""Detector score below which an open, empty hand may be a fist or the back of a hand: about a quarter of those in
150 pictures of development sessions were."""
_MAX_WEAK_OPEN_CERTAINTY = 0.6
"""Upper bound of the certainty that an empty hand with such a low score is open."""
_MIN_OWNED_PROBABILITY = 0.2
"""Minimum probability of a hand's most probable seat for the hand to be reported."""


@dataclass(frozen=True, slots=True)
class QuickHand:
    """A hand found by quick detection, without its pieces."""

    state: str
    """"open" or "closed"."""
    confidence: float
    """Probability of the state, 0..1."""
    box: Box
    """Bounding box, px."""


class HandReader:
    """Reader of hands and the pieces in them, from single pictures of one table. Not thread-safe.

    profile: a calibrated profile; pieces of a kind that was not enrolled are counted by shape, and need
    confirmation. networks: detector networks, the shipped ones by default. classifier: piece/sign classifier, the
    shipped one by default.
    """

    def __init__(
        self, profile: TableProfile, networks: ModelSet | None = None, classifier: PieceSignModel | None = None
    ) -> None:
        if profile.plane is None:
            raise ProfileError("This table is not calibrated yet: run `companion calibrate` first.")
        self._profile = profile
        self._plane: TablePlane = profile.plane
        self._networks, self._classifier = networks or ModelSet.shipped(), classifier or PieceSignClassifier()
        self._kit = profile.kit
        self.kinds = tuple(kind for kind in profile.pieces if self._kit.in_hands(kind))
        models = {kind: learn_kind(samples) for kind, samples in profile.pieces.items()}
        self._models: dict[str, KindColours] = {kind: models.pop(kind) for kind in self.kinds}
        self._unheld_models = models
        self._areas = {kind: profile.pieces[kind].flat_area_mm2 for kind in self.kinds}
        self._saturation = None if profile.background is None else saturation(profile.background)
        self._exposure_cache: tuple[Image, Image, Gains] | None = None
        self._quick: tuple[Image, int, Image | None, tuple[FoundHand, ...]] | None = None

    def read_hands(
        self, image: Image, expectation: Expectation, background: Image | None = None
    ) -> tuple[QuickHand, ...]:
        """Return the hands, each open or closed, without their pieces: fast enough for every camera frame.

        A hand that may be open counts as open. image: BGR. background: see `read`.
        """
        hands = self.find(image, expectation.seats, background)
        self._quick = (image, expectation.seats, background, hands)
        # A hand that may be open is worth a full reading.
        return tuple(
            QuickHand("open" if hand.certainty < _MIN_QUICK_CLOSED else hand.state, hand.certainty, hand.box)
            for hand in hands
        )

    def read(
        self, image: Image, expectation: Expectation, background: Image | None = None, number: int = 0
    ) -> HandsReading:
        """Read every hand of a BGR picture of the calibrated size.

        background: picture of the table without hands, of the same size; None: the picture of calibration. number:
        index of this picture among several of the same still hands; each is evaluated in another orientation, so
        that errors are less correlated. Raises ProfileError when the picture has another size than the profile,
        PictureError when it is grey.
        """
        start = time.perf_counter()
        hands, candidates = self.hands_with_candidates(image, expectation.seats, background, number)
        readings = self.assign(hands, candidates, expectation)
        return HandsReading(readings, round((time.perf_counter() - start) * 1000, 2))

    def hands_with_candidates(
        self, image: Image, seats: int, background: Image | None = None, number: int = 0
    ) -> tuple[tuple[FoundHand, ...], tuple[tuple[CandidatePiece, ...] | None, ...]]:
        """Return the hands of a picture, and for each its candidate pieces, or None for a certainly closed hand.

        Runs all stages of `read` except the last, `assign`. seats: number of players. background, number: see
        `read`.
        """
        quick, self._quick = self._quick, None
        if quick and quick[0] is image and quick[1] == seats and quick[2] is background:
            hands = quick[3]  # reuse the quick detection of the same picture
        else:
            hands = self.find(image, seats, background)
        searched = [hand for hand in hands if not _certainly_closed(hand)]
        detections = self.detect_pieces(image, searched, hands, background, number)
        candidates = iter(self.classify_pieces(detections))
        beside = {detection.hand: detection.has_pieces_beside() for detection in detections}
        return (
            tuple(replace(hand, pieces_beside=beside.get(hand, False)) for hand in hands),
            tuple(None if _certainly_closed(hand) else next(candidates) for hand in hands),
        )

    def find(self, image: Image, seats: int, background: Image | None = None) -> tuple[FoundHand, ...]:
        """Return the hands of a BGR picture, open or closed, highest score first: the first stage of `read`.

        seats: number of players. background: see `read`. Raises PictureError for a grey picture, ProfileError if
        the pictures differ in size.
        """
        self._plane = self._plane.fitting(image)
        refuse_grey(image, self._saturation)
        empty = self._profile.background if background is None else background
        if empty is not None and empty.shape != image.shape:
            raise ProfileError(say("The picture and the empty table's picture differ in size: calibrate again."))
        return find_hands(self._networks, image, self._plane, 2 * seats, empty)

    def assign(
        self,
        hands: Sequence[FoundHand],
        candidates: Sequence[tuple[CandidatePiece, ...] | None],
        expectation: Expectation,
    ) -> tuple[HandReading, ...]:
        """Return one reading for each seat that shows a hand: the last stage of `read`.

        candidates: candidate pieces of each hand, None for a certainly closed one.
        """
        seating = expectation.seating or self._profile.seating(expectation.seats)
        by_seat = expectation.limits
        limits = [by_seat[seat] if seat < len(by_seat) else None for seat in range(len(seating))]

        # Seats with the same limits share the contents of each hand.
        alike = [limits.index(limit) for limit in limits]

        @cache
        def contents_of(seat: int) -> Callable[[int], Contents]:
            return cache(lambda index: self._contents(hands[index], candidates[index], limits[seat]))

        def together(one: int, other: int, seat: int) -> float:
            return legal_share(one, other, alike[seat])

        @cache
        def legal_share(one: int, other: int, seat: int) -> float:
            first, second = contents_of(seat)(one), contents_of(seat)(other)
            if first.state == "closed" or second.state == "closed":
                return 1.0
            return joint_hypotheses(first.ranked, second.ranked, limits[seat])[1]

        evidence = self.evidence(hands, candidates, limits)
        shares = assign_hands(evidence, seating, together)
        return tuple(
            seat_reading(seat, shares[seat], contents_of(alike[seat]), limits[seat], exact=expectation.exact)
            for seat in _seats_shown(shares, len(hands))
        )

    def evidence(
        self,
        hands: Sequence[FoundHand],
        candidates: Sequence[tuple[CandidatePiece, ...] | None],
        limits: Sequence[Counts | None],
    ) -> tuple[HandEvidence, ...]:
        """Return the evidence of each hand about its owner: position, score, and how its contents fit each seat.

        candidates: see `assign`. limits: for each seat, the maximum number of each kind; None: no limits.
        """
        places = positions_mm(self._plane, hands).tolist()
        return tuple(
            HandEvidence(
                (x, y), hand.score, lying is None or _is_bare(lying), self._seat_log_likelihoods(lying, limits)
            )
            for hand, lying, (x, y) in zip(hands, candidates, places, strict=True)
        )

    def detect_pieces(
        self,
        image: Image,
        hands: Sequence[FoundHand],
        others: tuple[FoundHand, ...],
        background: Image | None = None,
        number: int = 0,
    ) -> tuple[HandCropDetection, ...]:
        """Run the piece detector on several hands concurrently: the second stage of `read`.

        hands: hands to search. others: all hands of the picture. background, number: see `read`. Where one pass
        does not settle the count, a second one is started, which may still run when this returns.
        """
        exposed = self._exposure(image, background, others)
        empty = self._profile.background if background is None else background
        detections = tuple(
            HandCropDetection(
                self._networks,
                image,
                hand,
                others,
                self._plane,
                self._light_at(hand) * exposed,
                empty,
                number,
            )
            for hand in hands
        )
        for detection in detections:
            detection.recentre()
            if number < _MAX_AUGMENTED_PICTURES and (
                detection.has_loose() or not is_settled(detection.found(), fitted_weights())
            ):
                detection.run_passes(MAX_PASSES)
        return detections

    def classify_pieces(self, detections: Sequence[HandCropDetection]) -> tuple[tuple[CandidatePiece, ...], ...]:
        """Return the candidate pieces of each hand with all evidence: the third stage of `read`."""
        # Hands without a second pass first: meanwhile the other hands' second passes run.
        ready = sorted(detections, key=lambda detection: detection.passes)
        measured = {
            detection: detection.measure(self._models, self._unheld_models, self._areas) for detection in ready
        }
        return classify_candidates([measured[detection] for detection in detections], self._classifier)

    def rank_contents(
        self, candidates: Sequence[CandidatePiece], limits: Counts | None, unenrolled: Sequence[str] = ()
    ) -> tuple[Hypothesis, ...]:
        """Return the possible contents of a hand, most probable first.

        limits: maximum number of each kind; None: no limits. unenrolled: kinds that were not enrolled, but may be
        present.
        """
        possible = [*self._possible_kinds(limits), *unenrolled]
        painted_kinds = [kind for kind in possible if not self._kit.is_printed(kind)]
        signs = [kind for kind in possible if kind not in painted_kinds]
        if not painted_kinds:  # painted pieces are beyond the limits, and of any kind
            painted_kinds = [kind for kind in self.kinds if not self._kit.is_printed(kind)]
        return hypotheses(candidates, painted_kinds, signs, limits, fitted_weights())

    def _possible_kinds(self, limits: Counts | None) -> list[str]:
        """Return the enrolled kinds that a hand with these limits can hold."""
        return [kind for kind in self.kinds if limits is None or limits.get(kind, 0) > 0]

    def _exposure(self, image: Image, empty: Image | None, hands: Sequence[FoundHand]) -> Gains:
        """Return the global gains (b, g, r) from the light of this picture to that of enrolment.

        A camera changes exposure and white balance when hands enter. empty: current picture of the table without
        hands, a closer reference than the calibration's; None: the calibration's. hands: areas that are left out.
        """
        known = self._profile.background
        if known is None or known.shape != image.shape:
            return np.ones(3)
        reference = known if empty is None else empty
        if self._exposure_cache is None or self._exposure_cache[0] is not reference:
            small = cells(reference)
            gains = np.ones(3) if reference is known else exposure_of_cells(cells(known), small)
            self._exposure_cache = (reference, small, gains)
        _, small, gains = self._exposure_cache
        return exposure_of_cells(small, cells(image), [hand.box for hand in hands]) * gains

    def _light_at(self, hand: FoundHand) -> Gains:
        """Return the gains (b, g, r) that even out the lamp's light at a hand, as measured at calibration."""
        if self._profile.table_light is None or self._profile.background is None:
            return np.ones(3)
        light = self._profile.light()
        x, y = hand.centre
        height, width = light.gain.shape
        gain = light.gain[min(max(round(y), 0), height - 1), min(max(round(x), 0), width - 1)]
        return np.asarray(float(gain) * np.array(light.balance), np.float64)

    def _contents(
        self, hand: FoundHand, candidates: tuple[CandidatePiece, ...] | None, limits: Counts | None
    ) -> Contents:
        """Return the state and contents of a hand, if it belongs to a seat with these limits.

        A closed hand in which pieces are detected counts as open. candidates: None for a certainly closed hand.
        """
        certainty = hand.certainty
        if candidates is None:
            return Contents(hand, "closed", certainty, True, ())
        unenrolled = unenrolled_kinds(self._kit, self.kinds, limits)
        shapes = by_shape(candidates, unenrolled) if unenrolled else ()
        if holds_unenrolled(candidates, shapes, self._possible_kinds(limits), fitted_weights()):
            candidates, certainty = shapes, min(certainty, MAX_UNENROLLED_CERTAINTY)
        else:
            unenrolled = ()
        ranked = self.rank_contents(candidates, limits, unenrolled)
        more = may_hold_more(hand, candidates, self._plane.image_size, fitted_weights())
        bare = _is_bare(candidates)
        if bare and hand.state == "open" and hand.score < _MIN_EMPTY_OPEN_SCORE:
            certainty = min(certainty, _MAX_WEAK_OPEN_CERTAINTY)
        if hand.state == "closed":
            if bare:
                return Contents(hand, "closed", certainty, bare, ranked, candidates)
            certainty = min(_OPEN_BY_PIECES, MAX_UNENROLLED_CERTAINTY if unenrolled else 1.0)
        return Contents(hand, "open", certainty, bare, ranked, candidates, more)

    def _seat_log_likelihoods(
        self, candidates: tuple[CandidatePiece, ...] | None, limits: Sequence[Counts | None]
    ) -> tuple[float, ...]:
        """Return the log likelihood of a hand's contents for each seat, relative to the best; 0 for a closed hand.

        candidates: None for a certainly closed hand. limits: see `evidence`.
        """
        if candidates is None:
            return (0.0,) * len(limits)
        missing = sorted({kind for limit in limits for kind in unenrolled_kinds(self._kit, self.kinds, limit)})
        seen = by_shape(candidates, missing) if missing else candidates
        return seat_fits(seen, (*self.kinds, *missing), limits, fitted_weights())


def _is_bare(candidates: Sequence[CandidatePiece]) -> bool:
    """Return whether a hand probably is empty: none of its candidates is probably a piece."""
    return not bool((piece_probabilities(candidates, fitted_weights()) > 0.5).any())


def _certainly_closed(hand: FoundHand) -> bool:
    """Return whether a hand is so certainly closed that it need not be searched for pieces."""
    return hand.state == "closed" and hand.certainty >= _MIN_CERTAINLY_CLOSED


def _seats_shown(shares: Sequence[Sequence[Share]], hands: int) -> list[int]:
    """Return the seats to report, ascending: those that probably show a hand, and each hand's most probable one.

    shares: for each seat, its sets of hands. hands: number of hands.
    """
    of_seats = [sum(share.probability for share in of if share.hands) for of in shares]
    seats = {seat for seat, chance in enumerate(of_seats) if chance > 0.5}
    for hand in range(hands):
        chances = [sum(share.probability for share in of if hand in share.hands) for of in shares]
        best = max(range(len(chances)), key=lambda seat: chances[seat])
        if chances[best] > max(1.0 - sum(chances), _MIN_OWNED_PROBABILITY):
            seats.add(best)
    return sorted(seats)
