from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from models.evaluation.measuring.edge_card_baseline import find_cards
from models.evaluation.pieces.photographs import boards, paired, score_finds
from tests.calibration.drawn import camera, lay, photograph, table_top
from vision.boxes import overlap


def test_boxes_overlap_by_what_they_share_of_both() -> None:
    assert overlap((0, 0, 10, 10), (5, 0, 10, 10)) == 50 / 150
    assert overlap((0, 0, 10, 10), (20, 0, 10, 10)) == 0


def test_a_find_is_right_only_with_its_own_colour_and_a_true_piece_is_taken_once() -> None:
    true = [("red", (0.0, 0.0, 10.0, 10.0)), ("blue", (50.0, 0.0, 10.0, 10.0))]
    found = [
        ("red", (1.0, 0.0, 10.0, 10.0)),
        ("red", (0.0, 1.0, 10.0, 9.0)),
        ("red", (50.0, 0.0, 10.0, 10.0)),
    ]
    score = score_finds(found, true, paired(found, true, 0.3))
    assert (score.right, score.wrong, score.missed) == ({"red": 1}, {"red": 2}, {"blue": 1})
    assert (score.precision(["red"]), score.recall(["red", "blue"])) == (1 / 3, 1 / 2)


def test_of_two_finds_on_one_piece_the_one_that_fits_it_better_is_right() -> None:
    true = [("blue", (50.0, 0.0, 10.0, 10.0)), ("red", (0.0, 0.0, 10.0, 10.0))]
    found = [("red", (3.0, 0.0, 10.0, 10.0)), ("red", (0.0, 1.0, 10.0, 10.0)), ("blue", (9.0, 0.0, 10.0, 10.0))]
    assert paired(found, true, 0.3) == {1: 1}


def test_copies_of_a_board_and_pieces_labelled_twice_count_once(tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    picture = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (640, 640, 3), np.uint8), (0, 0), 9)
    other = np.asarray(255 - picture // 2, np.uint8)
    for name, image in (
        ("board1_a", picture),
        ("board1_b", other),
        ("board2_a", picture[::-1]),
        ("board3_a", other),
    ):
        cv2.imwrite(str(tmp_path / "train" / f"{name}.png"), image)
        (tmp_path / "train" / f"{name}.png").rename(tmp_path / "train" / f"{name}.jpg")
        (tmp_path / "train" / f"{name}.txt").write_text("7 .5 .5 .1 .1\n7 .501 .5 .1 .1\n0 .2 .2 .1 .1\n")
    kept = boards(tmp_path)
    assert list(kept) == ["board1", "board3"]
    assert [name for name, _ in kept["board1"].labels] == ["red", "blue"]


def test_cards_are_found_by_their_edges() -> None:
    card = np.full((176, 126, 3), 240, np.uint8)
    top = lay(lay(table_top(), card, 2.0, -80, 20, 15), card, 2.0, 70, -10, 70)
    plane = camera(height=620.0, size=(800, 450))
    found = find_cards(photograph(top, plane))
    assert len(found) == 2
    for x, y in ((-80, 20), (70, -10)):
        u, v = plane.to_image((x, y))
        assert any(abs(a + w / 2 - u) < 4 and abs(b + h / 2 - v) < 4 for a, b, w, h in found)
