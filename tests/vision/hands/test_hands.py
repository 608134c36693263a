from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera.calibrate import calibrate
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import HandOnTable, Scene
from vision.detector import Detection
from vision.detector.model_set import ModelSet
from vision.detector.network import Network
from vision.detector.open_closed_classifier import OpenClosedClassifier
from vision.hands.hand_detection import find_hands


class Counted(Network):
    """The network, which counts how often it looks."""

    passes = 0

    def detect(self, images: Sequence[Image], least: float = 0.05) -> list[tuple[Detection, ...]]:
        """Look, and count it."""
        self.passes += 1
        return super().detect(images, least)


@pytest.mark.parametrize(("reach", "passes"), [(1.0, 1), (0.5, 4)])
def test_what_is_hardly_a_hand_yet_is_looked_at_in_mirrors(reach: float, passes: int) -> None:
    renderer = Renderer(Look(), {})
    plane = calibrate(renderer.render(Scene(4, tile=False, sheet=True), 1), 4).plane
    assert plane is not None
    network = Counted()
    picture = renderer.render(Scene(4, hands=(HandOnTable(0, reach, 1.0, (), 5),)), 3)
    found = find_hands(ModelSet(network, OpenClosedClassifier(), ()), picture, plane, 4)
    assert network.passes == passes
    assert len(found) == 1
    assert (found[0].score > 0.8) == (passes == 1), "one look is sure of it; four are not"


class FixedLogOdds(OpenClosedClassifier):
    """Classifier with fixed log odds."""

    def __init__(self, odds: float) -> None:
        super().__init__()
        self.odds = odds
        self.asked = 0

    def log_odds(self, patches: Sequence[Image]) -> NDArray[np.float64]:
        """Return the same odds for all."""
        self.asked += len(patches)
        return np.full(len(patches), self.odds)


def test_a_closer_look_counts_beside_what_was_found() -> None:
    renderer = Renderer(Look(), {})
    plane = calibrate(renderer.render(Scene(4, tile=False, sheet=True), 1), 4).plane
    assert plane is not None
    picture = renderer.render(Scene(4, hands=tuple(HandOnTable(seat, 1.0, 1.0, (), seat) for seat in range(3))), 3)
    network = Network()
    sure = {}
    for odds in (-9.0, -2.0, 0.0, 6.0):
        classifier = FixedLogOdds(odds)
        found = find_hands(ModelSet(network, classifier, ()), picture, plane, 4)
        assert classifier.asked == len(found) == 3
        sure[odds] = [hand.certainty if hand.state == "open" else 1 - hand.certainty for hand in found]
    for lower, higher in pairwise(sorted(sure)):
        assert all(one < other for one, other in zip(sure[lower], sure[higher], strict=True))
    assert max(sure[-9.0]) < 0.5 < min(sure[6.0])


def test_both_hands_of_a_player_are_found_side_by_side() -> None:
    renderer = Renderer(Look(), {})
    plane = calibrate(renderer.render(Scene(4, tile=False, sheet=True), 1), 4).plane
    assert plane is not None
    networks = ModelSet.shipped()
    for look, apart_mm in ((4, 100.0), (9, 100.0), (10, 120.0)):
        left, right = (
            HandOnTable(0, 1.0, 1.0, (), look + 1000 * number, (side * apart_mm / 2, 0.0, 0.0))
            for number, side in ((1, -1), (2, 1))
        )
        assert len(find_hands(networks, renderer.render(Scene(4, hands=(left, right)), 3), plane, 8)) == 2
