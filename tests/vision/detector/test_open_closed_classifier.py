"""The closer look at hands: what is cut out, and what the shipped network tells of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import HandOnTable, Scene
from vision.detector.open_closed_classifier import PX_PER_MM, SIDE_PX, OpenClosedClassifier, hand_patch

SCALE = 1.0


def test_a_hand_is_cut_out_at_table_scale() -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    picture[100:140, 200:260] = 255
    seen = hand_patch(picture, (180.0, 90.0, 100.0, 60.0), SCALE)
    assert seen.shape == (SIDE_PX, SIDE_PX, 3)
    rows, columns = np.nonzero(seen[..., 0] > 127)
    assert (rows.max() - rows.min() + 1, columns.max() - columns.min() + 1) == pytest.approx((20, 30), abs=1)
    assert rows.mean() == pytest.approx(SIDE_PX / 2, abs=1)
    assert columns.mean() == pytest.approx(SIDE_PX / 2, abs=1)
    twice = hand_patch(picture, (180.0, 90.0, 100.0, 60.0), 2 * SCALE)
    assert np.count_nonzero(twice[..., 0] > 127) == pytest.approx(20 * 30 / 4, rel=0.2)


@pytest.mark.parametrize(
    "box", [(-30.0, -30.0, 40.0, 40.0), (390.0, 290.0, 60.0, 60.0), (900.0, 900.0, 50.0, 50.0)]
)
def test_beyond_the_picture_it_is_grey(box: tuple[float, float, float, float]) -> None:
    seen = hand_patch(np.zeros((300, 400, 3), np.uint8), box, PX_PER_MM)
    assert seen.shape == (SIDE_PX, SIDE_PX, 3)
    assert (seen == 114).any()


def test_open_hands_are_distinguished_from_fists() -> None:
    renderer = Renderer(Look(), {})
    log_odds: dict[str, list[float]] = {"open": [], "closed": []}
    for look in range(8):
        hands = tuple(HandOnTable(seat, 1.0, float((seat + look) % 2), (), 10 * look + seat) for seat in range(4))
        image, truth = renderer.render_with_truth(Scene(4, hands=hands), look)
        ends = renderer.view.project(np.array([[-50.0, 0, 85.0], [50.0, 0, 85.0]]))
        scale = float(np.hypot(*(ends[1] - ends[0]))) / 100
        odds = OpenClosedClassifier().log_odds([hand_patch(image, hand.box, scale) for hand in truth.hands])
        for hand, of in zip(truth.hands, odds.tolist(), strict=True):
            log_odds[hand.state].append(of)
    assert len(log_odds["open"]) > 10 < len(log_odds["closed"])
    right = sum(of > 0 for of in log_odds["open"]) + sum(of < 0 for of in log_odds["closed"])
    assert right >= 0.9 * (len(log_odds["open"]) + len(log_odds["closed"]))


def test_half_a_turn_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    hand = np.asarray(rng.integers(0, 255, (SIDE_PX, SIDE_PX, 3)), np.uint8)
    one, other = OpenClosedClassifier().log_odds([hand, np.ascontiguousarray(hand[::-1, ::-1])])
    assert one == pytest.approx(other, abs=0.02)


def test_no_hand_needs_no_look() -> None:
    assert OpenClosedClassifier().log_odds([]).shape == (0,)


def test_damaged_weights_are_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "broken.onnx").write_bytes(b"not a network")
    with pytest.raises(RuntimeError, match="install the companion again"):
        OpenClosedClassifier(tmp_path / "broken.onnx")
