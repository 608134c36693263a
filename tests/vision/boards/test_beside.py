"""Which oracle cards belong to a board, and which are looked for again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from calibration.boards.alignment import AlignedBoard
from calibration.profile import TableProfile
from calibration.seats import Seating
from companion.games.wicked.standin_deck import STANDIN
from tests.vision.boards.enrolled import Room
from tests.vision.boards.scenes import at_seat
from vision.boards.board_search import BoardScene, DetectedBoard, DetectedCard
from vision.games.wicked.board_reader import BoardReader
from vision.games.wicked.cards_and_tiles_beside_boards import (
    BACK,
    BesideModels,
    boards_lacking_cards,
    card_owners,
    cards_of,
)
from vision.games.wicked.readings import BoardExpectation
from vision.kind_colours import learn_kind

pytestmark = pytest.mark.slow

BOTH = BoardExpectation(None, 2, 2)
GREAT, SMALL = [card.id for card in STANDIN.great], [card.id for card in STANDIN.small]
OWN = ((GREAT[0], (-200, -40)), (GREAT[1], (-270, -40)), (SMALL[0], (-200, 55)), (BACK, (-270, 55)))


@pytest.fixture(scope="module")
def known(profile: TableProfile) -> BesideModels:
    tokens = {kind: learn_kind(samples) for kind, samples in profile.pieces.items() if kind.startswith("token:")}
    return BesideModels(profile, tokens)


def seen(profile: TableProfile, lying: Sequence[tuple[str, tuple[int, int]]]) -> BoardScene:
    """A board in the middle of a picture of 1 px/mm, and cards: their names and middles in board mm."""
    upright = np.array([[1, 0, 600], [0, -1, 400], [0, 0, 1.0]])
    board = next(iter(profile.personal_boards.values()))
    half = np.array([(-34.0, -46), (34, -46), (34, 46), (-34, 46)])
    cards = tuple(DetectedCard(name, np.array([600 + x, 400 - y]) + half, 0.99) for name, (x, y) in lying)
    return BoardScene((DetectedBoard(board, AlignedBoard(upright, 1.0, 1.0), 0.99),), cards, None)


def names(profile: TableProfile, known: BesideModels, lying: Sequence[tuple[str, tuple[int, int]]]) -> list[str]:
    picture = seen(profile, lying)
    cards = cards_of(known, picture.boards[0], picture, card_owners(picture, Seating.even(4)), BOTH)
    return sorted(card.id for card in cards)


def test_a_neighbours_card_that_lies_apart_is_not_counted(profile: TableProfile, known: BesideModels) -> None:
    assert names(profile, known, [*OWN, (SMALL[1], (40, 310))]) == sorted([GREAT[0], GREAT[1], SMALL[0], BACK])


def test_one_card_too_many_among_the_others_is_counted_and_so_asked_about(
    profile: TableProfile, known: BesideModels
) -> None:
    assert len(names(profile, known, [*OWN, (SMALL[1], (-200, 150))])) == 5


def test_a_players_cards_may_lie_on_both_sides_of_the_board(profile: TableProfile, known: BesideModels) -> None:
    assert len(names(profile, known, [*OWN[:2], (SMALL[0], (200, 0)), (BACK, (270, 0))])) == 4


def test_boards_that_lack_cards_are_looked_at_again(profile: TableProfile, known: BesideModels) -> None:
    for lying, lacks in (
        (OWN, False),
        (OWN[:3], True),
        (OWN[1:], True),
        ((*OWN[:3], (SMALL[1], (-270, 55))), False),
    ):
        picture = seen(profile, lying)
        again = boards_lacking_cards(known, picture, card_owners(picture, Seating.even(4)), BOTH)
        assert again == (picture.boards if lacks else ())
    assert boards_lacking_cards(known, picture, card_owners(picture, Seating.even(4)), BoardExpectation()) == ()


def test_cards_that_lie_in_the_dark_are_found(room: Room, reader: BoardReader) -> None:
    image = room.photograph(at_seat(0))
    (lit,) = reader.read(image, BoardExpectation(1, 2, 2)).boards
    first = int(min(x for card in lit.great for x, _ in card.corners)) - 40
    dark = image.copy()
    dark[:, first:] = (image[:, first:] * 0.16).astype(np.uint8)
    (board,) = reader.read(dark, BoardExpectation(1, 2, 2)).boards
    assert {card.card for card in board.great} == {card.card for card in lit.great}
    (hasty,) = reader.read(dark, BoardExpectation(1)).boards
    assert len(hasty.great) < len(lit.great)
