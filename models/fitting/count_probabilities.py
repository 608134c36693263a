"""Fit the weights that turn detector scores and colours into probabilities of the pieces in a hand.

`python -m models.fitting.count_probabilities --traced FOLDER` writes vision/hands/counting.json. It uses synthetic
sessions that serve neither training nor evaluation. FOLDER holds path-traced hands that are in no training set
(`make traced`). They weigh as much as the sessions, so that probabilities do not depend on one renderer's pictures.
"""

from __future__ import annotations

import json
import math
import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from calibration.camera.calibrate import calibrate
from calibration.errors import CalibrationError
from calibration.pieces.enrolment import enrol, with_empty_table
from calibration.profile import TableProfile
from models.evaluation.metrics.verdicts import MIN_COUNTED_FRACTION
from models.evaluation.scenes import held_out_parameters
from models.evaluation.scenes.synthetic_sessions import KINDS, SCENES, SyntheticSession, specimens
from models.path_tracing.hand_crops import crop
from models.path_tracing.simulated_enrolment import enrolled_areas, enrolled_colours, read_hands, visible_pieces
from models.synthetic_hand_reveals import SEARCHES, SIGNS
from vision.bounding_boxes import centre, overlap
from vision.cameras.frame import Image
from vision.cameras.simulated.renderer import HandTruth
from vision.cameras.simulated.scene import Scene
from vision.cameras.simulated.table_surfaces import Ground
from vision.detector.cropping import CropFrame
from vision.detector.inference_augmentation import detect_augmented
from vision.detector.model_set import ModelSet
from vision.hands import HandReader
from vision.hands.candidate_pieces import MIN_CANDIDATE_SCORE, CandidatePiece, candidate_pieces, with_all_evidence
from vision.hands.counting import Hypothesis, hypotheses
from vision.hands.hand_contents_reader import MAX_PASSES
from vision.hands.hand_detection import FoundHand
from vision.hands.piece_probabilities import (
    CALIBRATION_FILE,
    HIDING_FEATURES,
    PIECE_FEATURES,
    EvidenceWeights,
    hiding_features,
    kind_area_log_ratio,
    piece_features,
)
from vision.hands.piece_sign_classifier import PieceSignClassifier
from vision.kind_colours import NO_PIECE
from vision.readings import Box, Counts

FIRST_SEED = 901_000
"""Seed of the first session of the fit, used neither for training nor for evaluation."""
ANY = "search:any"
"""Name of the single kind in cases that only evaluate the number of pieces."""
_FRAMES = (0, 3)
"""Frame indices with which each hand is read: 0 allows several passes; 3 uses one pass of the other network."""
_RIDGE = 1.0
"""Strength of the ridge penalty."""
_HELD_OUT_EVERY = 4
"""Every n-th session or path-traced hand is held out to evaluate the fit."""
_SEARCHED_EVERY = 3
"""Every n-th case is used for the simplex search, which is slow."""
_MIN_OVERLAP = 0.1
"""Intersection over union above which a box belongs to a piece."""
_INITIAL_STEP = {"hidden_sign": 0.3, "print": 0.5, "no_print": 0.5, "sign_log_odds": 0.2, "sign": 0.8}
"""Initial step of each parameter of the simplex search, which are those without a logistic regression."""
_PARAMETER_RANGE = {
    "hidden_sign": (0.05, 2.0), "print": (0.0, 2.0), "no_print": (-4.0, 0.0),
    "sign_log_odds": (0.2, 1.5), "sign": (-2.0, 5.0),
}  # fmt: skip # a table of ranges
"""Allowed range of these parameters. Path-traced hands contain no signs. `print` is limited below the value that
fits sessions best (2.7), with which pieces that mirror a lamp are more often read as signs."""


@dataclass(frozen=True, slots=True)
class HandCase:
    """One open hand: its candidate pieces, and the ground truth."""

    held: tuple[CandidatePiece, ...]
    """Its candidate pieces."""
    least: Counts
    """Smallest right count by kind: pieces that are visible enough to be counted."""
    most: Counts
    """Largest right count by kind: all pieces."""
    pieces: tuple[tuple[Box, float], ...] = ()
    """Box (px) and visible fraction of each visible piece."""

    def right(self, counts: Counts) -> bool:
        """Return whether counts by kind are right: no less than the clearly visible pieces, no more than all."""
        kinds = {*self.most, *counts}
        return all(self.least.get(kind, 0) <= counts.get(kind, 0) <= self.most.get(kind, 0) for kind in kinds)


@dataclass(frozen=True, slots=True)
class SessionHand:
    """One open hand of a session."""

    scene: int
    """Number of its scene."""
    hand: HandTruth
    """Ground truth."""
    case: HandCase
    """Its candidate pieces and right counts, for the fit."""


