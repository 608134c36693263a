from __future__ import annotations

from dataclasses import replace

import pytest

from models.synthetic_hand_reveals import SyntheticTable
from tests.vision.hands.held import FOUR, open_hand, shown
from vision.hands import HandReader


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
