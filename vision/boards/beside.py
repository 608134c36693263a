"""What lies beside a board: oracle cards with or without tokens, cards face down, impurity."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_alignment import PX_PER_MM, scale_of
from calibration.deck import EnrolledCard
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from calibration.seats import Seating
from calibration.wording import say
from vision.board_readings import BoardExpectation, GreatReading, ImpurityReading, SmallReading, cards_seen
from vision.boards import oracles
from vision.boards.finding import BACK, Seen, SeenBoard, SeenCard, seen_at
from vision.boards.impurity import Heap, find_heaps, free_of, in_all
from vision.boards.laid import LaidBoard, in_sight
from vision.boards.tiles import PX_PER_MM as VIEW_PX_PER_MM
from vision.boards.tiles import TileLook, large
from vision.readings import Box
from vision.reveal.kinds import KindColours

_BY_CHANCE = 0.06
"""How likely two faint tokens of just the card's colours are none."""
_FAR_MM = 330.0
"""Cards farther than this from a board's middle are not this board's."""
_TOGETHER_MM = 118.0
"""Cards whose middles are nearer than this lie side by side."""
_SURE_CARD, _CLEAR_TOKEN = 0.8, 0.75
_REACH_MM = 78.0
"""So far over a board's edges its impurity is looked for."""
_LEAST_SEEN = 0.97
_LEAST_AGREEING, _SURE_IMPURITY = 0.6, 0.97
"""How well discs must explain what looks like tiles, and how likely the number must be, not to be asked about."""
_MOST_BARE, _LEAST_FIT = 0.15, 0.5
"""How much no disc covers, in smallest tiles, and how badly the worst disc fits, before it is asked about."""
_FEW_TILES, _MANY_UNSURE, _PERHAPS = 4, 0.002, 0.001
_LEAST_RATIO = 1.25

ReadBeside = tuple[tuple[GreatReading, ...], SmallReading, ImpurityReading, list[str]]
"""What lies beside one board; the last are doubts, a line each."""


class Beside:
    """What a profile knows of cards, tokens and tiles."""

    def __init__(self, profile: TableProfile, tokens: Mapping[str, KindColours]) -> None:
        """Prepare."""
        cards = {} if profile.deck is None else profile.deck.cards
        self.great = {card.id: card for card in cards.values() if card.kind == "great"}
        self.small = {card.id: card for card in cards.values() if card.kind == "small"}
        self.back = cards.get(BACK)
        self.tokens = tokens
        self.token_mm = float(np.median([profile.pieces[kind].size_mm[0] for kind in tokens]))
        self.tiles = TileLook(profile)
        # Cards lie a little nearer or farther than the boards beside them.
        scales = {round(scale + step, 1) for scale in seen_at(profile) for step in (-0.1, 0.0, 0.1)}
        for scale, card in itertools.product(scales, self.great.values()):
            oracles.prepare(card, scale)


def read_beside(
    known: Beside,
    image: Image,
    seen: Seen,
    board: SeenBoard,
    laid: LaidBoard,
    owners: Sequence[SeenBoard | None],
    expectation: BoardExpectation,
    grow: float,
) -> ReadBeside:
    """Read what lies beside one board of a picture.

    owners: the board beside which each card lies, see `card_owners`.
    """
    own = cards_of(known, board, seen, owners, expectation)
    great = tuple(_great(image, known, known.great[card.id], card, grow) for card in own if card.id in known.great)
    down = [card for card in own if card.id == BACK]
    open_cards = [card for card in own if card.id in known.small]
    sure = min((card.confidence for card in (*down, *open_cards)), default=1.0)
    why = say("they are hard to tell: turn them towards the camera") if sure < _SURE_CARD else ""
    small = SmallReading(len(down), tuple(card.id for card in open_cards), sure, why)
    impurity = _impurity(known, image, seen, board, laid, grow)
    lines = _doubts(great, small, impurity, expectation)
    return great, small, impurity, lines


