"""Board readings made up from players, as a camera that sees everything would give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.wicked.components import RANKS, SPOTS
from companion.games.wicked.state import WickedPlayer
from vision.games.wicked.readings import (
    BoardReading,
    BoardsReading,
    GreatReading,
    ImpurityReading,
    SmallReading,
    SpaceReading,
    SpotReading,
    TokenGuess,
)

BOX = (10.0, 20.0, 300.0, 200.0)
_CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def read(player: WickedPlayer, seat: int | None = None) -> BoardReading:
    """Return the sure reading of a player's board."""
    spots = []
    for rank in RANKS:
        row = [*player.row(rank).colours, *(None for _ in range(SPOTS[rank] - player.row(rank).total))]
        spots += [SpotReading(rank, place, token, 0.999, BOX) for place, token in enumerate(row)]
    great = [GreatReading(card, False, (), 0.999, _CORNERS) for card in player.great]
    great += [GreatReading(one.card, True, one.colours, 0.999, _CORNERS) for one in player.achieved_great]
    return BoardReading(
        player.colour,
        seat,
        tuple(spots),
        (
            SpaceReading("promotion", player.promotion, 0.999, BOX),
            SpaceReading("colour_change", player.colour_change, 0.999, BOX),
        ),
        tuple(great),
        SmallReading(len(player.achieved_small), player.small),
        ImpurityReading(player.impurity),
        0.99,
        BOX,
        _CORNERS,
    )


def table(players: Sequence[WickedPlayer]) -> BoardsReading:
    """Return the sure reading of everybody's boards."""
    return BoardsReading(tuple(read(player, seat) for seat, player in enumerate(players)))


def doubting(board: BoardReading, rank: str, index: int, *others: str | None) -> BoardReading:
    """Make one spot doubtful: it may hold any of these as well."""
    reason = "it is hard to tell"

    def doubted(spot: SpotReading) -> SpotReading:
        if (spot.rank, spot.index) != (rank, index):
            return spot
        guesses = tuple(TokenGuess(token, 0.4 / len(others)) for token in others)
        return replace(spot, confidence=0.6, reason=reason, alternatives=guesses)

    spots = tuple(map(doubted, board.spots))
    asked = [spot.question for spot in spots if (spot.rank, spot.index) == (rank, index)]
    return replace(board, spots=spots, reasons=(*board.reasons, *asked), confidence=0.5)
