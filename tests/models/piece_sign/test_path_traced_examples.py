"""Views to train with of one path-traced hand, which holds seven blue pieces and a sign."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.path_tracing.simulated_enrolment import TracedHand, read_hands
from models.piece_sign import path_traced_examples
from models.piece_sign.examples import LEVELS, BoxExamples, load
from models.piece_sign.path_traced_examples import VARIANTS, hand_examples, make
from vision.detector.model_set import ModelSet
from vision.hands.piece_sign_classifier import NOWHERE, OTHER, OUTCOMES, PAINTED, PLANES, SIDE_PX, SIGN, SIGN_PLANES

pytestmark = pytest.mark.slow

RENDERED = Path(__file__).parent / "traced"


@pytest.fixture(scope="module")
def hand() -> TracedHand:
    (only,) = read_hands(RENDERED)
    return only


@pytest.fixture(scope="module")
def seen(hand: TracedHand) -> BoxExamples:
    return hand_examples(hand, ModelSet.shipped())


def test_a_hand_is_read_beside_what_was_ordered(hand: TracedHand) -> None:
    assert sorted(one.job_index for one in hand.pieces) == list(range(8))
    assert [face is not None for face in hand.faces] == [False] * 7 + [True]


def test_each_photograph_gives_views_of_what_was_found(seen: BoxExamples) -> None:
    assert seen.views.shape == (len(seen.outcomes), 2, PLANES, SIDE_PX, SIDE_PX)
    counts = np.bincount(seen.outcomes[:, 0], minlength=len(OUTCOMES))
    assert 5 * VARIANTS < counts[PAINTED] <= 7 * VARIANTS
    assert VARIANTS / 2 < counts[SIGN] + counts[OTHER] <= VARIANTS


def test_the_sign_is_the_first_and_never_the_second(seen: BoxExamples) -> None:
    first, second = seen.outcomes.T
    assert (second != SIGN).all()
    # Where the first was not enrolled the second stands for both.
    assert ((first == SIGN) | (first == second)).all()
    assert (second[first == SIGN] == OTHER).all()


def test_wood_fits_pieces_better_than_what_is_round_them(seen: BoxExamples) -> None:
    middle = slice(SIDE_PX // 2 - 4, SIDE_PX // 2 + 4)
    fits = seen.views[seen.outcomes[:, 0] == PAINTED, 0, 4] / LEVELS
    assert np.median(fits[:, middle, middle]) > np.median(fits[:, :4]) + 0.3


def test_signs_that_are_not_enrolled_are_nowhere(hand: TracedHand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_traced_examples, "ENROLLED_PROBABILITY", 0.0)
    seen = hand_examples(hand, ModelSet.shipped())
    assert (seen.views[:, :, SIGN_PLANES] == NOWHERE * LEVELS).all()
    assert (seen.outcomes != SIGN).all()


def test_an_empty_hand_is_looked_into_for_made_up_wood(hand: TracedHand) -> None:
    empty = replace(hand, pieces=(), faces=(), paints=(), areas=())
    seen = hand_examples(empty, ModelSet.shipped())  # it shows pieces of which the truth knows nothing
    assert len(seen.outcomes)
    assert not seen.outcomes.any()


def test_what_was_made_is_kept(tmp_path: Path, seen: BoxExamples) -> None:
    (file,) = make(RENDERED, tmp_path, processes=1)
    read = load([file])
    assert (read.views == seen.views).all()
    before = file.stat().st_mtime_ns
    assert make(RENDERED, tmp_path, processes=1) == [file]
    assert file.stat().st_mtime_ns == before
