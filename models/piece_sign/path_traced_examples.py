"""Training examples of the piece/sign classifier from path-traced hands.

In these, varnish reflects lamps, and pieces lie at any angle.
"""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import cv2
import numpy as np
from rich.progress import track

from models.path_tracing.hand_crops import crop
from models.path_tracing.simulated_enrolment import (
    TracedHand,
    enrolled_areas,
    enrolled_colours,
    piece_kinds,
    read_hands,
    visible_pieces,
)
from models.piece_sign.examples import (
    PICTURE_NUMBERS,
    BoxExamples,
    LabelledPiece,
    Recorder,
    concatenate,
    label_recorded,
    save,
)
from models.synthetic_hand_reveals import SIGNS
from vision.detector.cropping import CropFrame
from vision.detector.inference_augmentation import detect_augmented
from vision.detector.model_set import ModelSet
from vision.hands.candidate_pieces import MIN_CANDIDATE_SCORE, candidate_pieces, with_all_evidence
from vision.hands.hand_contents_reader import MAX_PASSES

VARIANTS = 8
"""Number of augmented pictures per hand."""
_LARGER = 1.1
"""Maximum random enlargement of the crop."""
ENROLLED_PROBABILITY = 0.85
"""Probability that a sign is enrolled."""


def make(source: Path, folder: Path, processes: int | None = None) -> list[Path]:
    """Write the examples of all path-traced hands in a folder, one file each; existing files are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    hands = list(read_hands(source))
    files = [folder / f"{hand.seed}.npz" for hand in hands]
    missing = [(hand, file) for hand, file in zip(hands, files, strict=True) if not file.exists()]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for _ in track(pool.imap_unordered(_make_one, missing), "Detecting in traced hands", total=len(missing)):
            pass
    return files


def _make_one(job: tuple[TracedHand, Path]) -> None:
    """Make the examples of one hand and write them to its file."""
    cv2.setNumThreads(1)
    hand, file = job
    save(hand_examples(hand, ModelSet.shipped()), file)


def hand_examples(hand: TracedHand, networks: ModelSet) -> BoxExamples:
    """Return the examples from `VARIANTS` randomly augmented pictures of one path-traced hand."""
    return concatenate([_varied_examples(hand, networks, number) for number in range(VARIANTS)])


def _varied_examples(hand: TracedHand, networks: ModelSet, number: int) -> BoxExamples:
    """Return the examples from one augmented picture; empty arrays if a visible piece lies beyond its edge."""
    rng = np.random.default_rng([hand.seed, 0x11CE, number])
    there = visible_pieces(hand)
    cut = crop(hand.picture, tuple(one.box for one in there if one.box is not None), rng, max_zoom=_LARGER)
    if len(cut.boxes) < len(there):
        return concatenate([])  # something lies beyond the edge
    square, placed = cut.image, [box for _, box in cut.boxes]
    known = [sign for sign in SIGNS if rng.random() < ENROLLED_PROBABILITY]
    models = enrolled_colours(hand, there, square, placed, rng, known)
    passes = MAX_PASSES if number % len(PICTURE_NUMBERS) == 0 else 1
    middle = (square.shape[1] / 2, square.shape[0] / 2)
    first = PICTURE_NUMBERS[number % len(PICTURE_NUMBERS)]
    seen = detect_augmented(networks.hand_crop_detectors, square, "piece", MIN_CANDIDATE_SCORE, passes, first)
    found = candidate_pieces(seen, middle, passes, CropFrame(0.0, 0.0, 1.0))
    recorder = Recorder()
    if found:
        with_all_evidence(found, square, np.ones(3), models, enrolled_areas(hand, models, rng), middle, recorder)
    ordered_kinds = piece_kinds(hand)
    kinds = [ordered_kinds[one.job_index] for one in there]
    signs = [kind for kind in models if kind in SIGNS]
    lie = [LabelledPiece(box, kind, one.visible) for box, kind, one in zip(placed, kinds, there, strict=True)]
    return label_recorded(recorder, [(one.box, one.score) for one in found], lie, signs)
