"""Read every card on the table from one picture.

Candidate poses come from outlines of card size and from votes of local features (the scale is known from the
calibration). Each is rectified and compared with every enrolled card. A card is identified ("named") when its whole
face, block by block, agrees with one enrolled picture clearly better than with any other, and when edges run along
its outline. Outlines of unidentified cards are reported as unknown cards.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards.deck import CARD_MM
from calibration.errors import ProfileError
from calibration.game_kit import BACK, TILE
from calibration.light.grey_picture_check import refuse_grey, saturation
from calibration.plane import Image, Region, TablePlane
from calibration.profile import TableProfile
from vision.cards.arrangement import LaidCard
from vision.cards.match_confidence import (
    MIN_CONFIDENCE,
    CardMatch,
    NamedCard,
    UnknownCard,
    confidence,
    may_be_named,
    outline_confidence,
    verified_confidence,
)
from vision.cards.outline_detection import EdgeView, Outlines
from vision.cards.pose_votes import MAX_DISTANCE, Ballot, CardPose, Guess, are_near
from vision.cards.rectangle_geometry import overlap
from vision.cards.search_index import (
    MIN_BOARD_MM2,
    PX_PER_MM,
    SAME_SIZE_MM,
    CardIndex,
    Features,
    block_agreements,
    detect_features,
    normalised_picture,
    rotated_by_180,
    soften,
)
from vision.games import arrangement
from vision.readings import CardGuess, CardReading, CardsReading, Point

_FEATURES_PER_SQUARE_DM = 12
"""Number of local features detected per square decimetre of the region."""
_EXTRA_FEATURES = 250
"""Number of features added for any region: in a small one the tile alone would use them all."""
_PASS_SHARES = (0.4, 1.0)
"""Share of the features used in each pass: what the first matches need not be compared again."""
_PASS_SHARES_WITH_OUTLINES = (1.0,)
"""The same where cards were found at outlines, so that most features are excluded already."""
_CONTRAST_LIMIT = 2.0
"""Clip limit of the adaptive histogram equalisation."""
_CONTRAST_CELLS = (8, 8)
"""Number of tiles of the adaptive histogram equalisation."""
_MIN_EXCLUDING_CONFIDENCE = 0.5
"""Minimum confidence of a card whose features are excluded from the search."""
_MIN_FIRST_SIMILARITY = 0.2
"""Minimum similarity of a first guess to be refined."""
_MIN_SIMILARITY = 0.45
"""Minimum similarity of a match."""
_MAX_SHARE = 0.8
"""Maximum share of the confidence of one of two cards that cannot be distinguished."""
_SHARE_SCALE = 0.05
"""Scale of the logistic in the similarity difference of two such cards."""
_MAX_STEPS = 4
"""Maximum number of refinement steps of a pose."""
_MAX_STEP_MM = 4.0
"""Maximum shift in one refinement step."""
_MAX_STEP_DEG = 8.0
"""Maximum rotation in one refinement step."""
_MAX_CONVERGED_STEP = 0.02
"""Share of the maximum step below which refinement stops."""


@dataclass(frozen=True, slots=True)
class FoundCard:
    """An enrolled card that was found."""

    id: str
    """Id in the deck; that of a card's back begins with `back:`."""
    place: CardPose
    """Pose on the table."""
    confidence: float
    """Probability that it is this card, 0..1."""
    corners: tuple[Point, Point, Point, Point]
    """Corners, px of the picture."""


@dataclass(frozen=True, eq=False)
class PreparedRegion:
    """A part of the table in a picture, prepared for the search."""

    soft: Image
    """Picture without lens distortion, blurred by `search_index.soften`."""
    plane: TablePlane
    """Plane of the table."""
    region: Region
    """Part of the table, mm."""
    features: Features
    """Local features, strongest first."""

    @classmethod
    def of(
        cls, image: Image, plane: TablePlane, region: Region, features_per_dm2: int, *, equalised: bool = False
    ) -> PreparedRegion:
        """Prepare a part of the table (mm) in a BGR picture: blur the picture, and detect local features.

        equalised: equalise the contrast first, for dim light.
        """
        # Most of a table is never compared with a card: only grey is rectified; cards are sampled from the picture
        # itself.
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        view = plane.rectify(grey, PX_PER_MM, region)
        if equalised:
            view = np.asarray(cv2.createCLAHE(_CONTRAST_LIMIT, _CONTRAST_CELLS).apply(view), np.uint8)
        soft = soften(plane.unbent(image), _typical_scale(plane, region))
        return cls(soft, plane, region, detect_features(view, _feature_count(region, features_per_dm2)))

    def excluding(self, things: Iterable[FoundCard]) -> PreparedRegion:
        """Return a copy without the features on confidently detected cards."""
        covered = np.zeros(self.region.size(PX_PER_MM)[::-1], np.uint8)
        for thing in things:
            if thing.confidence > _MIN_EXCLUDING_CONFIDENCE:
                there = self.region.to_pixels(self.plane.to_table(thing.corners), PX_PER_MM)
                cv2.fillConvexPoly(covered, np.round(there).astype(np.int32), 1)
        columns, rows = np.round(self.features.points).astype(np.int64).T
        return replace(self, features=self.features.chosen(covered[rows, columns] == 0))

    def clearest(self, features_per_dm2: float) -> Features:
        """Return the strongest features: this number per square decimetre of the region, plus a constant."""
        return self.features.first(_feature_count(self.region, features_per_dm2))


