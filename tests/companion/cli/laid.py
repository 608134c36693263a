"""Boards laid at the end of a game, and their true scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.games.wicked.art import BOARD_SPOTS
from companion.adapters.wicked.bots.scenes import offset_pose
from companion.games.wicked.components import COLOURS, Colour, PlayerColour, Rank
from companion.games.wicked.moves import Hand
from companion.games.wicked.scoring.final_scores import FinalScore, final_scores
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import AchievedGreat, Tokens, WickedPlayer, WickedState
from vision.cameras.simulated.scene import BoardOnTable, CardOnTable, PieceOnTable, Scene
from vision.games.wicked.simulated_layout import seat_place

SEATS = 3


@dataclass(frozen=True)
class Laid:
    """What one player has at the end: rows as initials of colours, ids of oracles, impurity tiles."""

    colour: PlayerColour
    rows: tuple[str, str, str]
    great: tuple[str, str]
    small: tuple[str, str]
    achieved: tuple[str, ...] = ()
    face_down: int = 0
    impurity: tuple[int, ...] = ()

    @property
    def player(self) -> WickedPlayer:
        """Return the same as a player of the rules."""
        low, middle, high = (Tokens.of(colours(row)) for row in self.rows)
        return WickedPlayer(
            self.colour,
            Hand(),
            low,
            middle,
            high,
            impurity=sum(self.impurity),
            achieved_great=tuple(AchievedGreat(c, STANDIN.great_oracle(c).colours) for c in self.achieved),
            achieved_small=self.small[: self.face_down],
        )


PURPLE = Laid(
    "purple", ("rrb", "gy", "yb"), ("G02", "G10"), ("S05", "S06"), achieved=("G02",), face_down=1, impurity=(3, 1)
)

RED = Laid("red", ("ggg", "rb", "r"), ("G01", "G03"), ("S01", "S02"), impurity=(1,))

BLACK = Laid("black", ("y", "", "bgr"), ("G04", "G05"), ("S09", "S10"), face_down=2)

TABLE = (PURPLE, RED, BLACK)


def colours(row: str) -> tuple[Colour, ...]:
    return tuple(colour for letter in row for colour in COLOURS if colour[0] == letter)


def scene(laid: Sequence[Laid], more: tuple[PieceOnTable, ...] = ()) -> Scene:
    """Return boards at the seats of a table of three, with everything that lies beside them."""
    boards, cards, pieces = list[BoardOnTable](), list[CardOnTable](), list[PieceOnTable]()
    for one in laid:
        place = seat_place(SEATS, TABLE.index(one) if one in TABLE else 0)
        boards.append(BoardOnTable(one.colour, place.board))
        ranks: tuple[Rank, ...] = ("low", "middle", "high")
        for rank, row in zip(ranks, one.rows, strict=True):
            for (x, y), colour in zip(BOARD_SPOTS.of(rank), colours(row), strict=False):
                pieces.append(PieceOnTable(f"token:{colour}", offset_pose(place.board, x, y)))
        for pose, card in zip(place.great, one.great, strict=True):
            cards.append(CardOnTable(pose, card, "great"))
            if card in one.achieved:
                for colour, x in zip(STANDIN.great_oracle(card).colours, (-15.0, 15.0), strict=True):
                    pieces.append(PieceOnTable(f"token:{colour}", offset_pose(pose, x, -20.0)))
        for number, (pose, card) in enumerate(zip(place.small, one.small, strict=True)):
            cards.append(CardOnTable(pose, None if number < one.face_down else card, "small"))
        for number, value in enumerate(one.impurity):
            pieces.append(PieceOnTable(f"impurity:{value}", offset_pose(place.impurity, 17.2 * number, 0.0)))
    return Scene(SEATS, boards=tuple(boards), cards=tuple(cards), pieces=(*pieces, *more))


def truth(laid: Sequence[Laid]) -> dict[str, FinalScore]:
    """Return the final scores of the same players by the rules, by board."""
    scores = final_scores(WickedState(STANDIN, tuple(one.player for one in laid), "over"))
    return {one.colour: score for one, score in zip(laid, scores, strict=True)}