def loss(cases: Sequence[HandCase], calibration: EvidenceWeights) -> float:
    """Return the mean negative log probability that weights assign to the right counts; 0 without cases."""
    return float(np.sum([-math.log(max(1e-3, _probability_of_truth(case, calibration))) for case in cases])) / max(
        1, len(cases)
    )


def match_boxes(pieces: Sequence[Box], boxes: Sequence[Box]) -> dict[int, int]:
    """Match detected boxes one to one with true pieces, best overlap first; return {index of box: index of piece}.

    pieces: boxes of the true pieces. Detected boxes that match no piece are left out.
    """
    fits = [(overlap(piece, box), p, b) for p, piece in enumerate(pieces) for b, box in enumerate(boxes)]
    shown: dict[int, int] = {}
    taken: set[int] = set()
    for fit, piece, box in sorted(fits, reverse=True):
        if fit > _MIN_OVERLAP and piece not in taken and box not in shown:
            shown[box] = piece
            taken.add(piece)
    return shown


def missed_pieces_by_box(
    pieces: Sequence[tuple[Box, float]], boxes: Sequence[Box], scores: Sequence[float]
) -> list[int]:
    """Return, for each detected box, the number of undetected pieces that are nearer to it than to other boxes.

    pieces: true boxes and visible fractions; hardly visible ones do not count. scores: of the detected boxes;
    distances to a box are divided by its score.
    """
    shown = set(match_boxes([box for box, _ in pieces], boxes).values())
    below = [0] * len(boxes)
    for piece, (box, visible) in enumerate(pieces):
        if piece not in shown and visible >= MIN_COUNTED_FRACTION and boxes:
            apart = [
                math.dist(centre(box), centre(other)) / score for other, score in zip(boxes, scores, strict=True)
            ]
            below[apart.index(min(apart))] += 1
    return below


def fit(*sets: Sequence[HandCase]) -> EvidenceWeights:
    """Return the weights that fit several sets of cases best; each set counts equally, whatever its size.

    Two models are fitted by logistic regression: whether a box is a piece, and whether it hides another one. The
    other parameters are found by the simplex method.
    """
    from scipy.optimize import minimize

    case_rows = [
        row for cases in sets for row in _training_rows(cases, 1.0 / max(1, sum(len(case.held) for case in cases)))
    ]
    seen, sizes, real, below, weight = (np.array(column, np.float64) for column in zip(*case_rows, strict=True))
    weight *= len(case_rows) / weight.sum()
    weights = _logistic_regression(seen, real, weight)
    likely = 1.0 / (1.0 + np.exp(-seen @ weights))
    hides = _logistic_regression(sizes, below, weight * likely)
    named = dict(zip((*PIECE_FEATURES, *HIDING_FEATURES), (*weights.tolist(), *hides.tolist()), strict=True))
    fitted = replace(EvidenceWeights(), **named)
    start = np.array([asdict(fitted)[name] for name in _INITIAL_STEP])
    simplex = np.vstack([start, start + np.diag(list(_INITIAL_STEP.values()))])
    as_found = minimize(
        lambda values: sum(loss(cases[::_SEARCHED_EVERY], _with_parameters(fitted, values)) for cases in sets),
        start,
        method="Nelder-Mead",
        options={"maxfev": 90, "initial_simplex": simplex},
    )
    return _with_parameters(fitted, as_found.x)


def _training_rows(
    cases: Sequence[HandCase], weight: float
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64], bool, bool, float]]:
    """Yield for each detected box a training row of the two regressions in `fit`.

    It holds the features by which a box is a piece, those by which it hides another piece, whether it is a piece,
    whether it is the nearest box to an undetected piece, and the given weight.
    """
    for case in cases:
        if not case.held:
            continue
        boxes = [one.box for one in case.held]
        shown = match_boxes([box for box, _ in case.pieces], boxes)
        below = missed_pieces_by_box(case.pieces, boxes, [one.score for one in case.held])
        rows = zip(piece_features(case.held), hiding_features(case.held), below, strict=True)
        for number, (trait, size, more) in enumerate(rows):
            yield trait, size, number in shown, more > 0, weight


