"""Points, line by line, and who wins (W16)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from companion.games.wicked.components import Rank
from companion.games.wicked.state import Player, State

POINTS: dict[Rank, int] = {"low": 1, "middle": 2, "high": 5}
GREAT_POINTS = 5
SMALL_POINTS = 2
GIVEN_BACK = 2
"""Impurity that one achieved great oracle gives back."""

Comparison = Literal["points", "great", "high", "middle", "low", "impurity"]
CHAIN: tuple[Comparison, ...] = ("points", "great", "high", "middle", "low", "impurity")
"""What is compared, in order, until one player is ahead."""


@dataclass(frozen=True, slots=True)
class Score:
    """One player's score with its arithmetic; counts include tokens on great oracle cards.

    low, middle, high, great, small: how many, not points. impurity: taken over the game, in points;
    given_back: what achieved great oracles take off it, never more than there is.

    place: 1 for the best; players who stay tied after the whole chain share a place. decided_by: which
    comparison put this player behind the one before ("points", "great", "high", "middle", "low", "impurity"),
    "" for the first and for a shared place.
    """

    player: int
    low: int
    middle: int
    high: int
    great: int
    small: int
    impurity: int
    given_back: int
    total: int
    place: int
    decided_by: str

    @property
    def impurity_left(self) -> int:
        """Impurity that counts, after the give-back."""
        return self.impurity - self.given_back


def final_scores(state: State) -> tuple[Score, ...]:
    """Score everybody, by seat, as if the game ended now; at its end these are the final scores (W16)."""
    scores = [_score(seat, player) for seat, player in enumerate(state.players)]
    ranking = sorted(scores, key=compared, reverse=True)
    placed: list[Score] = []
    for position, score in enumerate(ranking, 1):
        if placed and compared(placed[-1]) == compared(score):
            placed.append(replace(score, place=placed[-1].place))
        else:
            behind = _decided_by(placed[-1], score) if placed else ""
            placed.append(replace(score, place=position, decided_by=behind))
    return tuple(sorted(placed, key=lambda score: score.player))


def points(player: Player) -> int:
    """Count one player's points as if the game ended now (W16)."""
    return _score(0, player).total


def winners(scores: tuple[Score, ...]) -> tuple[int, ...]:
    """List the seats that win: one, or several who share the victory (W16)."""
    return tuple(score.player for score in scores if score.place == 1)


def _score(seat: int, player: Player) -> Score:
    low, middle = player.low.total, player.middle.total
    great = len(player.achieved_great)
    high = player.high.total + sum(len(oracle.colours) for oracle in player.achieved_great)
    small = len(player.achieved_small)
    given_back = min(player.impurity, GIVEN_BACK * great)
    points = low * POINTS["low"] + middle * POINTS["middle"] + high * POINTS["high"]
    return Score(
        player=seat,
        low=low,
        middle=middle,
        high=high,
        great=great,
        small=small,
        impurity=player.impurity,
        given_back=given_back,
        total=points + GREAT_POINTS * great + SMALL_POINTS * small - (player.impurity - given_back),
        place=1,
        decided_by="",
    )


def compared(score: Score) -> tuple[int, ...]:
    """Put what CHAIN names into one tuple that is greater for whoever is ahead, the total first (W16)."""
    return (score.total, score.great, score.high, score.middle, score.low, -score.impurity_left)


def _decided_by(ahead: Score, behind: Score) -> Comparison:
    lines = zip(CHAIN, compared(ahead), compared(behind), strict=True)
    return next(comparison for comparison, one, other in lines if one != other)
