"""The printable set is true to scale, complete and legible."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from calibration.cards.deck import CARD_MM, REFERENCE_PX_PER_MM, EnrolledCard, EnrolledDeck, as_reference
from calibration.drawing.pdf import A3, A4, Paper
from calibration.drawing.raster import rasterise
from calibration.games.master.art.board import board_face
from calibration.games.master.art.formula_cards import CARD, formula_back, formula_face
from calibration.games.master.art.tiles import tile_face
from calibration.games.master.art.tokens import token_face
from calibration.games.master.art.wands import wand_face
from calibration.games.master.art.wizards import WIZARDS, wizard_face
from calibration.games.master.printable_sheets import TILE_MM, board_rim
from companion.adapters.master.printable_sheets import SHEETS
from companion.cli import main
from companion.games.master.components import FORMULAS, LOOSE_TILES, TOKENS
from tests.calibration.printed import difference, page_picture, page_sizes
from vision.cards.search_index import CardIndex

PX_PER_MM = 4.0
SHEETS_OF = {A4: "master", A3: "master-a3"}


@dataclass(frozen=True)
class Printed:
    paper: Paper
    pdf: bytes
    pages: tuple[NDArray[np.uint8], ...]
    """The first four pages, BGR."""


@pytest.fixture(name="printed", scope="module", params=[pytest.param(A4, id="A4"), pytest.param(A3, id="A3")])
def _printed(request: pytest.FixtureRequest) -> Printed:
    data = SHEETS[SHEETS_OF[request.param]]()
    return Printed(request.param, data, tuple(page_picture(data, number, PX_PER_MM) for number in range(4)))


@pytest.mark.first_is_quick
def test_all_pages_have_the_papers_size(printed: Printed) -> None:
    paper = printed.paper
    assert page_sizes(printed.pdf) == [paper] * {A4: 8, A3: 6}[paper]


def test_the_board_is_true_to_scale_and_inside_what_printers_reach(printed: Printed) -> None:
    paper = printed.paper
    tile, rim = TILE_MM[paper], board_rim(paper)
    left = (paper[0] - 7 * tile) / 2 - rim
    assert left >= 4.0
    page = printed.pages[0]
    assert difference(page, board_face(tile, rim), left, 14.0, PX_PER_MM) < 4.0


def test_all_loose_tiles_lie_edge_to_edge_and_true_to_scale(printed: Printed) -> None:
    paper = printed.paper
    tile = TILE_MM[paper]
    page = printed.pages[1]
    shapes = [(openings, k) for openings, number in LOOSE_TILES.items() for k in range(number)]
    for k, (openings, variant) in enumerate(shapes):
        left, top = (paper[0] - 7 * tile) / 2 + k % 7 * tile, 20.0 + k // 7 * tile
        drawn = tile_face(openings, variant, tile)
        # Anti-aliased tufts of leaves differ by half a pixel; another tile differs by more than 30.
        assert difference(page, drawn, left, top, PX_PER_MM) < 15.0, k


def test_a_ruler_of_100_mm_is_on_each_page_of_fronts(printed: Printed) -> None:
    paper = printed.paper
    for page in (0, 1, 2):
        picture = cv2.cvtColor(printed.pages[page], cv2.COLOR_BGR2GRAY)
        foot = picture[round((paper[1] - 8.5) * PX_PER_MM) : round((paper[1] - 4.0) * PX_PER_MM)]
        widest = max(foot, key=lambda row: int((row < 200).sum()))
        dark = np.flatnonzero(widest < 200)
        runs = np.split(dark, np.flatnonzero(np.diff(dark) > 1) + 1)
        assert max(len(run) for run in runs) / PX_PER_MM == pytest.approx(100.0, abs=0.8)


def test_every_token_and_wand_is_below_the_tiles(printed: Printed) -> None:
    tile = TILE_MM[printed.paper]
    below = printed.pages[1][round((20 + 5 * tile + 10) * PX_PER_MM) :]
    small = cv2.resize(below, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    for face in [*map(token_face, TOKENS), wand_face()]:
        drawn = rasterise(face, PX_PER_MM * tile / 40)
        half = cv2.resize(drawn[..., :3], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        inner = half[half.shape[0] // 4 : -half.shape[0] // 4, half.shape[1] // 5 : -half.shape[1] // 5]
        assert float(cv2.matchTemplate(small, np.ascontiguousarray(inner), cv2.TM_CCOEFF_NORMED).max()) > 0.8


def test_a_formula_card_and_its_back_lie_behind_each_other(printed: Printed) -> None:
    paper = printed.paper
    columns, rows = {A4: (3, 3), A3: (4, 4)}[paper]
    left, top = (paper[0] - columns * CARD[0]) / 2, (paper[1] - rows * CARD[1]) / 2
    face, back = printed.pages[2], printed.pages[3]
    assert difference(face, formula_face(FORMULAS[0]), left, top, PX_PER_MM) < 4.0
    other_side = left + (columns - 1) * CARD[0]
    assert difference(back, formula_back(), other_side, top, PX_PER_MM) < 4.0


def test_no_two_formula_cards_look_alike_to_the_reader_of_cards() -> None:
    drawn = {f"F{k:02}": formula_face(numbers) for k, numbers in enumerate(FORMULAS)} | {"back": formula_back()}
    pictures = {name: as_reference(rasterise(svg, REFERENCE_PX_PER_MM), CARD_MM) for name, svg in drawn.items()}
    cards = {name: EnrolledCard(name, "formula", picture) for name, picture in pictures.items()}
    assert CardIndex.of(EnrolledDeck("formula cards", cards)).alike_pairs() == ()


def test_every_wizard_has_a_robe_of_its_own_colour() -> None:
    colours = [rasterise(wizard_face(colour), 4.0)[..., :3].reshape(-1, 3).mean(axis=0) for colour in WIZARDS]
    assert min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(colours, 2)) > 12.0


@pytest.mark.parametrize(("name", "paper"), [("master", A4), ("master-a3", A3)])
def test_print_writes_the_whole_set(name: str, paper: Paper, tmp_path: Path) -> None:
    file = tmp_path / "set.pdf"
    assert CliRunner().invoke(main, ["print", name, "-o", str(file)]).exit_code == 0
    assert page_sizes(file.read_bytes())[0] == paper
