from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.fitting.small_network_ensembles import TrainingConfig, train_ensemble


def test_an_ensemble_learns_what_no_line_can_separate() -> None:
    rng = np.random.default_rng(0)
    rows = rng.uniform(-1, 1, (2000, 2)).astype(np.float32)
    targets = np.eye(2, dtype=np.float32)[(rows.prod(axis=1) > 0).astype(int)]
    learned = train_ensemble(rows, targets, TrainingConfig(hidden=24, epochs=40, noise=0.02))
    other = rng.uniform(-1, 1, (500, 2)).astype(np.float32)
    assert np.mean((learned(other)[:, 1] > 0.5) == (other.prod(axis=1) > 0)) > 0.93


def test_members_with_other_seeds_differ_and_are_averaged() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(0, 1, (300, 4)).astype(np.float32)
    unsure = 1 / (1 + np.exp(-2 * rows[:, 0] - rng.normal(0, 1, 300)))
    targets = np.stack([1 - unsure, unsure], axis=1).astype(np.float32)
    learned = train_ensemble(rows, targets, TrainingConfig(hidden=16, epochs=30))
    alone = [replace(learned, members=(one,))(rows) for one in learned.members]
    assert len(alone) > 1
    assert all(np.abs(alone[0] - other).max() > 0.01 for other in alone[1:])
    np.testing.assert_allclose(learned(rows), np.mean(alone, axis=0), atol=1e-6)
    np.testing.assert_allclose(learned(rows).sum(axis=1), 1, atol=1e-5)
    again = train_ensemble(rows, targets, TrainingConfig(hidden=16, epochs=30))
    assert np.array_equal(learned(rows), again(rows)), "the same rows yield the same classifier"
