"""Candidate pieces in a hand: boxes of the piece detector, with the evidence by which they are classified."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.bounding_boxes import centre, shared
from vision.cameras.frame import Image
from vision.colour import Colours, of_picture
from vision.detector import CLOSE_PX_PER_MM, CROP_PX, Detection
from vision.detector.cropping import CropFrame
from vision.detector.inference_augmentation import AugmentedDetection
from vision.detector.model_set import ModelSet
from vision.hands.hand_detection import FoundHand
from vision.hands.palm_height_scale import hand_crop
from vision.hands.piece_sign_classifier import (
    HIDES,
    NOTHING,
    PAINTED,
    SIGN,
    InputPlanes,
    PieceSignModel,
    input_planes,
)
from vision.hands.printed_sign_visibility import sign_print_visibility
from vision.hands.skin import learn_skin
from vision.kind_colours import NO_PIECE, KindColours, kind_likelihoods, learn_no_piece, likeliest_painted_kind
from vision.readings import Box

MIN_CANDIDATE_SCORE = 0.08
"""Minimum detector score of a candidate piece."""
_MIN_LOOSE_SCORE = 0.3
"""Score from which a detection labelled `loose` in a hand causes another inference pass: at a hand's edge, a held
piece may be detected as loose on the table."""
_INSET_PX = 16
"""Margin of the crop that inference passes leave out, px: pieces lie within 70 mm of a hand's centre along each
axis. Colours are compared over the whole crop."""
_MIN_EDGE_DISTANCE_PX = 5.0
"""Minimum distance of pieces from the edge of the evaluated area, px of the crop; below it, the crop is moved."""
_MIN_PRESENT_SCORE = 0.2
"""Minimum score of a box that counts as covering the skin below it."""
_MIN_WOOD_SCORE = 0.3
"""Minimum score of the boxes that determine the kind of a hand's painted pieces; without such boxes, all do."""
_MIN_BESIDE_SCORE = 0.3
"""Minimum score of a piece that is detected outside all hands. Beside the 498 hands of 32 held-out sessions, the
highest score is 0.28."""
_MIN_INSIDE = 0.05
"""Minimum depth of a piece's centre inside the hand's box, as a share of its size; excludes pieces beside a
finger."""
_MARGIN_PX = 2
"""Margin around a box in the comparison with the empty table, px."""
_MIN_CONTRAST = 10.0
"""Minimum contrast (standard deviation, grey levels) of the empty table to compare a box with it."""
_MIN_SAME_CORRELATION = 0.88
"""Minimum normalised correlation of a box that shows the same thing as the empty table."""


@dataclass(frozen=True, slots=True, eq=False)
class CandidatePiece:
    """A detected box that may be a piece in a hand, with the evidence for each kind. Compared by identity."""

    box: Box
    """Box, px of the picture."""
    in_crop: Box
    """Box, px of the crop."""
    score: float
    """Score of the piece detector, 0..1."""
    covered: float
    """Largest share of the box that one box with a higher score covers, 0..1."""
    kinds: Mapping[str, float] = field(default_factory=dict)
    """Log likelihood of the box's colours by kind, including NO_PIECE; empty where not computed."""
    unheld_kind_fit: float = -math.inf
    """Highest log likelihood of the box's colours by an enrolled kind that hands cannot hold."""
    skin: float = 1.0
    """Share of the rim around the box that is the hand's skin, 0..1."""
    print: Mapping[str, float] = field(default_factory=dict)
    """Visibility (0..1) of each sign's print in the box; empty where not computed."""
    centre_distance_mm: float = 0.0
    """Distance from the centre of the hand, mm."""
    passes: int = 1
    """Number of inference passes that contributed to the box."""
    area_log_ratios: Mapping[str, float] = field(default_factory=dict)
    """Log ratio of the box's area to each enrolled kind's; empty where not computed."""
    piece_log_odds: float | None = None
    """Piece/sign classifier's log odds of any piece against none; None where not computed."""
    sign_log_odds: Mapping[str, float] = field(default_factory=dict)
    """Piece/sign classifier's log odds of each sign against a painted piece."""
    hidden_log_count: float | None = None
    """Logarithm of the number of hidden pieces that the piece/sign classifier expects; None where not computed."""


@dataclass(frozen=True, slots=True)
class MeasuredCandidates:
    """Candidate pieces of one hand, and the input for the piece/sign classifier, which has not run yet."""

    candidates: tuple[CandidatePiece, ...]
    """Candidates with the evidence of colours, print and skin."""
    views: InputPlanes
    """Input of the piece/sign classifier, by sign."""


