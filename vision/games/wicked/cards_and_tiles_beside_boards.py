"""Read the area beside a personal board: oracle cards with or without tokens, face-down cards, impurity tiles."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards.deck import EnrolledCard
from calibration.homography import map_points
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from calibration.seats import Seating
from calibration.translatable import say
from vision.boards.board_search import BoardScene, DetectedBoard, DetectedCard, board_scales
from vision.boards.rectified import RectifiedBoard
from vision.games.wicked.impurity_beside_boards import read_impurity
from vision.games.wicked.impurity_pixel_classifier import TileModel
from vision.games.wicked.readings import (
    BoardExpectation,
    GreatReading,
    ImpurityReading,
    SmallReading,
    card_count_message,
)
from vision.games.wicked.tokens_on_oracles import TokenOnCard, cache_print, tokens_on
from vision.kind_colours import KindColours

_CHANCE_PAIR = 0.06
"""Probability that two faint tokens of exactly the colours that the card requires are no tokens."""
_MAX_CARD_MM = 330.0
"""Maximum distance of a card from the centre of its board."""
_MAX_ADJACENT_MM = 118.0
"""Maximum distance between the centres of adjacent cards."""
_MIN_CARD_CONFIDENCE = 0.8
"""Minimum confidence in a card that needs no confirmation."""
_MIN_TOKEN_CONFIDENCE = 0.75
"""Minimum confidence in a token that is certain."""
_MIN_VISIBLE_SHARE = 0.97
"""Minimum visible share of a card that needs no confirmation."""
ORACLES = ("great", "small")
"""Sorts of cards that lie beside boards."""
BACK = "back:small"
"""Id of a small oracle card's back in an enrolled deck; great ones never lie face down."""
ReadBeside = tuple[tuple[GreatReading, ...], SmallReading, ImpurityReading, list[str]]
"""Readings beside one board: great cards, small cards, impurity, and reasons for confirmation, for users."""


class BesideModels:
    """Models of a profile's oracle cards, tokens and impurity tiles.

    great, small: enrolled oracle cards that lie face up, by id. back: enrolled back of small ones, if any. tokens:
    colour model of each kind of token. token_mm: diameter of a token. tiles: classifier of impurity tiles.
    """

    def __init__(self, profile: TableProfile, tokens: Mapping[str, KindColours]) -> None:
        """Build the models from a profile with enrolled tokens. tokens: colour model of each kind of token."""
        cards = {} if profile.deck is None else profile.deck.cards
        self.great = {card.id: card for card in cards.values() if card.kind == "great"}
        self.small = {card.id: card for card in cards.values() if card.kind == "small"}
        self.back = cards.get(BACK)
        self.tokens = tokens
        self.token_mm = float(np.median([profile.pieces[kind].size_mm[0] for kind in tokens]))
        self.tiles = TileModel(profile)
        # Cards lie at slightly other heights than the boards beside them.
        scales = {round(scale + step, 1) for scale in board_scales(profile) for step in (-0.1, 0.0, 0.1)}
        for scale, card in itertools.product(scales, self.great.values()):
            cache_print(card, scale)


def read_beside(
    known: BesideModels,
    image: Image,
    seen: BoardScene,
    board: DetectedBoard,
    laid: RectifiedBoard,
    owners: Sequence[DetectedBoard | None],
    expectation: BoardExpectation,
    grow: float,
) -> ReadBeside:
    """Return great cards, small cards and impurity beside one board of a picture, and reasons for confirmation.

    known: models of what may lie there. seen: boards and cards of the picture. owners: board of each of these
    cards, from `card_owners`. laid: the board, rectified. expectation: numbers of cards that should lie there.
    grow: px of the given picture per px of `image`, which may be downscaled.
    """
    own = cards_of(known, board, seen, owners, expectation)
    great = tuple(
        _great_reading(image, known, known.great[card.id], card, grow) for card in own if card.id in known.great
    )
    down = [card for card in own if card.id == BACK]
    open_cards = [card for card in own if card.id in known.small]
    sure = min((card.confidence for card in (*down, *open_cards)), default=1.0)
    why = say("they cannot be read clearly: turn them towards the camera") if sure < _MIN_CARD_CONFIDENCE else ""
    small = SmallReading(len(down), tuple(card.id for card in open_cards), sure, why)
    complete = seen.plane is not None and len(seen.boards) >= (expectation.seats or np.inf)
    impurity = read_impurity(known.tiles, image, seen, board, own, laid, grow, complete=complete)
    lines = _confirmation_reasons(great, small, impurity, expectation)
    return great, small, impurity, lines


