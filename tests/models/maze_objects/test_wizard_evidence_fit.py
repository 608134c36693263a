"""Tests of fitting the weights of the evidence for wizards."""

from __future__ import annotations

import numpy as np
import pytest

from models.maze_objects.wizard_evidence_fit import WizardCase, fit, measure, picture_case
from vision.games.master.objects.wizards.wizard_reading import FEATURES, WizardEvidence
from vision.games.master.readings import SIZE

_PLACES = SIZE**2


@pytest.mark.slow
def test_evidence_is_read_on_every_place_of_a_picture() -> None:
    case = picture_case(1)
    assert case is not None
    assert case.evidence.upright.shape == case.evidence.objects.shape == (_PLACES, 4)
    assert case.evidence.pawns.shape == case.evidence.discs.shape == (_PLACES,)
    assert all(0 <= place <= _PLACES for place in case.places)


def random_case(rng: np.random.Generator) -> WizardCase:
    """Return a board whose pawns show by their shape, and their colours when each place is looked at by itself."""
    places = np.where(rng.random(4) < 0.25, _PLACES, rng.permutation(_PLACES)[:4])
    pawns, upright = rng.normal(-3, 1, _PLACES), rng.normal(-3, 0.5, (_PLACES, 4))
    for colour, place in enumerate(places.tolist()):
        if place < _PLACES:
            pawns[place] = 3
            upright[place, colour] = 3
    none = np.zeros((_PLACES, 4))
    evidence = WizardEvidence(pawns, none, np.zeros(_PLACES), upright, none)
    return WizardCase(evidence, tuple(places.tolist()))


def test_the_fit_weighs_both_networks_and_finds_each_wizard_once() -> None:
    rng = np.random.default_rng(5)
    weights = fit([random_case(rng) for _ in range(20)])
    named = dict(zip(FEATURES, weights, strict=True))
    assert named["pawn"] > 0
    assert named["upright"] > 0
    right, _ = measure(weights, [random_case(rng) for _ in range(10)])
    assert right.mean() > 0.95
