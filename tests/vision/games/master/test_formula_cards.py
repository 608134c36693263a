"""Tests of reading formula cards."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.drawing.raster import rasterise
from calibration.games.master.art.formula_cards import formula_face
from vision.cameras.simulated.table_surfaces import Ground, draw
from vision.games.master.formula_cards import Formula, printed_circles, read_formula
from vision.games.master.objects.tokens.number_likelihoods import STRANGER
from vision.games.master.readings import NUMBERS

CARDS: tuple[Formula, ...] = ((11, 3, 14), (19, 7, 15), (1, 10, 13), (20, 17, 3), (9, 20, 11), (5, 25, 18))
"""Some of the cards."""


def shown(card: Formula | None, seed: int, size: float, angle: float) -> np.ndarray:
    """Return a noisy picture of a card above a table. size: px per mm; angle: degrees."""
    rng = np.random.default_rng(seed)
    image = cv2.resize(draw(Ground.from_seed(seed)), (1280, 720))
    if card is not None:
        face = rasterise(formula_face(card), 8.0)[..., :3]
        height, width = face.shape[:2]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, size / 8.0)
        matrix[:, 2] += np.array([640, 360]) - (width / 2, height / 2)
        tilted = np.vstack([matrix, [0, 0, 1]])
        tilted = np.array([[1, 0, 0], [0, 1, 0], [1e-4, 6e-5, 1]]) @ tilted
        mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), tilted, (1280, 720))
        image = np.where(mask[..., None] > 127, cv2.warpPerspective(face, tilted, (1280, 720)), image)
    lit = cv2.GaussianBlur(image, (0, 0), 0.9) * np.array([0.6, 0.8, 0.95])
    return np.clip(lit + rng.normal(0, 4, lit.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("seed", "size", "angle"), [(0, 4.0, 0.0), (1, 6.5, 25.0), (2, 3.5, 170.0)])
def test_a_card_is_read_in_any_size_and_rotation(seed: int, size: float, angle: float) -> None:
    reading = read_formula(shown(CARDS[seed], seed, size, angle), CARDS)
    assert reading is not None
    assert reading.numbers == CARDS[seed]
    assert not reading.doubtful


def test_a_table_without_a_card_is_none() -> None:
    assert read_formula(shown(None, 4, 1.0, 0.0), CARDS) is None


def test_a_card_of_another_game_is_none() -> None:
    assert read_formula(shown((2, 8, 17), 5, 5.0, 0.0), CARDS) is None


@pytest.mark.parametrize(
    ("discs", "on_board", "printed"),
    [
        # Two of an open card's numbers are found as tokens, too: the third one is hidden.
        ([(11, 0, 50), (3, 3, 30), (14, 2, 20), (11, 60, 60), (14, 80, 40)], (), {0, 1, 2}),
        # Tokens of one card lie side by side.
        ([(11, 0, 50), (3, 2, 60), (14, 4, 60), (7, 6, 60)], (), set()),
        ([(11, 0, 50), (3, 2, 60), (14, 4, 60), (7, 6, 60)], (14,), {0, 1, 2}),
        # A card lies beside them: the clearer discs are the tokens.
        ([(11, 0, 50), (3, 2, 60), (11, 40, 30), (3, 43, 30), (14, 42, 30)], (), {2, 3, 4}),
        # Something else of the card resembles a token.
        ([(19, 0, 30), (7, 3, 40), (15, 2, 35), (15, 60, 60), (7, 9, 7), (6, 9, 40)], (), {0, 1, 2, 4}),
        ([(11, 0, 10), (3, 2, 9), (11, 60, 60)], (), set()),
        ([], (), set()),
    ],
)
def test_what_is_printed_on_open_cards_is_no_token(
    discs: list[tuple[int, float, float]], on_board: tuple[int, ...], printed: set[int]
) -> None:
    """Check discs in a row. discs: number, place in radii, and evidence for the number."""
    circles = np.array([(10 * place, 0, 10) for _, place, _ in discs], float).reshape(-1, 3)
    logs = np.full((len(discs), len(NUMBERS)), -40.0)
    for row, (number, _, evidence) in enumerate(discs):
        logs[row, NUMBERS.index(number)] = STRANGER + evidence
    assert {*np.flatnonzero(printed_circles(circles, logs, CARDS, on_board)).tolist()} == printed