def boards_lacking_cards(
    known: BesideModels, seen: BoardScene, owners: Sequence[DetectedBoard | None], expectation: BoardExpectation
) -> tuple[DetectedBoard, ...]:
    """Return the boards beside which fewer oracle cards were detected than expected.

    seen: boards and cards of the picture. owners: board of each detected card, from `card_owners`.
    """

    def lacks(board: DetectedBoard) -> bool:
        own = [card for card, other in zip(seen.cards, owners, strict=True) if other is board]
        great, small = _great_and_small_counts(known, own)
        return great < (expectation.great or 0) or small < (expectation.small or 0)

    return tuple(board for board in seen.boards if lacks(board))


def _great_and_small_counts(known: BesideModels, cards: Sequence[DetectedCard]) -> tuple[int, int]:
    """Return how many of the detected cards are great, and how many small oracle cards."""
    great = sum(card.id in known.great for card in cards)
    return great, sum(card.id in known.small or card.id == BACK for card in cards)


def cards_of(
    known: BesideModels,
    board: DetectedBoard,
    seen: BoardScene,
    owners: Sequence[DetectedBoard | None],
    expectation: BoardExpectation,
) -> list[DetectedCard]:
    """Return the detected oracle cards that belong to a board.

    Where more cards belong to it than expected, only the group of adjacent cards next to the board is returned,
    provided that it has the expected numbers: the others may be those of a neighbour whose board is out of view.
    owners: board of each detected card, from `card_owners`.
    """
    own = [card for card, other in zip(seen.cards, owners, strict=True) if other is board]
    great, small = _great_and_small_counts(known, own)
    expected = (expectation.great, expectation.small)
    if None in expected or (great, small) == expected or great + small <= sum(filter(None, expected)):
        return own
    back = np.linalg.inv(board.aligned.homography)
    spots = np.stack([cv2.perspectiveTransform(card.corners[None], back)[0].mean(axis=0) for card in own])
    linked = np.linalg.norm(spots[:, None] - spots[None], axis=2) < _MAX_ADJACENT_MM
    chosen = np.arange(len(own)) == np.linalg.norm(spots, axis=1).argmin()
    for _ in own:
        chosen = linked[chosen].any(axis=0)
    together = [card for card, near in zip(own, chosen, strict=True) if near]
    return together if _great_and_small_counts(known, together) == expected else own


def _confirmation_reasons(
    great: Sequence[GreatReading], small: SmallReading, impurity: ImpurityReading, expectation: BoardExpectation
) -> list[str]:
    """Return why the readings beside a board need confirmation, in words for users."""
    lines = list[str]()
    for kind, expected, found in (
        ("great", expectation.great, len(great)),
        ("small", expectation.small, small.achieved + len(small.open)),
    ):
        if expected is not None and found != expected:
            lines.append(card_count_message(kind, found, expected))
    questions = (*(card.question for card in great), small.question, impurity.question)
    return [*lines, *filter(None, questions)]


def card_owners(seen: BoardScene, seating: Seating) -> tuple[DetectedBoard | None, ...]:
    """Return the board that each detected card belongs to, None where no board is near.

    On a calibrated table, it is the board in the same seat's sector of the table; elsewhere, or if there is not
    exactly one, the nearest board.
    """
    return tuple(_owner(card, seen, seating) for card in seen.cards)