class HandCropDetection:
    """Detection of the pieces in one open hand, by asynchronous inference passes over the hand's crop.

    Passes are started without waiting, so that several hands are processed concurrently. hand: the hand to
    search. others: all hands of the picture. light: gains (b, g, r) to the light of enrolment. empty: the table
    without hands; boxes that look the same in it are dropped. first: index in `ORIENTATIONS` of the first
    pass's orientation.
    """

    def __init__(
        self,
        networks: ModelSet,
        image: Image,
        hand: FoundHand,
        others: tuple[FoundHand, ...],
        plane: TablePlane,
        light: NDArray[np.float64],
        empty: Image | None = None,
        first: int = 0,
    ) -> None:
        self._first = first
        self._image, self.hand, self._others, self._plane = image, hand, others, plane
        self._networks, self._light, self._empty = networks, light, empty
        self._found: tuple[int, tuple[CandidatePiece, ...]] | None = None
        self._set_crop(hand_crop(plane, hand.centre))

    def run_passes(self, total: int) -> None:
        """Start further inference passes, until `total` have been started; do not wait for results."""
        self._passes.begin(total - 1)

    def recentre(self) -> None:
        """If a piece lies at the crop's edge, move the crop to the pieces' centre and start the passes again."""
        found = self.found()
        if not any(_at_edge(piece.in_crop) for piece in found):
            return
        middles = np.array([[x + w / 2, y + h / 2] for x, y, w, h in (piece.box for piece in found)])
        x, y = (middles.min(axis=0) + middles.max(axis=0)) / 2
        self._set_crop(hand_crop(self._plane, (float(x), float(y))))

    def found(self) -> tuple[CandidatePiece, ...]:
        """Wait for the passes started so far; return their candidate pieces, without evidence for kinds."""
        if self._found is None or self._found[0] != self._passes.passes:
            frame, hand, others = self._frame, self.hand, self._others
            mine = [p for p in self._passes.fused(MIN_CANDIDATE_SCORE) if _lies_in(frame.box(p.box), hand, others)]
            self._found = self.passes, candidate_pieces(mine, self._middle(), self.passes, frame)
        return self._found[1]

    def has_loose(self) -> bool:
        """Return whether a detection in the hand is labelled `loose`, as a piece that lies on the table.

        It calls for another inference pass.
        """
        return any(
            _lies_in(self._frame.box(one.box), self.hand, self._others)
            for one in self._passes.fused(_MIN_LOOSE_SCORE, "loose")
        )

    def has_pieces_beside(self) -> bool:
        """Return whether pieces were detected outside all hands, and not on the empty table already."""
        boxes = [self._frame.box(one.box) for one in self._passes.fused(_MIN_BESIDE_SCORE)]
        return any(
            all(_depth(box, hand.box) <= _MIN_INSIDE for hand in self._others)
            and (self._empty is None or not _unchanged(self._image, self._empty, box))
            for box in boxes
        )

    @property
    def passes(self) -> int:
        """Number of inference passes started so far."""
        return self._passes.passes

    def measure(
        self, models: Mapping[str, KindColours], unheld: Mapping[str, KindColours], areas: Mapping[str, float]
    ) -> MeasuredCandidates:
        """Return the candidate pieces with all evidence but that of the piece/sign classifier, and its input.

        models, unheld, areas: see `measure_candidates`.
        """
        found = self.found()
        if self._empty is not None:
            found = tuple(piece for piece in found if not _unchanged(self._image, self._empty, piece.box))
        return measure_candidates(found, self._crop, self._light, models, areas, self._middle(), unheld)

    def _middle(self) -> tuple[float, float]:
        """Return the centre of the hand's box, px of the crop."""
        frame, (x, y) = self._frame, self.hand.centre
        return (x - frame.left) * frame.scale, (y - frame.top) * frame.scale

    def _set_crop(self, frame: CropFrame) -> None:
        """Replace the crop and start the first inference pass on it. frame: its placement in the picture."""
        self._frame, self._crop = frame, frame.picture(self._image)
        self._found = None
        self._passes = AugmentedDetection(
            self._networks.hand_crop_detectors, self._crop, "piece", self._first, _INSET_PX
        )
        self._passes.begin()


def candidate_pieces(
    found: Sequence[Detection], middle: tuple[float, float], passes: int, frame: CropFrame
) -> tuple[CandidatePiece, ...]:
    """Convert piece detections in a hand's crop to candidate pieces, without evidence for kinds.

    found: boxes in px of the crop. middle: centre of the hand, px of the crop. passes: number of inference passes.
    frame: placement of the crop in the picture.
    """
    return tuple(
        CandidatePiece(
            frame.box(one.box),
            one.box,
            one.score,
            covered_share(one, found),
            passes=passes,
            centre_distance_mm=math.dist(centre(one.box), middle) / CLOSE_PX_PER_MM,
        )
        for one in found
    )


