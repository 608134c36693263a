"""Tokens on great oracle cards, whatever the card lies on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.cards.deck import REFERENCE_PX_PER_MM, EnrolledCard
from calibration.plane import Image
from calibration.profile import TableProfile
from companion.adapters.wicked.bots.scenes import offset_pose
from companion.games.wicked.standin_deck import STANDIN
from tests.vision.boards.enrolled import Room, tokens
from vision.cameras.simulated.scene import CardOnTable, Pose, Scene
from vision.games.wicked.tokens_on_oracles import tokens_on
from vision.kind_colours import learn_kind

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
def test_a_cloth_of_a_tokens_colour_is_no_token_at_the_cards_rim(profile: TableProfile, kind: str) -> None:
    assert profile.deck is not None
    card = profile.deck.cards[STANDIN.great[0].id]
    models = {name: learn_kind(profile.pieces[name]) for name in TOKENS}
    mean = profile.pieces[kind].pixels.mean(axis=0, dtype=np.float32)
    blue, green, red = (cv2.cvtColor(mean[None, None], cv2.COLOR_Lab2BGR)[0, 0] * 255).tolist()
    image, corners = on_cloth(card, (round(blue), round(green), round(red)))
    found, share = tokens_on(image, card, corners, models, 16.0)
    assert (found, share) == ((), 1.0)


ORACLES = STANDIN.great[:6]
ON_GEMS = ((-12.0, 13.0), (12.0, 12.0))
"""Where tokens lie just on the gems that a card shows, mm right of and above its middle."""
PLACES = tuple(Pose(-150.0 + 150.0 * (k % 3), 110.0 - 220.0 * (k // 3), 4.0 * k) for k in range(len(ORACLES)))


def read(profile: TableProfile, image: Image) -> list[list[str]]:
    """Name the colours of the tokens that are surely on each oracle of a picture."""
    assert profile.deck is not None
    assert profile.plane is not None
    models = {name: learn_kind(profile.pieces[name]) for name in TOKENS}
    seen = []
    for place, oracle in zip(PLACES, ORACLES, strict=True):
        card = profile.deck.cards[oracle.id]
        width, height = card.size_mm
        ring = [offset_pose(place, u * width / 2, v * height / 2) for u, v in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        corners = profile.plane.to_image([(corner.x, corner.y) for corner in ring])
        found, _ = tokens_on(image, card, corners, models, 16.0)
        seen.append(sorted(token.kind.partition(":")[2] for token in found if token.confidence > 0.6))
    return seen


def test_tokens_that_lie_just_on_gems_of_their_own_colour_are_seen(room: Room, profile: TableProfile) -> None:
    cards = tuple(CardOnTable(place, card.id, "great") for place, card in zip(PLACES, ORACLES, strict=True))
    pieces = [
        piece
        for place, card in zip(PLACES, ORACLES, strict=True)
        for piece in tokens(place, [(f"token:{c}", at) for c, at in zip(card.colours, ON_GEMS, strict=True)])
    ]
    image = room.photograph(Scene(4, tile=False, cards=cards, pieces=tuple(pieces)), 40)
    assert read(profile, image) == [sorted(card.colours) for card in ORACLES]


@pytest.mark.parametrize("brighter", [1.8, 2.1])
def test_gems_in_light_so_strong_that_their_hue_changes_are_no_tokens(
    room: Room, profile: TableProfile, brighter: float
) -> None:
    cards = tuple(CardOnTable(place, card.id, "great") for place, card in zip(PLACES, ORACLES, strict=True))
    image = room.photograph(Scene(4, tile=False, cards=cards), 41)
    strong = np.asarray(np.minimum(image.astype(np.float32) * brighter, 255.0), np.uint8)
    assert read(profile, strong) == [[] for _ in ORACLES]
