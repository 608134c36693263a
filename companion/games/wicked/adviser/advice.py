"""What to do in a soul phase: the best board that it can end with, and the actions that lead there."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.wicked.adviser.best_board import best
from companion.games.wicked.adviser.bound import Bound
from companion.games.wicked.adviser.packed_board import SoulAction, SoulPhase
from companion.games.wicked.adviser.valuation import EARLIER_ROUND, LAST_ROUND, BoardEvaluator, Valuation
from companion.games.wicked.components import ROUNDS, Deck
from companion.games.wicked.scoring.final_scores import points
from companion.games.wicked.state import Player, State


@dataclass(frozen=True, slots=True)
class Advice:
    """What one player does best in the rest of this soul phase; its end, after the last move, is not listed.

    player: the player once the moves are done, spells left over included. points_now, points: what the board
    scores before and after them (W16). exact: nothing better is reachable, by the valuation that was asked for;
    shortest: nor anything as good in fewer moves. Where that could not be told, they are False.
    """

    moves: tuple[SoulAction, ...]
    player: Player
    points_now: int
    points: int
    exact: bool
    shortest: bool


def advise(state: State, seat: int) -> Advice:
    """Advise one player in the soul phase: points and what breaks ties in the last round, else the future, too.

    Who has finished has nothing to do. Raises ValueError outside the soul phase.
    """
    if state.phase != "soul":
        raise ValueError("There is advice for the soul phase only.")
    player = state.players[seat]
    if player.finished:
        return Advice((), player, points(player), points(player), True, True)
    return advise_player(player, state.deck, seat, valuation_for(state.round))


def advise_player(player: Player, deck: Deck, seat: int, valuation: Valuation) -> Advice:
    """Advise the player of a board by any valuation. Raises ValueError for a board that no game can have."""
    phase = SoulPhase(player, deck)
    found = best(phase, BoardEvaluator(phase, valuation))
    moves = tuple(phase.action(board, after, seat) for board, after in zip(found.way, found.way[1:], strict=False))
    reached = phase.unpack(found.way[-1]) if moves else player
    return Advice(moves, reached, points(player), points(reached), found.proved, found.shortest)


def promise(player: Player, deck: Deck, valuation: Valuation) -> int:
    """Tell quickly what a board may become at the most, in units of the valuation; hardly ever more than it can."""
    phase = SoulPhase(player, deck)
    return Bound(BoardEvaluator(phase, valuation))(phase.start)


def valuation_for(round_: int) -> Valuation:
    """Tell what counts at the end of a round's soul phase."""
    return LAST_ROUND if round_ == ROUNDS else EARLIER_ROUND
