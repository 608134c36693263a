"""Tokens on great oracle cards, whatever the card lies on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.deck import REFERENCE_PX_PER_MM, EnrolledCard
from calibration.plane import Image
from calibration.profile import TableProfile
from companion.games.wicked.standin import STANDIN
from vision.boards.oracles import tokens_on
from vision.reveal.kinds import learn_kind

TOKENS = ("token:red", "token:green", "token:blue", "token:yellow")
AROUND = 60


def on_cloth(
    card: EnrolledCard, cloth: tuple[int, int, int]
) -> tuple[Image, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """Lay a card on a cloth of one colour (BGR): the picture, and where its corners are, px."""
    height, width = card.picture.shape[:2]
    picture = np.full((height + 2 * AROUND, width + 2 * AROUND, 3), cloth, np.uint8)
    alpha = card.picture[..., 3:] / 255
    inner = picture[AROUND : AROUND + height, AROUND : AROUND + width]
    inner[...] = (card.picture[..., :3] * alpha + inner * (1 - alpha)).astype(np.uint8)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64) + AROUND
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.5 * REFERENCE_PX_PER_MM), np.uint8), corners


@pytest.mark.parametrize("kind", TOKENS)
def test_a_cloth_of_a_tokens_colour_is_no_token_at_the_cards_rim(taught: TableProfile, kind: str) -> None:
    assert taught.deck is not None
    card = taught.deck.cards[STANDIN.great[0].id]
    models = {name: learn_kind(taught.pieces[name]) for name in TOKENS}
    mean = taught.pieces[kind].pixels.mean(axis=0, dtype=np.float32)
    blue, green, red = (cv2.cvtColor(mean[None, None], cv2.COLOR_Lab2BGR)[0, 0] * 255).tolist()
    image, corners = on_cloth(card, (round(blue), round(green), round(red)))
    found, share = tokens_on(image, card, corners, models, 16.0)
    assert (found, share) == ((), 1.0)
