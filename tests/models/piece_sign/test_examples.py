"""Views to train with: rendered tables, enrolled and read as in play."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.piece_sign import examples
from models.piece_sign.examples import FIRST_SEED, LEVELS, BoxExamples, load, table_examples
from tests.models.making import make_here
from vision.hands.piece_sign_classifier import NOTHING, NOWHERE, OTHER, OUTCOMES, PAINTED, PLANES, SIDE_PX, SIGN

pytestmark = pytest.mark.slow

SEED = FIRST_SEED + 4


@pytest.fixture(scope="module")
def made() -> BoxExamples:
    return table_examples(SEED)


def test_a_table_gives_views_of_pieces_signs_and_of_what_is_neither(made: BoxExamples) -> None:
    assert made.views.shape == (len(made.outcomes), 2, PLANES, SIDE_PX, SIDE_PX)
    counts = np.bincount(made.outcomes.ravel(), minlength=len(OUTCOMES))
    assert counts[PAINTED] > 50
    assert counts.min() > 0
    assert 0 < made.more.sum() < counts[PAINTED] / 10
    assert np.abs(made.views.astype(np.float32) / LEVELS).max() <= -NOWHERE


def test_what_is_one_sign_is_another_beside_the_other(made: BoxExamples) -> None:
    first, second = made.outcomes.T
    assert ((first == SIGN) == (second == OTHER)).all()
    assert ((first == OTHER) == (second == SIGN)).all()
    assert ((first == second) == (first <= PAINTED)).all()


def test_search_pieces_fit_their_wood_better_than_all_else_does(made: BoxExamples) -> None:
    middle = slice(SIDE_PX // 2 - 4, SIDE_PX // 2 + 4)
    fits = made.views[:, 0, 4, middle, middle].mean(axis=(1, 2)) / LEVELS
    search, nothing, *signs = (
        np.median(fits[made.outcomes[:, 0] == shown]) for shown in (PAINTED, NOTHING, SIGN, OTHER)
    )
    assert search > nothing
    assert search > 1 + max(signs)


def test_what_was_made_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: BoxExamples) -> None:
    asked = list[int]()

    def noted(seed: int) -> BoxExamples:
        asked.append(seed)
        return made

    monkeypatch.setattr(examples, "table_examples", noted)
    monkeypatch.setattr(examples, "make_missing", make_here)
    (file,) = examples.make(tmp_path, 1)
    assert asked == [FIRST_SEED]
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    read = load([file, file])
    assert (read.views == np.concatenate([made.views, made.views])).all()
    assert len(read.outcomes) == len(read.more) == 2 * len(made.outcomes)