def lacking_cards(
    known: Beside, seen: Seen, owners: Sequence[SeenBoard | None], expectation: BoardExpectation
) -> tuple[SeenBoard, ...]:
    """Give the boards beside which fewer cards are seen than must lie there."""

    def lacks(board: SeenBoard) -> bool:
        own = [card for card, other in zip(seen.cards, owners, strict=True) if other is board]
        great, small = _numbers(known, own)
        return great < (expectation.great or 0) or small < (expectation.small or 0)

    return tuple(board for board in seen.boards if lacks(board))


def _numbers(known: Beside, cards: Sequence[SeenCard]) -> tuple[int, int]:
    """Count great and small oracle cards."""
    great = sum(card.id in known.great for card in cards)
    return great, sum(card.id in known.small or card.id == BACK for card in cards)


def cards_of(
    known: Beside,
    board: SeenBoard,
    seen: Seen,
    owners: Sequence[SeenBoard | None],
    expectation: BoardExpectation,
) -> list[SeenCard]:
    """Give a board's cards; of too many, those next to it that lie together where they are just as many as wanted.

    A neighbour's card may lie near this board while the neighbour's own board is not in the picture.
    owners: the board beside which each card lies, see `card_owners`.
    """
    own = [card for card, other in zip(seen.cards, owners, strict=True) if other is board]
    great, small = _numbers(known, own)
    wanted = (expectation.great, expectation.small)
    if None in wanted or (great, small) == wanted or great + small <= sum(filter(None, wanted)):
        return own
    back = np.linalg.inv(board.aligned.homography)
    spots = np.stack([cv2.perspectiveTransform(card.corners[None], back)[0].mean(axis=0) for card in own])
    linked = np.linalg.norm(spots[:, None] - spots[None], axis=2) < _TOGETHER_MM
    chosen = np.arange(len(own)) == np.linalg.norm(spots, axis=1).argmin()
    for _ in own:
        chosen = linked[chosen].any(axis=0)
    together = [card for card, near in zip(own, chosen, strict=True) if near]
    return together if _numbers(known, together) == wanted else own


def _doubts(
    great: Sequence[GreatReading], small: SmallReading, impurity: ImpurityReading, expectation: BoardExpectation
) -> list[str]:
    lines = list[str]()
    for kind, wanted, found in (
        ("great", expectation.great, len(great)),
        ("small", expectation.small, small.achieved + len(small.open)),
    ):
        if wanted is not None and found != wanted:
            lines.append(cards_seen(kind, found, wanted))
    questions = (*(card.question for card in great), small.question, impurity.question)
    return [*lines, *filter(None, questions)]


def card_owners(seen: Seen, seating: Seating) -> tuple[SeenBoard | None, ...]:
    """Tell beside which board each card lies: on a known table in the same seat's sector, else the nearest."""
    return tuple(_whose(card, seen, seating) for card in seen.cards)


def _whose(card: SeenCard, seen: Seen, seating: Seating) -> SeenBoard | None:
    middle, boards = card.corners.mean(axis=0), seen.boards
    if seen.plane is not None:
        near = [board for board in boards if _away_mm(middle, board) < 1.4 * _FAR_MM]
        seat = _seat(middle, seen.plane, seating)
        own = [board for board in near if _seat(board.corners.mean(axis=0), seen.plane, seating) == seat]
        if len(own) == 1:
            return own[0]
    away = [(_away_mm(middle, board), number) for number, board in enumerate(boards)]
    distance, number = min(away, default=(np.inf, 0))
    return boards[number] if distance < _FAR_MM else None


def _seat(point: NDArray[np.float64], plane: TablePlane, seating: Seating) -> int | None:
    spot = plane.to_table(point)
    return seating.seat_of(spot) if np.isfinite(spot).all() else None


def _away_mm(point: NDArray[np.float64], board: SeenBoard) -> float:
    """Give how far a point in px is from a board's middle, in mm."""
    x, y, w = np.linalg.inv(board.aligned.homography) @ (*point, 1.0)
    return float(np.hypot(x / w, y / w))


