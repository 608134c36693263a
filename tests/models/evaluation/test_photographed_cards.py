from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from models.evaluation.cards_and_boards.photographed_cards import DetectionScore, photographs, score_finds
from models.evaluation.measuring.edge_card_baseline import find_cards
from tests.calibration.drawn import camera, lay, photograph, table_top


def test_a_card_is_found_once_by_the_box_that_fits_it_best() -> None:
    true = [(0.0, 0.0, 10.0, 10.0), (50.0, 0.0, 10.0, 10.0)]
    found = [(3.0, 0.0, 10.0, 10.0), (0.0, 1.0, 10.0, 10.0), (80.0, 0.0, 10.0, 10.0)]
    score = score_finds(found, true)
    assert score == DetectionScore(right=1, wrong=2, missed=1)
    assert (score.precision, score.recall) == (1 / 3, 1 / 2)


def test_labels_are_scaled_to_the_size_of_the_picture(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    cv2.imwrite(str(tmp_path / "one" / "a.jpg"), np.zeros((100, 200, 3), np.uint8))
    corners = "<xmin>10</xmin><ymin>20</ymin><xmax>30</xmax><ymax>50</ymax>"
    (tmp_path / "one" / "a.xml").write_text(f"<a><size><width>100</width></size><bndbox>{corners}</bndbox></a>")
    (only,) = photographs(tmp_path)
    assert (only.name, only.cards) == ("a.jpg", ((20.0, 40.0, 40.0, 60.0),))


def test_cards_are_found_by_their_edges() -> None:
    card = np.full((176, 126, 3), 240, np.uint8)
    top = lay(lay(table_top(), card, 2.0, -80, 20, 15), card, 2.0, 70, -10, 70)
    plane = camera(height=620.0, size=(800, 450))
    found = find_cards(photograph(top, plane))
    assert len(found) == 2
    for x, y in ((-80, 20), (70, -10)):
        u, v = plane.to_image((x, y))
        assert any(abs(a + w / 2 - u) < 4 and abs(b + h / 2 - v) < 4 for a, b, w, h in found)
