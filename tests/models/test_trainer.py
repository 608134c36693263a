"""Tests of the batches that a training gets."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from models import trainer
from models.trainer import Trainer

_EXAMPLES = 10


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Return the examples of each batch of two epochs."""
    monkeypatch.setattr(trainer, "import_pytorch", lambda: None)

    def batch(_: Any, examples: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
        return examples.tolist(), rng.random()

    batches = Trainer(seed=1, batch=4, rate=1e-3, decay=0.0).batches(batch, _EXAMPLES, range(6), "cpu")
    return [examples for examples, _ in batches]


def test_each_epoch_shows_each_example_once(chosen: list[list[int]]) -> None:
    for epoch in (chosen[:3], chosen[3:]):
        assert sorted(itertools.chain.from_iterable(epoch)) == list(range(_EXAMPLES))


def test_epochs_are_shuffled_differently(chosen: list[list[int]]) -> None:
    assert chosen[:3] != chosen[3:]
