from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.cameras.frame import Image
from vision.colour import of_picture
from vision.detector import CROP_PX
from vision.hands.candidate_pieces import CandidatePiece, with_skin
from vision.hands.piece_probabilities import fitted_weights, piece_probabilities
from vision.hands.skin import Skin, learn_skin
from vision.kind_colours import NO_PIECE
from vision.readings import Box

LIGHT = np.ones(3)
MIDDLE = (128.0, 128.0)
HELD, BESIDE, AT_THE_EDGE = (110.0, 100.0, 24.0, 22.0), (20.0, 20.0, 24.0, 22.0), (184.0, 116.0, 24.0, 22.0)
BOXES = (HELD, BESIDE, AT_THE_EDGE)


def crop(skin: tuple[int, int, int] = (120, 150, 205), table: tuple[int, int, int] = (70, 90, 60)) -> Image:
    """A round palm on a table with grain; a red thing on the palm, one beside it, one half over its edge."""
    picture = np.full((CROP_PX, CROP_PX, 3), table, np.uint8)
    cv2.circle(picture, (128, 128), 68, skin, -1)
    for x, y, width, height in BOXES:
        cv2.rectangle(picture, (int(x), int(y)), (int(x + width), int(y + height)), (40, 40, 200), -1)
    grain = np.random.default_rng(4).normal(0, 6, picture.shape)
    return np.asarray(np.clip(picture + grain, 0, 255), np.uint8)


def learned(picture: Image, boxes: tuple[Box, ...] = BOXES) -> Skin:
    skin = learn_skin(picture, LIGHT, MIDDLE, boxes)
    assert skin is not None
    return skin


@pytest.mark.parametrize("skin", [(120, 150, 205), (60, 80, 120), (40, 50, 70)])
def test_round_what_is_held_there_is_skin_and_round_what_lies_beside_there_is_none(
    skin: tuple[int, int, int],
) -> None:
    picture = crop(skin)
    colours = of_picture(picture, LIGHT)
    rims = learned(picture).rim_shares(colours, BOXES, [[o for o in BOXES if o != box] for box in BOXES])
    assert rims[0] > 0.9
    assert rims[1] < 0.1
    assert 0.2 < rims[2] < 0.8


def test_what_other_things_hide_counts_neither_way() -> None:
    picture = crop()
    left, top, width, height = HELD
    cv2.rectangle(
        picture, (int(left + width), int(top) - 8), (int(left + width) + 30, int(top + height) + 8), (0, 0, 0), -1
    )
    neighbour = (left + width, top - 8, 30.0, height + 16)
    skin, colours = learned(picture, (*BOXES, neighbour)), of_picture(picture, LIGHT)
    assert skin.rim_shares(colours, [HELD], [[neighbour]])[0] > 0.9
    assert skin.rim_shares(colours, [HELD], [[]])[0] < 0.85


def test_a_heap_that_hides_the_whole_rim_is_not_doubted() -> None:
    picture = crop()
    assert learned(picture).rim_shares(of_picture(picture, LIGHT), [HELD], [[(60.0, 60.0, 120.0, 120.0)]]) == [1.0]


def test_no_skin_is_learned_where_the_palm_is_covered() -> None:
    assert learn_skin(crop(), LIGHT, MIDDLE, [(60.0, 60.0, 140.0, 140.0)]) is None
    held = (CandidatePiece(HELD, (60.0, 60.0, 140.0, 140.0), 0.8, 0.0),)
    assert with_skin(held, crop(), of_picture(crop(), LIGHT), LIGHT, MIDDLE) == held


def test_boxes_at_the_edges_of_a_crop_are_looked_round_as_far_as_it_goes() -> None:
    picture = crop()
    corner = (CROP_PX - 10.0, CROP_PX - 10.0, 24.0, 24.0)
    assert learned(picture).rim_shares(of_picture(picture, LIGHT), [corner], [[]])[0] < 0.1


def test_the_less_skin_is_round_a_box_the_less_it_is_taken_for_a_piece() -> None:
    box = CandidatePiece(HELD, HELD, 0.7, 0.0)
    chances = [
        piece_probabilities([replace(box, skin=skin)], fitted_weights())[0] for skin in (1.0, 0.6, 0.45, 0.3, 0.1)
    ]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] == chances[1]
    odds = [chance / (1 - chance) for chance in (chances[-1], chances[0])]
    assert 3 * odds[0] < odds[1]
    # Nothing alone strikes a box out: where it lies and what it looks like say the rest.
    strange = replace(
        box, skin=0.1, centre_distance_mm=50.0, kinds={"search:red": -40.0, NO_PIECE: 0.0}, piece_log_odds=-1.0
    )
    assert piece_probabilities([strange], fitted_weights())[0] < 0.25 < 0.7 < chances[0]
