"""Random synthetic tables with personal boards and what lies on and beside them, with ground truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.games.wicked.art import BOARD_SPOTS, IMPURITY
from companion.adapters.wicked.bots.scenes import offset_pose
from companion.games.wicked.components import COLOURS, PLAYER_COLOURS, RANKS
from companion.games.wicked.standin_deck import STANDIN
from models.evaluation.scenes import held_out_parameters
from vision.cameras.simulated import Look
from vision.cameras.simulated.scene import BoardOnTable, CardOnTable, PieceOnTable, Pose, Scene
from vision.games.wicked.simulated_layout import SeatPlace, seat_place

SEATS = 5
"""Players at a table."""
_ORACLE_TOKENS = (((-15.0, -20.0), (15.0, -20.0)), ((-14.0, 8.0), (14.0, 8.0)), ((-10.0, 18.0), (12.0, -6.0)))
"""Possible pairs of positions of two tokens on a great oracle card, mm from its centre, to the right and up."""
_SPELL_PLACES = ((-15.0, 8.0), (0.0, 8.0), (15.0, 8.0), (-15.0, -8.0), (0.0, -8.0), (15.0, -8.0))
"""Positions of pieces on a spell space, mm from its centre, to the right and up."""
_TILES_IN_A_ROW = 3
"""Largest number of impurity tiles in a row."""


@dataclass(frozen=True, slots=True)
class BoardTruth:
    """Ground truth of one personal board and the cards and tiles beside it."""

    colour: str
    """Colour of the board's player."""
    pose: Pose
    """Pose of the board."""
    spots: tuple[str | None, ...]
    """Token colour of each spot, in the order low, middle, high; None for an empty one."""
    spells: tuple[int, int]
    """Number of pieces on the spell spaces of promotion and of colour change."""
    great: Mapping[str, bool]
    """Whether each great oracle card is achieved."""
    small_achieved: int
    """Number of achieved small oracle cards."""
    impurity: int
    """Points of impurity."""

    def tokens(self, rank: str) -> Counter[str]:
        """Return the number of tokens by colour on the spots of a rank. Raises ValueError for an unknown rank."""
        start = 0
        for name in RANKS:
            count = len(BOARD_SPOTS.of(name))
            if name == rank:
                return Counter(token for token in self.spots[start : start + count] if token is not None)
            start += count
        raise ValueError(rank)


def random_table(rng: np.random.Generator) -> tuple[Scene, tuple[BoardTruth, ...]]:
    """Return a random scene with the boards of all players, and the ground truth of each board, by seat."""
    colours = [str(colour) for colour in rng.permutation(PLAYER_COLOURS)[:SEATS]]
    great = [card.id for card in STANDIN.great]
    small = [card.id for card in STANDIN.small]
    rng.shuffle(great)
    rng.shuffle(small)
    boards, cards, pieces, truths = [], [], [], []
    for seat, colour in enumerate(colours):
        place = seat_place(SEATS, seat)
        board = _moved(place.board, rng, 3.0, 3.0)
        boards.append(BoardOnTable(colour, board))
        own_great, own_small = great[2 * seat : 2 * seat + 2], small[2 * seat : 2 * seat + 2]
        truth, lying, loose = _random_belongings(rng, colour, board, place, own_great, own_small)
        truths.append(truth)
        cards += lying
        pieces += loose
    return Scene(SEATS, cards=tuple(cards), boards=tuple(boards), pieces=tuple(pieces)), tuple(truths)


def _random_belongings(
    rng: np.random.Generator, colour: str, board: Pose, place: SeatPlace, great: list[str], small: list[str]
) -> tuple[BoardTruth, list[CardOnTable], list[PieceOnTable]]:
    """Return the ground truth of a player's board, and the cards and pieces on and beside it.

    board: its pose; great, small: ids of the player's oracle cards.
    """
    spots: list[str | None] = []
    pieces: list[PieceOnTable] = []
    filled = float(rng.uniform(0.15, 1.0))
    for rank in RANKS:
        for spot in BOARD_SPOTS.of(rank):
            token = str(rng.choice(COLOURS)) if rng.random() < filled else None
            spots.append(token)
            if token is not None:
                pieces.append(PieceOnTable(f"token:{token}", _random_pose_at(board, spot, rng, 1.0)))
    spells = []
    for space in (BOARD_SPOTS.promotion, BOARD_SPOTS.colour_change):
        number = int(rng.choice(4, p=(0.5, 0.25, 0.15, 0.1)))
        spells.append(number)
        chosen = rng.permutation(len(_SPELL_PLACES))[:number]
        for x, y in (_SPELL_PLACES[k] for k in chosen):
            pieces.append(
                PieceOnTable(f"search:{colour}", _random_pose_at(board, (space.x + x, space.y + y), rng, 0.6))
            )
    cards, achieved = [], {}
    for pose, name in zip(place.great, great, strict=True):
        lying = _moved(pose, rng, 2.0, 3.0)
        cards.append(CardOnTable(lying, name, "great"))
        achieved[name] = bool(rng.random() < 0.45)
        if achieved[name]:
            ways = _ORACLE_TOKENS[int(rng.integers(len(_ORACLE_TOKENS)))]
            for token, spot in zip(STANDIN.great_oracle(name).colours, ways, strict=True):
                pieces.append(PieceOnTable(f"token:{token}", _random_pose_at(lying, spot, rng, 1.5)))
    down = 0
    for pose, name in zip(place.small, small, strict=True):
        turned = bool(rng.random() < 0.45)
        down += turned
        cards.append(CardOnTable(_moved(pose, rng, 2.0, 3.0), None if turned else name, "small"))
    impurity = int(rng.integers(0, 10))
    pieces += _random_impurity_tiles(rng, impurity, place.impurity)
    truth = BoardTruth(colour, board, tuple(spots), (spells[0], spells[1]), achieved, down, impurity)
    return truth, cards, pieces


