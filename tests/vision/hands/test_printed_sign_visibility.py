"""Signs under other pieces: what shows of their print."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.hands.painted import LIGHT, MIDDLE, MODELS, RED, RIM, SKIN, SOUL, WITCH, WOOD, noisy
from vision.cameras.frame import Image
from vision.colour import of_picture
from vision.detector import CROP_PX
from vision.hands.candidate_pieces import CandidatePiece, with_print
from vision.hands.counting import hypotheses
from vision.hands.piece_probabilities import fitted_weights
from vision.hands.printed_sign_visibility import sign_print_visibility
from vision.kind_colours import kind_likelihoods

PIECE, NEIGHBOUR = (110.0, 100.0, 24.0, 22.0), (134.0, 104.0, 22.0, 24.0)


def palm(*, sign: bool) -> Image:
    """Two red pieces on a palm that touch, with or without a sign under one whose rim shows on one side."""
    picture = np.full((CROP_PX, CROP_PX, 3), SKIN, np.uint8)
    if sign:
        cv2.circle(picture, (118, 112), 14, RIM, -1)
        cv2.circle(picture, (118, 112), 8, MIDDLE, -1)
    for x, y, width, height in (PIECE, NEIGHBOUR):
        cv2.rectangle(picture, (int(x), int(y)), (int(x + width) - 1, int(y + height) - 1), RED, -1)
    return noisy(picture)


def seen(picture: Image) -> dict[str, float]:
    colours = of_picture(picture, LIGHT)
    evidence = kind_likelihoods(colours, [PIECE], MODELS)
    (shown,) = sign_print_visibility(colours, [PIECE], evidence, MODELS)
    return shown


def test_the_rim_of_a_sign_under_a_piece_is_seen() -> None:
    assert seen(palm(sign=True))[SOUL] > 0.7
    assert seen(palm(sign=True))[WITCH] == 0.0


def test_a_piece_alone_shows_no_print() -> None:
    assert seen(palm(sign=False)) == {WITCH: 0.0, SOUL: 0.0}


def test_without_pieces_nothing_is_looked_at() -> None:
    assert sign_print_visibility(of_picture(palm(sign=True), LIGHT), [], [], MODELS) == []


@pytest.mark.parametrize("sign", [True, False])
def test_what_shows_counts_for_a_sign_and_its_lack_against_one(sign: bool) -> None:
    colours: NDArray[np.float32] = of_picture(palm(sign=sign), LIGHT)
    boxes = (PIECE, NEIGHBOUR)
    evidence = kind_likelihoods(colours, boxes, MODELS)
    plain = tuple(CandidatePiece(box, box, 0.8, 0.0, kinds) for box, kinds in zip(boxes, evidence, strict=True))
    looked_at = with_print(plain, colours, MODELS)

    def soul(held: tuple[CandidatePiece, ...]) -> float:
        ranked = hypotheses(held, [WOOD], [WITCH, SOUL], None, fitted_weights())
        return sum(one.probability for one in ranked if one.counts.get(SOUL) and one.counts.get(WOOD))

    assert (soul(looked_at) > soul(plain)) == sign
    assert sum(one.probability for one in hypotheses(looked_at, [WOOD], [WITCH, SOUL], None, fitted_weights())) == (
        pytest.approx(1.0)
    )


def test_a_faint_box_is_no_piece_under_which_anything_lies() -> None:
    colours = of_picture(palm(sign=True), LIGHT)
    (kinds,) = kind_likelihoods(colours, [PIECE], MODELS)
    faint = replace(CandidatePiece(PIECE, PIECE, 0.8, 0.0, kinds), score=0.1)
    assert with_print((faint,), colours, MODELS) == (faint,)
