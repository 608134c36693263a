"""Computes final scores with their arithmetic, and who wins (W16)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from companion.games.wicked.components import Rank
from companion.games.wicked.state import WickedPlayer, WickedState

POINTS: dict[Rank, int] = {"low": 1, "middle": 2, "high": 5}
"""Points of one token by rank (W16)."""
GREAT_POINTS = 5
"""Points of one achieved great oracle (W16)."""
SMALL_POINTS = 2
"""Points of one achieved small oracle (W16)."""
GIVEN_BACK = 2
"""Impurity that one achieved great oracle cancels, points (W16)."""

Comparison = Literal["points", "great", "high", "middle", "low", "impurity"]
"""One criterion of the ranking."""
CHAIN: tuple[Comparison, ...] = ("points", "great", "high", "middle", "low", "impurity")
"""The criteria in order; the first that differs decides (W16)."""


@dataclass(frozen=True, slots=True)
class FinalScore:
    """One player's score with its arithmetic; counts include tokens on great oracle cards."""

    player: int
    """Seat; index of the board where boards are scored without a game."""
    low: int
    """Number of low tokens."""
    middle: int
    """Number of middle tokens."""
    high: int
    """Number of high tokens."""
    great: int
    """Number of achieved great oracles."""
    small: int
    """Number of achieved small oracles."""
    impurity: int
    """Impurity taken over the game, points."""
    given_back: int
    """Impurity cancelled by achieved great oracles, points; at most `impurity`."""
    total: int
    """Points."""
    place: int
    """1 for the best; players who stay tied after all criteria share a place."""
    decided_by: str
    """Criterion that put this player behind the previous one; "" for the first and for a shared place."""

    @property
    def impurity_left(self) -> int:
        """Impurity that achieved great oracles do not cancel, points."""
        return self.impurity - self.given_back


def final_scores(state: WickedState) -> tuple[FinalScore, ...]:
    """Return the scores by seat as if the game ended now (W16)."""
    scores = [_score(seat, player) for seat, player in enumerate(state.players)]
    ranking = sorted(scores, key=ranking_key, reverse=True)
    placed: list[FinalScore] = []
    for position, score in enumerate(ranking, 1):
        if placed and ranking_key(placed[-1]) == ranking_key(score):
            placed.append(replace(score, place=placed[-1].place))
        else:
            behind = _decided_by(placed[-1], score) if placed else ""
            placed.append(replace(score, place=position, decided_by=behind))
    return tuple(sorted(placed, key=lambda score: score.player))


def points(player: WickedPlayer) -> int:
    """Return one player's points as if the game ended now (W16)."""
    return _score(0, player).total


def winners(scores: tuple[FinalScore, ...]) -> tuple[int, ...]:
    """Return the seats that win: one, or several who share the victory (W16)."""
    return tuple(score.player for score in scores if score.place == 1)


def _score(seat: int, player: WickedPlayer) -> FinalScore:
    low, middle = player.low.total, player.middle.total
    great = len(player.achieved_great)
    high = player.high.total + sum(len(oracle.colours) for oracle in player.achieved_great)
    small = len(player.achieved_small)
    given_back = min(player.impurity, GIVEN_BACK * great)
    points = low * POINTS["low"] + middle * POINTS["middle"] + high * POINTS["high"]
    return FinalScore(
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


def ranking_key(score: FinalScore) -> tuple[int, ...]:
    """Return a score as a tuple of the criteria in `CHAIN`; of two scores the better one has the greater tuple."""
    return (score.total, score.great, score.high, score.middle, score.low, -score.impurity_left)


def _decided_by(ahead: FinalScore, behind: FinalScore) -> Comparison:
    lines = zip(CHAIN, ranking_key(ahead), ranking_key(behind), strict=True)
    return next(comparison for comparison, one, other in lines if one != other)