def _great(image: Image, known: Beside, card: EnrolledCard, seen: SeenCard, grow: float) -> GreatReading:
    found, share = oracles.tokens_on(image, card, seen.corners, known.tokens, known.token_mm)
    achieved, why = _achieved(card, found, share)
    a, b, c, d = ((float(x) * grow, float(y) * grow) for x, y in seen.corners)
    clearest = max((token.confidence for token in found), default=1.0)
    sure = min(seen.confidence, 1 - _BY_CHANCE * 2 * (1 - clearest))
    colours = tuple(sorted(token.kind.partition(":")[2] for token in found))
    if not why and seen.confidence < _SURE_CARD:
        why = say("it is hard to tell from the other cards")
    return GreatReading(card.id, achieved, colours, min(sure, 0.5) if why else sure, (a, b, c, d), why)


def _achieved(card: EnrolledCard, found: Sequence[oracles.TokenOnCard], share: float) -> tuple[bool, str]:
    """Tell whether a card is achieved, and what is odd about what lies on it."""
    if share < _LEAST_SEEN:
        return len(found) >= 2, say("it is not in the picture whole")
    if not found:
        return False, ""
    clear = [token for token in found if token.confidence > _CLEAR_TOKEN]
    if not clear:
        return False, say("the tokens on it are hard to tell")
    if _pair(card, clear, found):
        return True, ""
    # One of its colours never lies there alone: the other token lies just on the gem of its own colour.
    missed = len(clear) == 1 and _colour(clear[0]) in card.colours
    return missed or len(clear) >= 2, say("what lies on it is not the two tokens that it shows")


def _pair(card: EnrolledCard, clear: Sequence[oracles.TokenOnCard], found: Sequence[oracles.TokenOnCard]) -> bool:
    """Tell whether the two tokens that a card shows lie on it; print a little off may look like a faint one.

    Two tokens of just the card's colours are hardly there by chance: one that is clear is enough. They often lie on
    the gems of their own colour, so that they change the card but little.
    """
    wanted = Counter(card.colours)
    faint = [token for token in found if token not in clear]
    pairs = [clear, *([*clear, token] for token in faint)]
    return any(Counter(_colour(token) for token in pair) == wanted for pair in pairs)


def _colour(token: oracles.TokenOnCard) -> str:
    return token.kind.partition(":")[2]