def _random_impurity_tiles(rng: np.random.Generator, points: int, middle: Pose) -> list[PieceOnTable]:
    """Return random impurity tiles that are worth `points` together, in rows, touching or nearly so.

    middle: pose of the middle of the first row.
    """
    threes = int(rng.integers(0, points // 3 + 1)) if rng.random() < 0.4 else points // 3
    values = [3] * threes + [1] * (points - 3 * threes)
    pieces, up = [], 0.0
    for start in range(0, len(values), _TILES_IN_A_ROW):
        row = values[start : start + _TILES_IN_A_ROW]
        right = -_TILES_IN_A_ROW / 2 * IMPURITY[3]
        for value in row:
            right += IMPURITY[value] / 2
            spot = offset_pose(middle, right, up, float(rng.uniform(0, 360)))
            pieces.append(PieceOnTable(f"impurity:{value}", spot))
            right += IMPURITY[value] / 2 + float(rng.uniform(0, 1.0))
        up += max(IMPURITY[value] for value in row)
    return pieces


def table_look(seed: int) -> Look:
    """Return the held-out look of a seed with a higher camera that has all boards in view."""
    wide = Look.from_seed(held_out_parameters.checked_seed(seed))
    return replace(
        held_out_parameters.look(seed),
        hfov=wide.hfov,
        height=wide.height,
        aim=wide.aim,
        tilt=min(8.0, wide.tilt),
        yaw=wide.yaw,
    )


def phone_look(seed: int, board: Pose, place: SeatPlace) -> Look:
    """Return the held-out look of a seed with the camera of a phone that is held over one board and its cards.

    It is tilted by up to 30 degrees. board: pose of the board; place: of the seat to which it belongs.
    """
    rng = np.random.default_rng([held_out_parameters.checked_seed(seed), 0xF0E])
    cards = place.great + place.small
    x = float(np.mean([board.x, board.x, *(card.x for card in cards[:2])]))
    y = float(np.mean([board.y, board.y, *(card.y for card in cards[:2])]))
    hfov = float(rng.uniform(56, 72))
    width = float(rng.uniform(600, 720))
    return replace(
        held_out_parameters.look(seed),
        hfov=hfov,
        height=width / 2 / float(np.tan(np.radians(hfov / 2))),
        tilt=float(rng.uniform(-30, 30)),
        yaw=board.angle + float(rng.uniform(-12, 12)),
        aim=(x + float(rng.uniform(-15, 15)), y + float(rng.uniform(-12, 12))),
        k1=float(rng.uniform(-0.03, 0.01)),
        k2=0.0,
    )


def _moved(pose: Pose, rng: np.random.Generator, mm: float, degrees: float) -> Pose:
    """Return a pose moved and turned at random. mm, degrees: standard deviations."""
    return Pose(
        pose.x + float(rng.normal(0, mm)),
        pose.y + float(rng.normal(0, mm)),
        pose.angle + float(rng.normal(0, degrees)),
    )


def _random_pose_at(pose: Pose, spot: tuple[float, float], rng: np.random.Generator, mm: float) -> Pose:
    """Return a pose near a spot of a board or card, in a random orientation.

    pose: of the board or card; spot: mm from its centre, to the right and up; mm: standard deviation.
    """
    right, up = (float(value) for value in np.asarray(spot) + np.clip(rng.normal(0, mm, 2), -2.5 * mm, 2.5 * mm))
    return offset_pose(pose, right, up, float(rng.uniform(0, 360)))
