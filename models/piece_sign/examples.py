"""Training examples of the piece/sign classifier, from hands over synthetic tables, detected as in play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detector.random_pieces import PieceSet, random_piece_set
from models.detector.scenes import ordinary_scene, session_look, with_darkest_pieces, with_tone_curve
from models.evaluation.scenes.synthetic_sessions import as_sent
from models.fitting.count_probabilities import (
    enrolled_profile,
    match_boxes,
    missed_pieces_by_box,
    perfect_detection,
)
from models.synthetic_hand_reveals import KINDS, SIGNS, card_faces
from models.training_example_files import make_missing, read, write
from vision.cameras.frame import Image
from vision.cameras.simulated import Renderer
from vision.cameras.simulated.scene import HandOnTable, Scene
from vision.detector.model_set import ModelSet
from vision.hands import HandReader
from vision.hands.piece_sign_classifier import NOTHING, OTHER, OUTCOMES, OUTPUTS, PAINTED, PLANES, SIDE_PX, SIGN
from vision.painted_and_printed_kinds import is_painted
from vision.readings import Box

FIRST_SEED = 6_000_000
"""Smallest seed of training tables."""
SCENES = 6
"""Scenes per table."""
LEVELS = 40.0
"""Factor by which input planes are multiplied before they are stored as bytes."""
_SIGN_PROBABILITY = 0.3
"""Probability of each sign in a hand."""
_COUNT_PROBABILITIES = (0.06, 0.12, 0.16, 0.16, 0.14, 0.12, 0.1, 0.08, 0.06)
"""Probability of each number of pieces in a hand, from 0."""
PICTURE_NUMBERS = (0, 3)
"""Index within a series of pictures as which a hand is read; the two alternate.

The first picture gets all inference passes, the other a single one."""


@dataclass(frozen=True, slots=True)
class BoxExamples:
    """Training examples: for each detected box, inputs and true classes for each sign, and missed pieces."""

    views: NDArray[np.int8]
    """Input planes times `LEVELS`, (boxes, signs, planes, 40, 40)."""
    outcomes: NDArray[np.uint8]
    """True class of each box when compared with each sign, (boxes, signs)."""
    more: NDArray[np.uint8]
    """Number of undetected pieces to which each box is the nearest, (boxes,)."""


@dataclass(frozen=True, slots=True)
class LabelledPiece:
    """Ground truth of one piece in a hand."""

    box: Box
    """Box, px."""
    kind: str
    """Kind of the piece."""
    visible: float
    """Visible fraction, 0..1."""


class Recorder:
    """Substitute for the classifier that records its inputs instead of classifying them."""

    def __init__(self) -> None:
        self.views: NDArray[np.float32] | None = None

    def classify(self, views: NDArray[np.float32]) -> NDArray[np.float32]:
        """Record the inputs, and return the same log probability for every class."""
        self.views = views
        return np.full((len(views), OUTPUTS), -np.log(len(OUTCOMES)), np.float32)


def make(folder: Path, tables: int, processes: int | None = None) -> list[Path]:
    """Write the examples of some tables in parallel, one file each; return the files. Existing ones are kept."""
    files = [folder / f"{FIRST_SEED + number}.npz" for number in range(tables)]
    make_missing(files, _make_one, "Detecting in hands", processes)
    return files


def load(files: Sequence[Path]) -> BoxExamples:
    """Read and concatenate the examples in files."""
    views, outcomes, more = read(files, ("views", "outcomes", "more"))
    return BoxExamples(np.asarray(views, np.int8), np.asarray(outcomes, np.uint8), np.asarray(more, np.uint8))


def _make_one(file: Path) -> None:
    """Make the examples of one table and write them; the file's name is the seed."""
    cv2.setNumThreads(1)
    save(table_examples(int(file.stem)), file)


def save(views: BoxExamples, file: Path) -> None:
    """Write examples to a file atomically."""
    write(file, views=views.views, outcomes=views.outcomes, more=views.more)