def _impurity(
    known: Beside, image: Image, seen: Seen, board: SeenBoard, laid: LaidBoard, grow: float
) -> ImpurityReading:
    if not known.tiles.radii_mm:
        return ImpurityReading(
            0, {}, 0.5, (), say("no impurity tiles are enrolled, so that they cannot be counted")
        )
    layout = board.board.layout
    half_width, half_height = layout.size_mm[0] / 2 + _REACH_MM, layout.size_mm[1] / 2 + _REACH_MM
    scale = VIEW_PX_PER_MM
    to_mm = np.array([[1 / scale, 0, -half_width], [0, -1 / scale, half_height], [0, 0, 1.0]])
    size = (round(2 * half_width * scale), round(2 * half_height * scale))
    to_picture = board.aligned.homography @ to_mm
    seen_at = scale_of(board.aligned.homography, layout)
    soft = image if seen_at < 1.7 * scale else cv2.GaussianBlur(image, (0, 0), 0.35 * seen_at / scale)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = np.asarray(cv2.warpPerspective(soft, to_picture, size, flags=flags), np.uint8)
    inside = in_sight(image, to_picture, size)
    back = np.linalg.inv(to_picture)
    lying = [thing.corners for thing in seen.boards] + [thing.corners for thing in seen.cards]
    quads = [cv2.perspectiveTransform(_grown(quad)[None], back)[0] for quad in lying]
    inside = cv2.erode(inside.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    free = free_of((size[1], size[0]), quads) & inside
    round_it = _gain_round(laid, size)
    chances = known.tiles.chances(view, round_it, free, free)
    hidden = large(chances)
    if hidden.any():
        chances = known.tiles.chances(view, round_it, free, free & ~hidden)
    heaps = find_heaps(chances, known.tiles.radii_mm, scale, inside, free)
    others = [other for other in seen.boards if other is not board]
    own, boxes = list[Heap](), []
    for heap in heaps:
        places = np.array([[heap.middle, *(tile.middle for tile in heap.tiles)]], np.float64)
        middle, *spots = cv2.perspectiveTransform(places, to_picture)[0]
        if any(_beyond(middle, board) > _beyond(middle, other) for other in others):
            continue
        own.append(heap)
        for spot, tile in zip(spots, heap.tiles, strict=True):
            reach = tile.radius * seen_at / scale * grow
            boxes.append((float(spot[0]) * grow - reach, float(spot[1]) * grow - reach, 2 * reach, 2 * reach))
    return _counted(own, known, tuple(boxes))


def _counted(heaps: Sequence[Heap], known: Beside, boxes: tuple[Box, ...]) -> ImpurityReading:
    counts = Counter(tile.value for heap in heaps for tile in heap.tiles)
    sure = float(np.prod([max(heap.chances.values()) for heap in heaps])) if heaps else 0.998
    points = sum(value * n for value, n in counts.items())
    why, others = "", tuple[tuple[int, float], ...]()
    if any(_ill_explained(heap) for heap in heaps):
        why = say("something looks like a part of a tile: lay the tiles apart in rows")
    elif sure < _SURE_IMPURITY or any(map(_hardly_told, heaps)) or (heaps and _sizes_alike(known.tiles.radii_mm)):
        why = say("the tiles are hard to tell: lay them apart in rows")
        # Sizes that are alike tell how many tiles there are, not what they count.
        others = () if _sizes_alike(known.tiles.radii_mm) else _others(heaps, points)
    tiles = {value: counts[value] for value in known.tiles.radii_mm}
    return ImpurityReading(points, tiles, min(sure, 0.5) if why else sure, boxes, why, others)


def _others(heaps: Sequence[Heap], points: int) -> tuple[tuple[int, float], ...]:
    """Give every other number that all heaps together may well count, likeliest first, with its chance."""
    likely = [(number, round(p, 4)) for number, p in in_all(heaps).items() if number != points and p > _PERHAPS]
    return tuple(sorted(likely, key=lambda pair: -pair[1]))


def _ill_explained(heap: Heap) -> bool:
    """Tell whether a heap is not just tiles, or goes on where nothing is seen."""
    return heap.cut or heap.agreeing < _LEAST_AGREEING or heap.bare > _MOST_BARE or heap.worst < _LEAST_FIT


def _hardly_told(heap: Heap) -> bool:
    """Tell whether another number explains a heap of many tiles nearly as well: there are more ways to be wrong."""
    return len(heap.tiles) > _FEW_TILES and 1 - max(heap.chances.values()) > _MANY_UNSURE


def _sizes_alike(radii_mm: Mapping[int, float]) -> bool:
    """Tell whether tiles were enrolled in sizes that cannot be told apart: on a light table a light rim is lost."""
    return len(radii_mm) > 1 and max(radii_mm.values()) < _LEAST_RATIO * min(radii_mm.values())


def _beyond(point: NDArray[np.float64], board: SeenBoard) -> float:
    """Give how far a point in px lies off a board's edges, in mm."""
    x, y, w = np.linalg.inv(board.aligned.homography) @ (*point, 1.0)
    width, height = board.board.layout.size_mm
    return float(np.hypot(max(0.0, abs(x / w) - width / 2), max(0.0, abs(y / w) - height / 2)))


def _grown(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Make a quadrilateral a little larger: its rim is blurred and throws a shadow."""
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * 1.03, np.float64)


def _gain_round(laid: LaidBoard, size: tuple[int, int]) -> NDArray[np.float32]:
    """Give the light round a board as it is at its nearest edge, (height, width, 3)."""
    matrix = PX_PER_MM * np.array([[1 / VIEW_PX_PER_MM, 0, -_REACH_MM], [0, 1 / VIEW_PX_PER_MM, -_REACH_MM]])
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    there = cv2.warpAffine(laid.gain, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(there, np.float32)
