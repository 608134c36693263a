from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.pieces.enrolment import enrol
from models.synthetic_hand_reveals import SyntheticTable
from tests.vision.hands.held import FOUR, open_hand, shown
from vision.cameras.simulated.scene import PieceOnTable, Pose, Scene
from vision.detector.model_set import ModelSet
from vision.hands import HandReader
from vision.hands.hand_detection import FoundHand
from vision.hands.piece_probabilities import fitted_weights
from vision.hands.uncounted_pieces import may_hold_more
from vision.readings import Box


@pytest.mark.parametrize(
    ("box", "cut_off"),
    [
        ((300.0, 200.0, 120.0, 140.0), False),
        ((300.0, 560.0, 120.0, 140.0), False),
        ((300.0, 590.0, 120.0, 129.0), True),
        ((300.0, -2.0, 120.0, 90.0), True),
        ((-1.0, 200.0, 80.0, 110.0), True),
        ((1200.0, 200.0, 79.0, 110.0), True),
    ],
)
def test_a_hand_that_the_picture_cuts_off_may_hold_more(box: Box, cut_off: bool) -> None:
    hand = FoundHand("open", 1.0, box, 0.9)
    assert may_hold_more(hand, (), (1280, 720), fitted_weights()) is cut_off


def test_a_hand_that_the_picture_cuts_off_is_asked_about(table: SyntheticTable, reader: HandReader) -> None:
    whole = open_hand(0, "search:purple")
    image, empty = shown(table, whole)
    (hand,) = reader.read(image, FOUR, empty).hands
    assert not hand.doubtful
    image, empty = shown(table, replace(whole, at=Pose(0.0, -390.0, 0.0)))
    (hand,) = reader.read(image, FOUR, empty).hands
    assert hand.doubtful


def test_pieces_beside_all_hands_are_asked_about(
    table: SyntheticTable, reader: HandReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    image, empty = shown(table, open_hand(0, "search:purple", "search:purple"))
    (found,) = reader.find(image, 4, empty)
    x, y, width, height = found.box
    # Only the fingers are detected, as where another hand covers the palm.
    monkeypatch.setattr(reader, "find", lambda *_: (replace(found, box=(x, y, width, height * 0.45)),))
    (hand,) = reader.read(image, FOUR, empty).hands
    assert dict(hand.counts) == {}
    assert hand.doubtful


def test_a_piece_that_no_hand_can_hold_is_asked_about(table: SyntheticTable, networks: ModelSet) -> None:
    places = [Pose(x, y, 40.0 * (x + y)) for x in (-60.0, 0.0, 60.0) for y in (-36.0, 36.0)]
    lying = tuple(PieceOnTable("impurity:1", place) for place in places)
    specimens = table.renderer.render(Scene(4, tile=False, pieces=lying), 30)
    profile = enrol(table.profile, "impurity:1", [specimens])
    reader = HandReader(profile, networks)
    for sign, asked in (("sign:witch", False), ("impurity:1", True)):
        image, empty = shown(table, open_hand(1, "search:green", sign))
        (hand,) = reader.read(image, FOUR, empty).hands
        assert hand.doubtful is asked