def with_all_evidence(
    found: tuple[CandidatePiece, ...],
    crop: Image,
    light: NDArray[np.float64],
    models: Mapping[str, KindColours],
    areas: Mapping[str, float],
    middle: tuple[float, float],
    classifier: PieceSignModel,
) -> tuple[CandidatePiece, ...]:
    """Return one hand's candidate pieces with all evidence, that of the piece/sign classifier included.

    Parameters: see `measure_candidates`.
    """
    return classify_candidates([measure_candidates(found, crop, light, models, areas, middle)], classifier)[0]


def measure_candidates(
    found: tuple[CandidatePiece, ...],
    crop: Image,
    light: NDArray[np.float64],
    models: Mapping[str, KindColours],
    areas: Mapping[str, float],
    middle: tuple[float, float],
    unheld: Mapping[str, KindColours] = MappingProxyType({}),
) -> MeasuredCandidates:
    """Return a hand's candidates with evidence of colours, print and skin, and the piece/sign classifier's input.

    found: candidates without evidence for kinds. crop: BGR. light: gains (b, g, r) to the light of enrolment.
    models: colour model of each kind. areas: area of the smallest rectangle around each kind as enrolled, mm².
    middle: centre of the hand, px of the crop. unheld: colour model of each enrolled kind that hands cannot hold.
    """
    if not found:
        return MeasuredCandidates((), {})
    colours = of_picture(crop, light)
    rest = learn_no_piece(crop, light, [piece.in_crop for piece in found])
    known = dict(models) if rest is None else {**models, NO_PIECE: rest}
    evidence = kind_likelihoods(colours, [piece.in_crop for piece in found], {**known, **unheld})
    outputs = tuple(
        replace(
            piece,
            kinds={kind: fits[kind] for kind in known},
            unheld_kind_fit=max((fits[kind] for kind in unheld), default=-math.inf),
            area_log_ratios=_area_log_ratios(piece.in_crop, areas),
        )
        for piece, fits in zip(found, evidence, strict=True)
    )
    shown = input_planes(
        colours,
        [one.in_crop for one in outputs],
        [one.score for one in outputs],
        most_probable_painted_kind(outputs),
        known,
        areas,
    )
    return MeasuredCandidates(with_skin(with_print(outputs, colours, known), crop, colours, light, middle), shown)


def with_skin(
    candidates: tuple[CandidatePiece, ...],
    crop: Image,
    colours: Colours,
    light: NDArray[np.float64],
    middle: tuple[float, float],
) -> tuple[CandidatePiece, ...]:
    """Return copies of candidates with the share of skin around each; the same ones if too little skin is visible.

    crop: BGR; colours: the same crop as log-opponent colours. light: gains (b, g, r) to the light of enrolment.
    middle: centre of the hand, px of the crop.
    """
    skin = learn_skin(crop, light, middle, [piece.in_crop for piece in candidates])
    if skin is None:
        return candidates
    present = [piece for piece in candidates if piece.score > _MIN_PRESENT_SCORE]
    others = [[other.in_crop for other in present if other is not piece] for piece in candidates]
    rims = skin.rim_shares(colours, [piece.in_crop for piece in candidates], others)
    return tuple(replace(piece, skin=rim) for piece, rim in zip(candidates, rims, strict=True))


def with_print(
    candidates: tuple[CandidatePiece, ...], colours: Colours, models: Mapping[str, KindColours]
) -> tuple[CandidatePiece, ...]:
    """Return copies of candidate pieces with the visibility of each sign's print; unchanged ones for low scores.

    colours: crop as log-opponent colours. models: colour model of each kind.
    """
    present = [piece for piece in candidates if piece.score > _MIN_PRESENT_SCORE]
    seen = iter(
        sign_print_visibility(colours, [one.in_crop for one in present], [one.kinds for one in present], models)
    )
    return tuple(
        replace(piece, print=next(seen)) if piece.score > _MIN_PRESENT_SCORE else piece for piece in candidates
    )


def classify_candidates(
    hands: Sequence[MeasuredCandidates], classifier: PieceSignModel
) -> tuple[tuple[CandidatePiece, ...], ...]:
    """Return, for each hand, copies of its candidate pieces with the outputs of the piece/sign classifier."""
    shown = [view for hand in hands for view in hand.views.values()]
    if not shown:
        return tuple(hand.candidates for hand in hands)
    outputs = classifier.classify(np.concatenate(shown))
    ends = np.cumsum([len(hand.views) * len(hand.candidates) for hand in hands])
    return tuple(
        _with_outputs(hand.candidates, tuple(hand.views), part)
        for hand, part in zip(hands, np.split(outputs, ends[:-1]), strict=True)
    )


