"""Printed sheets are true to scale, and the calibration sheet is the very one that the camera looks for."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pymupdf
import pytest
from click.testing import CliRunner

from calibration.games.wicked.art import (
    BOARD,
    CARD,
    IMPURITY,
    SIGN,
    TOKEN,
    board_face,
    card_back,
    corridor_face,
)
from calibration.games.wicked.art.cards import Back
from calibration.games.wicked.printable_sheets import boards_pdf, deck_pdf, disc_centres
from calibration.printable_sheets import calibration_pdf
from companion.cli import main
from tests.calibration.printed import difference, page_picture, page_sizes


@pytest.fixture(scope="module")
def sheet() -> bytes:
    return calibration_pdf()


@pytest.fixture(scope="module")
def cards() -> list[tuple[str, Back]]:
    backs: tuple[Back, ...] = ("corridor", "great", "small")
    return [(corridor_face(f"C{n:02}", ["red"], ["blue"]), backs[n % 3]) for n in range(11)]


@pytest.fixture(scope="module")
def deck(cards: list[tuple[str, Back]]) -> bytes:
    return deck_pdf(cards)


def test_every_corner_of_the_calibration_sheet_is_found_in_its_place(sheet: bytes) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    board = cv2.aruco.CharucoBoard((7, 5), 0.036, 0.027, dictionary)
    picture = page_picture(sheet, 0, 6.0)
    corners, ids, _, markers = cv2.aruco.CharucoDetector(board).detectBoard(
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    )
    assert sorted(ids.ravel().tolist()) == list(range(24))
    assert sorted(markers.ravel().tolist()) == list(range(17))
    found = (corners.reshape(-1, 2) + 0.5) / 6.0
    wanted = np.array([(22.5 + 36 * (k % 6 + 1), 15 + 36 * (k // 6 + 1)) for k in ids.ravel()])
    assert np.abs(found - wanted).max() < 0.1


def test_the_calibration_sheet_is_one_a4_landscape_page_of_vectors(sheet: bytes) -> None:
    assert page_sizes(sheet) == [(297.0, 210.0)]
    with pymupdf.open(stream=sheet, filetype="pdf") as document:
        assert document[0].get_images(full=True) == []


def test_the_sheets_pattern_has_ten_clear_millimetres_at_its_sides_and_its_ruler_is_100_mm(sheet: bytes) -> None:
    picture = cv2.cvtColor(page_picture(sheet, 0, 10.0), cv2.COLOR_BGR2GRAY)
    assert picture[150:1950, 135:224].min() == 255
    assert picture[150:1950, 2746:2840].min() == 255
    dark = np.flatnonzero(picture[:, 101:104].min(axis=1) < 160)
    assert (dark[-1] - dark[0]) / 10.0 == pytest.approx(100.0, abs=0.35)


def test_eleven_cards_make_two_sheets_of_a4_with_a_back_to_each(deck: bytes) -> None:
    assert page_sizes(deck) == [(210.0, 297.0)] * 4


def test_faces_lie_true_to_scale_nine_a_page(deck: bytes, cards: list[tuple[str, Back]]) -> None:
    pages = [page_picture(deck, k, 4.0) for k in (0, 2)]
    for k, (face, _) in enumerate(cards):
        row, column = divmod(k % 9, 3)
        left, top = 10.5 + CARD[0] * column, 16.5 + CARD[1] * row
        assert difference(pages[k // 9], face, left, top, 4.0) < 4.0, k


def test_backs_lie_mirrored_behind_their_faces(deck: bytes, cards: list[tuple[str, Back]]) -> None:
    pages = [page_picture(deck, k, 4.0) for k in (1, 3)]
    for k, (_, back) in enumerate(cards):
        row, column = divmod(k % 9, 3)
        left, top = 10.5 + CARD[0] * (2 - column), 16.5 + CARD[1] * row
        assert difference(pages[k // 9], card_back(back), left, top, 4.0) < 4.0, k


@pytest.mark.slow
def test_boards_come_one_a_page_and_true_to_scale() -> None:
    pdf = boards_pdf()
    assert page_sizes(pdf) == [(297.0, 210.0)] * 5 + [(210.0, 297.0)] * 2
    page = page_picture(pdf, 3, 4.0)
    left, top = (297 - BOARD[0]) / 2, (210 - BOARD[1]) / 2
    assert difference(page, board_face("black"), left, top, 4.0) < 4.0


def test_the_disc_page_holds_every_token_tile_and_sign_of_the_box() -> None:
    discs = disc_centres()
    tokens = {f"token:{colour}": 20 for colour in ("red", "green", "blue", "yellow")}
    wanted = {**tokens, "impurity:1": 19, "impurity:3": 6, "sign:witch": 5, "sign:soul": 5}
    assert Counter(kind for kind, _, _ in discs) == wanted
    size = {**dict.fromkeys(tokens, TOKEN), "impurity:1": IMPURITY[1], "impurity:3": IMPURITY[3]}
    for (a, ax, ay), (b, bx, by) in itertools.combinations(discs, 2):
        gap = math.hypot(ax - bx, ay - by) - size.get(a, SIGN) / 2 - size.get(b, SIGN) / 2
        assert gap > 0.9
    for kind, x, y in discs:
        radius = size.get(kind, SIGN) / 2
        assert x - radius > 5
        assert x + radius < 205
        assert y - radius > 10
        assert y + radius < 280


def test_print_writes_the_sheet_and_says_how_to_print_it(tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    result = CliRunner().invoke(main, ["print", "calibration", "-o", str(file)])
    assert result.exit_code == 0
    assert "100 %" in result.output
    assert page_sizes(file.read_bytes()) == [(297.0, 210.0)]


def test_print_deck_prints_the_whole_standin_deck(tmp_path: Path) -> None:
    file = tmp_path / "deck.pdf"
    assert CliRunner().invoke(main, ["print", "deck", "-o", str(file)]).exit_code == 0
    assert page_sizes(file.read_bytes()) == [(210.0, 297.0)] * 12


def test_a_file_that_cannot_be_written_is_one_plain_line_and_exit_code_3(tmp_path: Path) -> None:
    file = tmp_path / "no such folder" / "sheet.pdf"
    result = CliRunner().invoke(main, ["print", "calibration", "-o", str(file)])
    assert result.exit_code == 3
    assert result.output.count("\n") == 1
    assert "no such folder" in result.output
    assert "-o" in result.output


@pytest.mark.parametrize("arguments", [["print"], ["print", "poster", "-o", "x.pdf"], ["print", "deck"]])
def test_bad_usage_of_print_is_exit_code_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, arguments).exit_code == 2
