"""The spare is found beside the board, and neither a token on the table nor bare wood is taken for it."""

from __future__ import annotations

import numpy as np
import pytest

from models.evaluation.maze.synthetic_pictures import Light, Situation, picture
from vision.games.master.field.location.board_location import locate
from vision.games.master.field.rectification import to_picture
from vision.games.master.field.spare.spare_tile import Spare, read_spare
from vision.games.master.field.tiles.open_sides import SideReader
from vision.games.master.field.tiles.side_network import SIDES_WEIGHTS, SideNetwork
from vision.games.master.reader import MazeReader


@pytest.fixture(scope="module")
def reader() -> SideReader:
    return SideReader(SideNetwork(SIDES_WEIGHTS))


def _read(
    reader: SideReader, seed: int, look: str, light: Light, situation: Situation
) -> tuple[Spare | None, float]:
    """Return the spare, and its distance from the true place in tiles."""
    image, truth = picture(seed, look, light, situation, tilt=35.0)
    (board,) = locate(image, reader)
    spare = read_spare(image, board.corners, board.shown, reader)
    if spare is None or truth.spare_box is None:
        return spare, float("inf")
    x, y, width, height = truth.spare_box
    middle = np.linalg.solve(to_picture(board.corners), [x + width / 2, y + height / 2, 1.0])
    return spare, float(np.linalg.norm(spare.centre - middle[:2] / middle[2]))


@pytest.mark.parametrize(
    ("seed", "look", "light"),
    [
        (1, "standin", "day"),
        (2, "hedge", "lamp"),
        (3, "brick", "half"),
        (4, "night", "day"),
        (5, "stone", "shadow"),
    ],
)
def test_the_spare_is_found_where_it_lies(reader: SideReader, seed: int, look: str, light: Light) -> None:
    spare, away = _read(reader, seed, look, light, "board")
    assert spare is not None
    assert away < 0.3


def test_what_lies_beside_the_board_is_not_surely_the_spare(reader: SideReader) -> None:
    """Taken tokens lie round the board, and its wood or cloth may have the colours of the tiles."""
    certain = [
        spare
        for seed, look in enumerate(("standin", "hedge", "brick", "night", "junk", "stone"), 30)
        if (spare := _read(reader, seed, look, "day", "spare_hidden")[0]) is not None and spare.certainty > 0.95
    ]
    assert not certain


def test_a_taken_token_on_the_table_is_not_read_as_one_on_the_spare() -> None:
    image, truth = picture(6002, "standin", tilt=39.796244259674765)
    assert None not in truth.tokens.values()
    assert None not in {token.place for token in MazeReader().read(image).tokens}