def _with_outputs(
    candidates: tuple[CandidatePiece, ...], seen: Sequence[str], raw: NDArray[np.float32]
) -> tuple[CandidatePiece, ...]:
    """Return copies of candidate pieces with the piece/sign classifier's outputs.

    seen: signs that the candidates were compared with. raw: outputs, (signs · candidates, OUTPUTS), sign by sign.
    """
    if not seen:
        return candidates
    outputs = raw.reshape(len(seen), len(candidates), -1)
    pieces = np.logaddexp.reduce(outputs[:, :, PAINTED:HIDES], axis=2) - outputs[:, :, NOTHING]
    signs = {sign: of[:, SIGN] - of[:, PAINTED] for sign, of in zip(seen, outputs, strict=True) if sign}
    return tuple(
        replace(
            one,
            piece_log_odds=float(piece),
            sign_log_odds={sign: float(of[number]) for sign, of in signs.items()},
            hidden_log_count=float(more),
        )
        for number, (one, piece, more) in enumerate(
            zip(candidates, pieces.mean(axis=0), outputs[:, :, HIDES].mean(axis=0), strict=True)
        )
    )


def most_probable_painted_kind(candidates: Sequence[CandidatePiece]) -> str | None:
    """Return the kind of painted piece that best fits the colours in high-scoring boxes; None without evidence."""
    strong = [one.kinds for one in candidates if one.score > _MIN_WOOD_SCORE] or [one.kinds for one in candidates]
    return likeliest_painted_kind(strong)


def _unchanged(image: Image, empty: Image, box: Box) -> bool:
    """Return whether a box (px of the picture) looks the same in the picture of the empty table.

    Parts of the table are visible between fingers. False if the table is plain there, so that nothing can be
    compared.
    """
    x, y, width, height = box
    left, top = max(0, int(x) - _MARGIN_PX), max(0, int(y) - _MARGIN_PX)
    cut = (slice(top, int(y + height) + _MARGIN_PX + 1), slice(left, int(x + width) + _MARGIN_PX + 1))
    now, then = image[cut], empty[cut]
    # A plain surface correlates with anything plain: compare only where there is contrast.
    if min(now.shape[:2]) < 2 or float(cv2.meanStdDev(then)[1].max()) < _MIN_CONTRAST:
        return False
    correlation = float(cv2.matchTemplate(now, then, cv2.TM_CCOEFF_NORMED)[0, 0])
    return correlation > _MIN_SAME_CORRELATION


def _lies_in(box: Box, hand: FoundHand, others: tuple[FoundHand, ...]) -> bool:
    """Return whether the centre of a box lies in this hand's box, and at least as deep as in any other hand's."""
    own = _depth(box, hand.box)
    return own > _MIN_INSIDE and all(own >= _depth(box, other.box) for other in others if other is not hand)


def _depth(piece: Box, hand: Box) -> float:
    """Return a piece's relative depth in a hand's box: 0.5 at its centre, 0 on its edge, negative outside."""
    x = (piece[0] + piece[2] / 2 - hand[0]) / max(hand[2], 1.0)
    y = (piece[1] + piece[3] / 2 - hand[1]) / max(hand[3], 1.0)
    return min(x, 1 - x, y, 1 - y)


def _area_log_ratios(box: Box, areas: Mapping[str, float]) -> dict[str, float]:
    """Return the log ratio of a box's area (px of the crop) to each kind's area (mm²)."""
    own = max(1.0, box[2] * box[3]) / CLOSE_PX_PER_MM**2
    return {kind: math.log(own / max(1.0, area)) for kind, area in areas.items()}


def _at_edge(box: Box) -> bool:
    """Return whether a box (px of the crop) lies at the edge of the area that inference passes evaluate."""
    x, y, width, height = box
    return min(x, y, CROP_PX - x - width, CROP_PX - y - height) < _INSET_PX + _MIN_EDGE_DISTANCE_PX


def covered_share(piece: Detection, pieces: Sequence[Detection]) -> float:
    """Return the largest share (0..1) of a detection's box that another one with a higher score covers."""
    own = piece.box[2] * piece.box[3]
    stronger = (other for other in pieces if other.score > piece.score)
    return max((shared(piece.box, other.box) / own for other in stronger), default=0.0)
