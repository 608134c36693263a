"""What a game looked like from afar: points round by round, and what everybody did. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from companion.games.wicked.components import COLOURS
from companion.games.wicked.moves import AchieveSmall, CastPromotion, Hand, Move, Promote, Reveal
from companion.games.wicked.scoring.final_scores import final_scores
from companion.games.wicked.state import Gain, State


class Turn(Protocol):
    """One move of a game with the states around it."""

    @property
    def before(self) -> State:
        """The state that the move was made in."""

    @property
    def move(self) -> Move:
        """What was done."""

    @property
    def after(self) -> State:
        """The state that it led to."""


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """Points by seat when a round was over, or as they stand now in the round that is played (`over` False)."""

    round: int
    points: tuple[int, ...]
    over: bool = True


@dataclass(frozen=True, slots=True)
class RevealGain:
    """What one player got for one reveal.

    corridor: counted from 1 in its round; fragments (white ones too), spells and impurity: how many.
    """

    round: int
    corridor: int
    hand: Hand
    fragments: int
    spells: int
    impurity: int

    @property
    def worth(self) -> int:
        """What hauls are compared by: what came in less the impurity that came with it."""
        return self.fragments + self.spells - self.impurity


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """What one player did in a game.

    firsts, seconds: corridors at which they ranked so; promotions: tokens lifted a rank, in whatever way; best:
    their best reveal, the earliest of equal ones, None while none brought anything.
    """

    firsts: int = 0
    seconds: int = 0
    promotions: int = 0
    best: RevealGain | None = None


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A game from afar: points round by round, oldest first, and everybody's deeds by seat."""

    rounds: tuple[RoundPoints, ...] = ()
    deeds: tuple[PlayerStatistics, ...] = field(default=())


def chronicle(turns: Sequence[Turn], state: State) -> Chronicle:
    """Tell a game by the moves that count; `state` is where they led to."""
    deeds = [PlayerStatistics() for _ in state.players]
    for turn in turns:
        deeds = [_done(seat, known, turn) for seat, known in enumerate(deeds)]
    return Chronicle(points_by_round(turns, state), tuple(deeds))


def points_by_round(turns: Iterable[Turn], state: State) -> tuple[RoundPoints, ...]:
    """Count everybody's points after each round, and as they stand where a round is still played (W16)."""
    rounds = [
        RoundPoints(turn.before.round, _points(turn.after))
        for turn in turns
        if turn.after.round != turn.before.round or turn.after.phase == "over"
    ]
    if state.phase != "over":
        rounds.append(RoundPoints(state.round, _points(state), over=False))
    return tuple(rounds)


def _points(state: State) -> tuple[int, ...]:
    return tuple(score.total for score in final_scores(state))


def _done(seat: int, known: PlayerStatistics, turn: Turn) -> PlayerStatistics:
    match turn.move:
        case Reveal():
            outcome = turn.after.outcome
            gain = outcome.gains[seat] if outcome is not None else None
            return known if gain is None else _ranked(known, turn.before, turn.move.hands[seat], gain)
        case Promote(player=player) | CastPromotion(player=player) | AchieveSmall(player=player) as move:
            lifted = player == seat and move.lift is not None
            return replace(known, promotions=known.promotions + 1) if lifted else known
        case _:
            return known


def _ranked(known: PlayerStatistics, before: State, hand: Hand, gain: Gain) -> PlayerStatistics:
    elements = gain.sign_elements + gain.card_elements
    fragments = sum(element == "white" or element in COLOURS for element in elements)
    haul = RevealGain(before.round, before.corridor + 1, hand, fragments, len(elements) - fragments, gain.impurity)
    better = known.best is None or haul.worth > known.best.worth
    return replace(
        known,
        firsts=known.firsts + (gain.place == "first"),
        seconds=known.seconds + (gain.place == "second"),
        best=haul if better else known.best,
    )