def _feature_count(region: Region, features_per_dm2: float) -> int:
    """Return the number of features to detect in a part of the table (mm): a constant, plus this number per dm²."""
    area = (region.right - region.left) * (region.top - region.bottom) / 10_000
    return round(features_per_dm2 * area) + _EXTRA_FEATURES


class CardReader:
    """Reader of the cards on one profile's table, with its enrolled deck."""

    def __init__(self, profile: TableProfile, features_per_dm2: int = _FEATURES_PER_SQUARE_DM) -> None:
        """Build the index. Raises ProfileError for a profile without plane or without cards.

        features_per_dm2: number of local features; more detect faint print, at a cost of time.
        """
        if profile.plane is None:
            raise ProfileError("This table is not calibrated yet: run `companion calibrate` first.")
        if profile.deck is None or not profile.deck.cards:
            raise ProfileError("No card is enrolled yet: run `companion enrol card` first.")
        self._plane = profile.plane
        self._saturation = None if profile.background is None else saturation(profile.background)
        self._index = CardIndex.of(profile.deck)
        self._sizes = _card_sizes(self._index)
        self.features_per_dm2 = features_per_dm2
        self._arrangement = arrangement(profile.game)

    def read(self, image: Image, region: Region | None = None, slot_count: int | None = None) -> CardsReading:
        """Return the cards in a BGR picture: identified ones by falling confidence, then unknown ones.

        region: part of the table (mm) to search; None: all that is visible. slot_count: number of slots of the
        game's arrangement, where known. Cards do not overlap. Raises ProfileError when the picture has another size
        than the calibrated one, PictureError when it is grey.
        """
        start = time.perf_counter()
        plane = self._plane.fitting(image)
        refuse_grey(image, self._saturation)
        region = region or plane.region()
        with ThreadPoolExecutor(1) as beside:
            finding = beside.submit(self._detect_outlines, image, plane, region)
            searched = PreparedRegion.of(image, plane, region, self.features_per_dm2)
            edges, outlines = finding.result()
        at_outlines = self._accept(self._matches_at_outlines(searched, outlines.corners), edges)
        matches = self._find_matches(searched, self.features_per_dm2, [one.match for one in at_outlines])
        named = self._accept(matches, edges)
        unknown = _unknown(outlines, [one.corners for one in named])
        readings = self._readings(named, unknown, plane, slot_count)
        return CardsReading(readings, 1000 * (time.perf_counter() - start))

    def find_cards(self, searched: PreparedRegion, features_per_dm2: int | None = None) -> tuple[FoundCard, ...]:
        """Return all enrolled cards and backs detected in a prepared part of a picture, most similar first.

        features_per_dm2: number of its features to use; None: the reader's own.
        """
        matches = self._find_matches(searched, features_per_dm2 or self.features_per_dm2)
        return tuple(self._as_found(match, searched.plane) for match in matches)

    def _as_found(self, match: CardMatch, plane: TablePlane) -> FoundCard:
        """Return a match with its confidence, and its corners in px."""
        corners = _corners_in_picture(match.place.corners(self._index.sizes[match.card]), plane)
        return FoundCard(self._index.cards[match.card].id, match.place, confidence(match), corners)

    def _detect_outlines(self, image: Image, plane: TablePlane, region: Region) -> tuple[EdgeView, Outlines]:
        """Return the edges in a part of the table, and the outlines of card size among them."""
        edges = EdgeView.of(image, plane, region)
        return edges, edges.find_outlines(self._sizes)

    def _matches_at_outlines(self, searched: PreparedRegion, outlines: NDArray[np.float64]) -> list[CardMatch]:
        """Return the matches of enrolled cards at outlines in table mm, (n, 4, 2)."""
        matches = []
        for corners in outlines:
            (x, y), up = corners.mean(axis=0).tolist(), corners[0] - corners[3]
            place = CardPose(x, y, math.degrees(math.atan2(up[0], up[1])))
            size = np.array([np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(up)])
            row = normalised_picture(
                searched.soft, searched.plane.homography() @ place.to_table, (size[0], size[1])
            )
            fits = np.abs(self._index.sizes - size).max(axis=1) < SAME_SIZE_MM
            upright, turned = (
                np.where(fits, self._index.pictures @ one, -1.0) for one in (row, rotated_by_180(row))
            )
            is_upright = upright.max() >= turned.max()
            guess = Guess(int(np.argmax(upright if is_upright else turned)), place)
            match = self._verify(
                searched, guess if is_upright else replace(guess, place=place.moved(0.0, 0.0, 180.0))
            )
            if match is not None:
                matches.append(match)
        return matches

    def _find_matches(
        self, searched: PreparedRegion, features_per_dm2: int, known: Sequence[CardMatch] = ()
    ) -> list[CardMatch]:
        """Return all matches, most similar first: the known ones, and those that local features vote for."""
        matches = list(known)
        for share in _PASS_SHARES_WITH_OUTLINES if known else _PASS_SHARES:
            left = searched.excluding([self._as_found(match, searched.plane) for match in matches])
            self._add_voted(matches, left, left.clearest(share * features_per_dm2))
        return sorted(matches, key=lambda match: -match.likeness)

    def _add_voted(self, matches: list[CardMatch], searched: PreparedRegion, seen: Features) -> None:
        """Append to `matches` those that local features vote for."""
        if len(seen.points) == 0:
            return
        ballot = Ballot.of(seen, self._nearest_features(seen), self._index, searched.region)
        for cell in ballot.cells():
            if any(are_near(ballot.rough_pose(cell), match.place) for match in matches):
                continue
            guess = ballot.guess(cell)
            match = None if guess is None else self._verify(searched, guess)
            if match is not None and not any(are_near(match.place, other.place) for other in matches):
                matches.append(match)

    def _nearest_features(self, seen: Features) -> NDArray[np.int64]:
        """Return each feature's nearest enrolled one: rows (index in `seen`, index of the enrolled one, distance).

        Features without a similar enrolled one are left out.
        """
        nearest, distances = self._index.nearest(seen.descriptors)
        table = np.column_stack([np.arange(len(nearest)), nearest, distances])
        return np.asarray(table[distances <= MAX_DISTANCE], np.int64)

    def _verify(self, searched: PreparedRegion, guess: Guess) -> CardMatch | None:
        """Return a guess refined by Lucas-Kanade steps; None if it matches badly, or another card better."""
        index = self._index
        own, pull = index.pictures[guess.card], index.displacement_matrices[guess.card]
        best, row = guess.place, self._picture_at(searched, guess)
        likeness = float(row @ own)
        if likeness < _MIN_FIRST_SIMILARITY:
            return None
        for _ in range(_MAX_STEPS):
            right, down, turn = (pull @ (own - row)).tolist()
            far = max(math.hypot(right, down) / _MAX_STEP_MM, abs(turn) / _MAX_STEP_DEG)
            if far < _MAX_CONVERGED_STEP:
                break
            moved = best.moved(right / max(1.0, far), down / max(1.0, far), turn / max(1.0, far))
            there = self._picture_at(searched, Guess(guess.card, moved))
            if float(there @ own) <= likeness:
                break
            best, row, likeness = moved, there, float(there @ own)
        if likeness < _MIN_SIMILARITY:
            return None
        same_size = np.abs(index.sizes - index.sizes[guess.card]).max(axis=1) < SAME_SIZE_MM
        # Boards of one game share most of their print: their owner is determined elsewhere.
        same_size &= index.sizes.prod(axis=1) < MIN_BOARD_MM2
        # Rotated by 180 degrees it may match another card.
        upright, turned = index.pictures @ row, index.pictures @ rotated_by_180(row)
        likenesses = np.maximum(upright, turned)
        twins = np.flatnonzero(index.alike[guess.card])
        others = np.where(same_size, likenesses, -1.0)
        others[[guess.card, *twins]] = -1.0
        runner_up = max(0.0, float(others.max()))
        if runner_up >= likeness:
            return None
        shares = np.exp((likenesses[twins] - likeness) / _SHARE_SCALE)
        shares /= 1.0 + shares.sum()
        alternatives = tuple((int(twin), float(share)) for twin, share in zip(twins, shares, strict=True))
        return CardMatch(guess.card, best, likeness, likeness - runner_up, block_agreements(row, own), alternatives)

    def _accept(self, matches: Sequence[CardMatch], edges: EdgeView) -> list[NamedCard]:
        """Return the matches that identify a card, by falling confidence, without overlaps."""
        if not matches:
            return []
        outlines = np.stack([match.place.corners(self._index.sizes[match.card]) for match in matches])
        named = []
        for match, corners, sides in zip(matches, outlines, edges.side_shares(outlines), strict=True):
            card, size = self._index.cards[match.card], self._index.sizes[match.card]
            if card.kind == TILE or size.prod() >= MIN_BOARD_MM2:
                named.append(NamedCard(match, corners, confidence(match)))  # things lie on it
            elif may_be_named(match, sides):
                named.append(
                    NamedCard(match, corners, verified_confidence(match, sides, is_back=card.kind == BACK))
                )
        kept: list[NamedCard] = []
        confident = [one for one in named if one.confidence >= MIN_CONFIDENCE]
        for one in sorted(confident, key=lambda one: -one.confidence):
            if not any(overlap(one.corners, other.corners) for other in kept):
                kept.append(one)
        return kept

    def _picture_at(self, searched: PreparedRegion, guess: Guess) -> NDArray[np.float32]:
        """Return the picture of a guessed card at its guessed pose, normalised for comparison with the index."""
        width, height = self._index.sizes[guess.card].tolist()
        to_pixels = searched.plane.homography() @ guess.place.to_table
        return normalised_picture(searched.soft, to_pixels, (width, height))

    def _readings(
        self, named: Sequence[NamedCard], unknown: Sequence[UnknownCard], plane: TablePlane, slot_count: int | None
    ) -> tuple[CardReading, ...]:
        """Return the readings of identified cards, then of unknown ones, with their slots."""
        cards = self._index.cards
        laid = [LaidCard(cards[one.match.card], _middle(one.corners), one.match.place.angle) for one in named]
        laid += [LaidCard(None, _middle(one.corners), 0.0) for one in unknown]
        slots = self._arrangement(laid, slot_count)
        readings = []
        for one, slot in zip(named, slots, strict=False):
            best, *others = self._possible_cards(one)
            is_back = cards[one.match.card].kind == BACK
            corners = _corners_in_picture(one.corners, plane)
            state: Literal["face_down", "known"] = "face_down" if is_back else "known"
            card = None if is_back else best.card
            readings.append(CardReading(card, best.confidence, corners, slot, state, tuple(others)))
        for outline, slot in zip(unknown, slots[len(named) :], strict=True):
            corners = _corners_in_picture(outline.corners, plane)
            readings.append(CardReading(None, outline.confidence, corners, slot, "unknown"))
        return tuple(readings)

    def _possible_cards(self, one: NamedCard) -> list[CardGuess]:
        """Return the identified card and those that look like it, most probable first, with their confidences."""
        match = one.match
        if not match.alternatives:
            return [CardGuess(self._index.cards[match.card].id, one.confidence)]
        shares = [(match.card, 1.0 - sum(share for _, share in match.alternatives)), *match.alternatives]
        return [
            CardGuess(self._index.cards[card].id, round(one.confidence * min(share, _MAX_SHARE), 4))
            for card, share in sorted(shares, key=lambda pair: -pair[1])
        ]