def table_examples(seed: int) -> BoxExamples:
    """Return examples from the hands over one random table; empty arrays if its pieces cannot be enrolled."""
    rng = np.random.default_rng([seed, 0x11CE])
    made = _with_game_kinds(random_piece_set(rng, pieces=5, signs=2, tokens=4))
    other_light = bool(rng.random() < 0.6)
    renderer = Renderer(replace(session_look(seed), ground=None), {**card_faces(seed), **made.faces}, made.solids)

    coded = bool(rng.random() < 0.5)

    def sent(image: Image) -> Image:
        """Return a picture with this table's random tone curve, perhaps also with a webcam's JPEG compression."""
        return as_sent(with_tone_curve(image, seed)) if coded else with_tone_curve(image, seed)

    def photo(scene: Scene, noise: int) -> Image:
        return sent(renderer.render(scene, noise))

    recorder, seen = Recorder(), list[BoxExamples]()
    profile = enrolled_profile(photo, rng)
    if profile is None:
        return concatenate([])
    reader = HandReader(profile, ModelSet.shipped(), classifier=recorder)
    for number in range(SCENES):
        scene = _with_filled_hands(rng, ordinary_scene(rng, made), made)
        image, truth = renderer.render_with_truth(
            with_darkest_pieces(rng, scene, made) if other_light else scene, 100 + number
        )
        hands = tuple(map(perfect_detection, truth.hands))
        opened = [(hand, known) for hand, known in zip(hands, truth.hands, strict=True) if hand.state == "open"]
        detections = reader.detect_pieces(
            sent(image), [hand for hand, _ in opened], hands, number=PICTURE_NUMBERS[number % 2]
        )
        for detection, (_, known) in zip(detections, opened, strict=True):
            recorder.views = None
            (held,) = reader.classify_pieces([detection])
            pieces = [LabelledPiece(piece.box, piece.kind, piece.visible) for piece in known.pieces]
            seen.append(label_recorded(recorder, [(one.box, one.score) for one in held], pieces, SIGNS))
    return concatenate(seen)


def _with_game_kinds(made: PieceSet) -> PieceSet:
    """Return random pieces renamed to the kinds of *The Wicked Labyrinth*, so that they can be enrolled."""
    names = dict(zip((*made.pieces, *made.signs), KINDS, strict=True))
    solids = {names.get(kind, kind): replace(of, kind=names.get(kind, kind)) for kind, of in made.solids.items()}
    faces = {names.get(kind, kind): face for kind, face in made.faces.items()}
    pieces, signs = (tuple(names[kind] for kind in kinds) for kinds in (made.pieces, made.signs))
    return PieceSet(solids, faces, pieces, signs, made.tokens)


def _with_filled_hands(rng: np.random.Generator, scene: Scene, made: PieceSet) -> Scene:
    """Return a scene with random pieces of one kind, and signs, in its open hands."""

    def filled(hand: HandOnTable) -> HandOnTable:
        count = int(rng.choice(len(_COUNT_PROBABILITIES), p=_COUNT_PROBABILITIES))
        kinds = [str(rng.choice(made.pieces))] * count
        signs = [sign for sign in made.signs if rng.random() < _SIGN_PROBABILITY]
        return replace(hand, pieces=(*kinds, *signs) if hand.openness else ())

    return replace(scene, hands=tuple(map(filled, scene.hands)))


def concatenate(seen: Sequence[BoxExamples]) -> BoxExamples:
    """Concatenate examples."""
    none = BoxExamples(
        np.zeros((0, len(SIGNS), PLANES, SIDE_PX, SIDE_PX), np.int8),
        np.zeros((0, len(SIGNS)), np.uint8),
        np.zeros(0, np.uint8),
    )
    seen = (none, *seen)
    return BoxExamples(
        np.concatenate([of.views for of in seen]),
        np.concatenate([of.outcomes for of in seen]),
        np.concatenate([of.more for of in seen]),
    )


def label_recorded(
    recorder: Recorder, found: Sequence[tuple[Box, float]], pieces: Sequence[LabelledPiece], signs: Sequence[str]
) -> BoxExamples:
    """Return the recorded classifier inputs of a hand's boxes as examples, labelled by the true pieces.

    found: detected boxes with scores. pieces: true pieces in the hand. signs: enrolled ones; if some are missing,
    the inputs of the last one are repeated in their place.
    """
    if recorder.views is None:
        return concatenate([])
    boxes = [box for box, _ in found]
    shown = match_boxes([piece.box for piece in pieces], boxes)
    kinds = [pieces[shown[number]].kind if number in shown else "" for number in range(len(boxes))]
    more = missed_pieces_by_box(
        [(piece.box, piece.visible) for piece in pieces], boxes, [score for _, score in found]
    )
    levels = np.round(recorder.views * LEVELS).astype(np.int8)
    levels = levels.reshape(-1, len(boxes), *recorder.views.shape[1:])
    beside = [min(number, len(levels) - 1) for number in range(len(SIGNS))]
    asked = [signs[number] if signs else "" for number in beside]
    outcomes = [[_true_class(kind, sign) for sign in asked] for kind in kinds]
    return BoxExamples(levels[beside].swapaxes(0, 1), np.array(outcomes, np.uint8), np.array(more, np.uint8))


def _true_class(kind: str, sign: str) -> int:
    """Return the true class of a box compared with a sign: `NOTHING`, `PAINTED`, `SIGN` or `OTHER` (another sign).

    kind: of the piece in the box, "" for none. sign: the one that the box is compared with.
    """
    if kind == "":
        return NOTHING
    return PAINTED if is_painted(kind) else SIGN if kind == sign else OTHER
