"""Advice for a soul phase: the best board that it can end with, and the actions that lead there."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.wicked.adviser.best_board import find_best_board
from companion.games.wicked.adviser.packed_board import SoulAction, SoulPhase
from companion.games.wicked.adviser.upper_bound import Bound
from companion.games.wicked.adviser.valuation import EARLIER_ROUND, LAST_ROUND, BoardEvaluator, Valuation
from companion.games.wicked.components import ROUNDS, Deck
from companion.games.wicked.scoring.final_scores import points
from companion.games.wicked.state import WickedPlayer, WickedState


@dataclass(frozen=True, slots=True)
class SoulAdvice:
    """The best sequence of actions for one player in the rest of a soul phase."""

    moves: tuple[SoulAction, ...]
    """The actions in order, without the end of the phase."""
    player: WickedPlayer
    """The player after these actions, remaining spells included."""
    points_now: int
    """Points of the board before them (W16)."""
    points: int
    """Points of the board after them (W16)."""
    exact: bool
    """Whether it is proven that no better board is reachable, by the valuation."""
    shortest: bool
    """Whether it is proven that no equally good board is reachable in fewer actions."""


def advise(state: WickedState, seat: int) -> SoulAdvice:
    """Return the best actions of a player in the soul phase: by points in the last round, else by estimated value.

    A player who has finished gets no actions. Raises ValueError outside the soul phase.
    """
    if state.phase != "soul":
        raise ValueError("There is advice for the soul phase only.")
    player = state.players[seat]
    if player.finished:
        return SoulAdvice((), player, points(player), points(player), True, True)
    return advise_player(player, state.deck, seat, valuation_for(state.round))


def advise_player(player: WickedPlayer, deck: Deck, seat: int, valuation: Valuation) -> SoulAdvice:
    """Return the actions that lead to the best board by a valuation. Raises ValueError for an impossible board.

    seat: of the player, for the returned moves.
    """
    phase = SoulPhase(player, deck)
    found = find_best_board(phase, BoardEvaluator(phase, valuation))
    moves = tuple(
        phase.action(board, after, seat) for board, after in zip(found.path, found.path[1:], strict=False)
    )
    reached = phase.unpack(found.path[-1]) if moves else player
    return SoulAdvice(moves, reached, points(player), points(reached), found.proved, found.shortest)


def value_bound(player: WickedPlayer, deck: Deck, valuation: Valuation) -> int:
    """Return an upper bound on the value of all boards reachable from a player's, in units of the valuation."""
    phase = SoulPhase(player, deck)
    return Bound(BoardEvaluator(phase, valuation))(phase.start)


def valuation_for(round_: int) -> Valuation:
    """Return the valuation that rates boards at the end of a round. round_: number of the round, from 1."""
    return LAST_ROUND if round_ == ROUNDS else EARLIER_ROUND