def _typical_scale(plane: TablePlane, region: Region) -> float:
    """Return the scale at the centre of a part of the table, px/mm."""
    middle = ((region.left + region.right) / 2, (region.bottom + region.top) / 2)
    scale = float(plane.px_per_mm_at(middle))
    return scale if math.isfinite(scale) else PX_PER_MM


def _unknown(outlines: Outlines, covered: Sequence[NDArray[np.float64]]) -> list[UnknownCard]:
    """Return the outlines that overlap none of the identified cards, most confident first.

    covered: corners of those cards in table mm, (4, 2) each.
    """
    left = [
        UnknownCard(corners, outline_confidence(score))
        for corners, score in zip(outlines.corners, outlines.scores.tolist(), strict=True)
        if not any(overlap(corners, other) for other in covered)
    ]
    return sorted(left, key=lambda outline: -outline.confidence)


def _card_sizes(index: CardIndex) -> list[tuple[float, float]]:
    """Return the distinct sizes of an index's cards (width, height in mm), boards and tiles left out.

    The standard size is returned for an index without cards.
    """
    sizes: list[tuple[float, float]] = []
    for card, (width, height) in zip(index.cards, index.sizes.tolist(), strict=True):
        known = any(abs(width - w) < SAME_SIZE_MM and abs(height - h) < SAME_SIZE_MM for w, h in sizes)
        if card.kind != TILE and width * height < MIN_BOARD_MM2 and not known:
            sizes.append((width, height))
    return sizes or [CARD_MM]


def _corners_in_picture(corners: NDArray[np.float64], plane: TablePlane) -> tuple[Point, Point, Point, Point]:
    """Return corners in table mm (4, 2) as points in px of the picture."""
    a, b, c, d = ((float(x), float(y)) for x, y in plane.to_image(corners))
    return a, b, c, d


def _middle(corners: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean of corners, (4, 2)."""
    x, y = corners.mean(axis=0)
    return float(x), float(y)