def _logistic_regression(
    seen: NDArray[np.float64], true: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weights (features,) of a ridge logistic regression.

    seen: features, (n, features), the first one 1 and unpenalised; true: targets, 0 or 1, (n,); weight: of each
    row, (n,).
    """
    from scipy.optimize import minimize

    def cost(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        evidence = seen @ weights
        losses = np.logaddexp(0.0, evidence) - true * evidence
        residuals = 1.0 / (1.0 + np.exp(-evidence)) - true
        held = np.r_[0.0, weights[1:]]
        total = float((weight * losses).sum() + _RIDGE / 2 * (held**2).sum())
        return total, seen.T @ (weight * residuals) + _RIDGE * held

    return np.asarray(minimize(cost, np.zeros(seen.shape[1]), jac=True, method="L-BFGS-B").x, np.float64)


def _with_parameters(fitted: EvidenceWeights, values: Sequence[float]) -> EvidenceWeights:
    """Return a copy of weights with other values of the parameters in `_INITIAL_STEP`, clipped to their ranges."""
    return replace(
        fitted,
        **{
            name: float(np.clip(value, *_PARAMETER_RANGE[name]))
            for name, value in zip(_INITIAL_STEP, values, strict=True)
        },
    )


def _probability_of_truth(case: HandCase, calibration: EvidenceWeights) -> float:
    """Return the probability that weights assign to the right counts of a hand together."""
    return sum(h.probability for h in ranked_contents(case, calibration) if case.right(h.counts))


def traced_cases(folder: Path, networks: ModelSet) -> list[HandCase]:
    """Return a case for each path-traced hand of a folder, as if the table's pieces had been enrolled.

    The cases only evaluate the number of pieces, not their kinds, as the appearance of signs is known too roughly.
    """
    cases, classifier = list[HandCase](), PieceSignClassifier()
    for hand in read_hands(folder):
        rng, there = np.random.default_rng(hand.seed), visible_pieces(hand)
        cut = crop(hand.picture, tuple(one.box for one in there if one.box is not None), rng, max_zoom=1.0)
        square, placed = cut.image, [box for _, box in cut.boxes]
        found = detect_augmented(networks.hand_crop_detectors, square, "piece", MIN_CANDIDATE_SCORE, MAX_PASSES)
        middle = (square.shape[1] / 2, square.shape[0] / 2)
        held = candidate_pieces(found, middle, MAX_PASSES, CropFrame(0.0, 0.0, 1.0))
        if held:
            models = enrolled_colours(hand, there, square, placed, rng, SIGNS)
            held = with_all_evidence(
                held, square, np.ones(3), models, enrolled_areas(hand, models, rng), middle, classifier
            )
        lie = tuple((box, one.visible) for box, one in zip(placed, there, strict=True))
        seen = sum(one.visible >= MIN_COUNTED_FRACTION for one in hand.pieces)
        cases.append(HandCase(tuple(map(_of_any_kind, held)), {ANY: seen}, {ANY: len(hand.pieces)}, lie))
    return cases


def _of_any_kind(piece: CandidatePiece) -> CandidatePiece:
    """Return a copy of a candidate piece with its evidence reduced to a single kind, `ANY`."""
    best = max(fit for kind, fit in piece.kinds.items() if kind != NO_PIECE)
    rest = {kind: fit for kind, fit in piece.kinds.items() if kind == NO_PIECE}
    return replace(
        piece,
        kinds={ANY: best, **rest},
        area_log_ratios={ANY: kind_area_log_ratio(piece)},
        print={},
        sign_log_odds={},
    )


def ranked_contents(case: HandCase, calibration: EvidenceWeights) -> tuple[Hypothesis, ...]:
    """Return a hand's possible contents, most probable first, without limits from rules."""
    if ANY in case.most:
        return hypotheses(case.held, [ANY], [], None, calibration)
    return hypotheses(case.held, SEARCHES, SIGNS, None, calibration)


def _session_cases(job: tuple[int, Path | None]) -> list[HandCase]:
    """Return the cases of one session. job: its seed, and the ONNX file of another hand-crop detector or None."""
    return [one.case for one in session_hands(*job, numbers=_FRAMES)]


def session_hands(
    seed: int,
    weights: Path | None = None,
    numbers: Sequence[int] = (0,),
    scenes: Iterable[int] = range(SCENES - 1),
) -> list[SessionHand]:
    """Render and enrol the session of a seed, and return all open hands of some scenes with candidate pieces.

    weights: ONNX file of another hand-crop detector; None: the shipped ones. numbers: frame indices with which each
    scene is read (`HandReader.read`), which decide on the inference passes. scenes: numbers of the scenes. A table
    that is too dim or blurred to enrol yields no hands.
    """
    cv2.setNumThreads(1)
    session = SyntheticSession(seed, ground(seed))
    rng = np.random.default_rng([seed, 0xE4])
    profile = enrolled_profile(session.renderer.render, rng)
    if profile is None:
        return []
    reader = HandReader(profile, ModelSet.shipped(weights))
    cases: list[SessionHand] = []
    for scene in scenes:
        image, truth = session.renderer.render_with_truth(session.moment(scene).scene, 100 + scene)
        hands = tuple(perfect_detection(hand) for hand in truth.hands)
        shown = [(hand, known) for hand, known in zip(hands, truth.hands, strict=True) if hand.state == "open"]
        for number in numbers:
            detections = reader.detect_pieces(image, [hand for hand, _ in shown], hands, number=number)
            cases += [
                SessionHand(scene, known, _case(held, known))
                for held, (_, known) in zip(reader.classify_pieces(detections), shown, strict=True)
            ]
    return cases


def ground(seed: int) -> Ground | None:
    """Return the table top of a session: for even seeds a random one of the training kinds, else None (plain)."""
    if seed % 2:
        return None
    return Ground.from_seed(held_out_parameters.checked_seed(seed), kinds=held_out_parameters.TRAINING_GROUNDS)


def enrolled_profile(photo: Callable[[Scene, int], Image], rng: np.random.Generator) -> TableProfile | None:
    """Return a table's profile with all kinds enrolled from rendered pictures; None if they are too dim or blurred.

    photo: renders a scene; the second argument is the seed of its noise.
    """
    try:
        profile = TableProfile(seats=4).calibrated(calibrate(photo(Scene(4, tile=False, sheet=True), 1), 4))
        profile = with_empty_table(profile, photo(Scene(4, tile=False), 2))
        for number, kind in enumerate(KINDS):
            profile = enrol(profile, kind, [photo(specimens(kind, rng), 10 + number)])
    except CalibrationError:
        # Such a table is too dim: people would turn on a lamp.
        return None
    return profile


def _case(held: tuple[CandidatePiece, ...], known: HandTruth) -> HandCase:
    """Return the case of a hand. held: its candidate pieces; known: its ground truth."""
    most = Counter(piece.kind for piece in known.pieces)
    least = Counter(piece.kind for piece in known.pieces if piece.visible >= MIN_COUNTED_FRACTION)
    return HandCase(held, least, most, tuple((piece.box, piece.visible) for piece in known.pieces))


def perfect_detection(hand: HandTruth) -> FoundHand:
    """Return a detection of a hand with the box and the state of its ground truth, and probability 1."""
    return FoundHand("open" if hand.state == "open" else "closed", 1.0, hand.box, 1.0)


@click.command()
@click.option("--sessions", default=200, show_default=True)
@click.option(
    "--traced",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Held-out path-traced hands; each folder weighs as much as the sessions.",
)
@click.option(
    "--weights",
    type=click.Path(exists=True, path_type=Path),
    help="Other weights for the first inference pass on hand crops.",
)
@click.option("--keep/--print-only", default=True, show_default=True, help="Write the weights, or only print them.")
def main(sessions: int, traced: tuple[Path, ...], weights: Path | None, keep: bool) -> None:
    """Fit the weights on three quarters of the hands, evaluate them on the others, and print and write them."""
    with multiprocessing.get_context("spawn").Pool() as pool:
        jobs = pool.imap(_session_cases, [(FIRST_SEED + number, weights) for number in range(sessions)])
        hands = list(track(jobs, "Detecting in hands", total=sessions))
    others = [[[case] for case in traced_cases(folder, ModelSet.shipped(weights))] for folder in traced]
    fitted = fit(*(cases for sets in (hands, *others) if (cases := _joined(sets, held_out=False))))
    click.echo(str(fitted))
    _print_accuracy("hands of held-out sessions", _joined(hands, held_out=True), fitted)
    for folder, sets in zip(traced, others, strict=True):
        _print_accuracy(f"path-traced hands of {folder.name}", _joined(sets, held_out=True), fitted)
    if keep:
        CALIBRATION_FILE.write_text(json.dumps(asdict(fitted), indent=1) + "\n", "utf-8")


def _joined(sets: Sequence[Sequence[HandCase]], *, held_out: bool) -> list[HandCase]:
    """Return the cases of every fourth set, which are held out from the fit, or those of all other sets."""
    return [
        case for number, cases in enumerate(sets) if (number % _HELD_OUT_EVERY == 0) == held_out for case in cases
    ]


def _print_accuracy(title: str, cases: Sequence[HandCase], fitted: EvidenceWeights) -> None:
    """Print how often the most probable counts are right, and their probability, in all and by probability."""
    if not cases:
        return
    tops = [ranked_contents(case, fitted)[0] for case in cases]
    right = np.array([case.right(top.counts) for case, top in zip(cases, tops, strict=True)])
    said = np.array([top.probability for top in tops])
    lost = loss(cases, fitted)
    click.echo(f"{len(right)} {title}: right {right.mean():.3f}, said {said.mean():.3f}, loss {lost:.3f}")
    for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.01)):
        of = (said >= low) & (said < high)
        if of.any():
            click.echo(f"  said {low:.2f} to {min(high, 1):.2f}: {of.sum()} hands, right {right[of].mean():.3f}")


if __name__ == "__main__":
    main()
