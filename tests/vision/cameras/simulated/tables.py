"""Random tables in the middle of a game, for tests and benchmarks of whatever looks at pictures."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from calibration.games.wicked.art import BOARD_SPOTS, corridor_face, great_face, small_face
from companion.games.wicked.components import CORRIDORS, PLAYER_COLOURS, RANKS, SEARCH_PIECES
from companion.games.wicked.standin_deck import STANDIN
from vision.cameras.simulated import rasterised
from vision.cameras.simulated.scene import BoardOnTable, CardOnTable, HandOnTable, PieceOnTable, Pose, Scene
from vision.games.wicked.simulated_layout import SeatPlace, ring_poses, seat_place

TOKENS = ("token:red", "token:green", "token:blue", "token:yellow")


@cache
def faces() -> dict[str, NDArray[np.uint8]]:
    """Draw every card of the stand-in deck."""
    drawings = {card.id: corridor_face(card.id, card.upper, card.lower) for card in STANDIN.corridors}
    drawings |= {card.id: great_face(card.id, card.colours) for card in STANDIN.great}
    drawings |= {
        card.id: small_face(card.id, [(need.colour, need.rank) for need in card.needs], card.reward)
        for card in STANDIN.small
    }
    return rasterised(drawings)


def beside(pose: Pose, right: float, away: float, angle: float = 0.0) -> Pose:
    """Return a pose relative to another: mm to its right and away along its upright, and a turn."""
    turn = np.radians(pose.angle)
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    return Pose(pose.x + right * cos + away * sin, pose.y - right * sin + away * cos, pose.angle + angle)


def table(seed: int, seats: int | None = None, *, reveal: bool = True) -> Scene:
    """Make up a table in mid-game: cards, boards with tokens, revealed pieces and, at a reveal, everybody's hand.

    Each hand holds some of what its player has not put down yet; one in ten stays closed.
    """
    rng = np.random.default_rng([seed, 0x7AB1E])
    seats = seats or int(rng.integers(3, 6))
    cards, boards, pieces, hands = _ring(rng, seats), [], [], []
    great, small = rng.permutation([c.id for c in STANDIN.great]), rng.permutation([c.id for c in STANDIN.small])
    for seat in range(seats):
        place, colour = seat_place(seats, seat), PLAYER_COLOURS[seat]
        boards.append(BoardOnTable(colour, place.board))
        for index in range(2):
            cards.append(CardOnTable(place.great[index], str(great[2 * seat + index]), "great"))
            cards.append(CardOnTable(place.small[index], str(small[2 * seat + index]), "small"))
        pieces.extend(_owned(rng, place))
        put_down = int(rng.integers(0, SEARCH_PIECES[seats] - 1))
        for index in range(put_down):
            spot = beside(place.revealed, 18.0 * (index % 4) - 27, 9 - 19.0 * (index // 4), rng.uniform(0, 360))
            pieces.append(PieceOnTable(f"search:{colour}", spot))
        held = [f"search:{colour}"] * int(rng.integers(0, SEARCH_PIECES[seats] - put_down + 1))
        held += [sign for sign in ("sign:witch", "sign:soul") if rng.random() < 0.35]
        openness = 0.0 if rng.random() < 0.1 else 1.0
        hands.append(HandOnTable(seat, 1.0, openness, tuple(held), look=int(rng.integers(0, 1_000_000))))
    return Scene(
        seats,
        cards=tuple(cards),
        boards=tuple(boards),
        pieces=tuple(pieces),
        hands=tuple(hands) if reveal else (),
    )


def _ring(rng: np.random.Generator, seats: int) -> list[CardOnTable]:
    dealt = rng.permutation([card.id for card in STANDIN.corridors])[: CORRIDORS[seats]]
    searched = int(rng.integers(0, CORRIDORS[seats]))
    return [
        CardOnTable(
            Pose(pose.x + rng.normal(0, 1.5), pose.y + rng.normal(0, 1.5), pose.angle + rng.normal(0, 2)),
            None if slot < searched else str(dealt[slot]),
        )
        for slot, pose in enumerate(ring_poses(CORRIDORS[seats]))
    ]


def _owned(rng: np.random.Generator, place: SeatPlace) -> list[PieceOnTable]:
    owned = [
        PieceOnTable(str(rng.choice(TOKENS)), beside(place.board, x, y, rng.uniform(0, 360)))
        for rank in RANKS
        for x, y in BOARD_SPOTS.of(rank)
        if rng.random() < 0.4
    ]
    for index in range(int(rng.integers(0, 3))):
        kind = "impurity:3" if rng.random() < 0.3 else "impurity:1"
        owned.append(PieceOnTable(kind, beside(place.impurity, 21.0 * index - 10, 0, rng.uniform(0, 360))))
    return owned