def _owner(card: DetectedCard, seen: BoardScene, seating: Seating) -> DetectedBoard | None:
    """Return the board that one detected card belongs to, see `card_owners`."""
    middle, boards = card.corners.mean(axis=0), seen.boards
    if seen.plane is not None:
        near = [board for board in boards if _distance_from_centre(middle, board) < 1.4 * _MAX_CARD_MM]
        seat = _seat(middle, seen.plane, seating)
        own = [board for board in near if _seat(board.corners.mean(axis=0), seen.plane, seating) == seat]
        if len(own) == 1:
            return own[0]
    away = [(_distance_from_centre(middle, board), number) for number, board in enumerate(boards)]
    distance, number = min(away, default=(np.inf, 0))
    return boards[number] if distance < _MAX_CARD_MM else None


def _seat(point: NDArray[np.float64], plane: TablePlane, seating: Seating) -> int | None:
    """Return the seat in whose sector a point in px lies; None beyond the horizon."""
    spot = plane.to_table(point)
    return seating.seat_of(spot) if np.isfinite(spot).all() else None


def _distance_from_centre(point: NDArray[np.float64], board: DetectedBoard) -> float:
    """Return the distance (mm) of a point in px from a board's centre."""
    return float(np.hypot(*map_points(point, np.linalg.inv(board.aligned.homography))))


def _great_reading(
    image: Image, known: BesideModels, card: EnrolledCard, seen: DetectedCard, grow: float
) -> GreatReading:
    """Return the reading of a great oracle card: whether it is achieved, which two tokens on it show.

    card, seen: the enrolled card, and where it was detected. grow: see `read_beside`.
    """
    found, share = tokens_on(image, card, seen.corners, known.tokens, known.token_mm)
    achieved, why = _achieved(card, found, share)
    a, b, c, d = ((float(x) * grow, float(y) * grow) for x, y in seen.corners)
    clearest = max((token.confidence for token in found), default=1.0)
    sure = min(seen.confidence, 1 - _CHANCE_PAIR * 2 * (1 - clearest))
    colours = tuple(sorted(token.kind.partition(":")[2] for token in found))
    if not why and seen.confidence < _MIN_CARD_CONFIDENCE:
        why = say("it cannot be distinguished from the other cards")
    return GreatReading(card.id, achieved, colours, min(sure, 0.5) if why else sure, (a, b, c, d), why)


def _achieved(card: EnrolledCard, found: Sequence[TokenOnCard], share: float) -> tuple[bool, str]:
    """Return whether a great oracle card is achieved, and why that needs confirmation ("" if it does not).

    found: tokens on it. share: visible share of the card.
    """
    if share < _MIN_VISIBLE_SHARE:
        return len(found) >= 2, say("a part of it is not in the picture")
    if not found:
        return False, ""
    clear = [token for token in found if token.confidence > _MIN_TOKEN_CONFIDENCE]
    if not clear:
        return False, say("the tokens on it cannot be read clearly")
    if _has_required_tokens(card, clear, found):
        return True, ""
    # A single token of the card's colours is never valid: the other lies exactly on the gem of its own colour.
    missed = len(clear) == 1 and _colour(clear[0]) in card.shows("colours")
    return missed or len(clear) >= 2, say("what lies on it is not the two tokens that it shows")


def _has_required_tokens(card: EnrolledCard, clear: Sequence[TokenOnCard], found: Sequence[TokenOnCard]) -> bool:
    """Return whether the two tokens that a card requires lie on it.

    clear: certain tokens. found: all tokens, faint ones included. One of the two may be faint: tokens often lie on
    gems of their own colour, and displaced print rarely looks like a token of exactly the required colour.
    """
    expected = Counter(card.shows("colours"))
    faint = [token for token in found if token not in clear]
    pairs = [clear, *([*clear, token] for token in faint)]
    return any(Counter(_colour(token) for token in pair) == expected for pair in pairs)


def _colour(token: TokenOnCard) -> str:
    """Return a token's colour, the last part of its kind."""
    return token.kind.partition(":")[2]
