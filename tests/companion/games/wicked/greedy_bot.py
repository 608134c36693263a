"""A greedy bot: it bids for what it lacks and makes the move of the highest immediate value.

It uses only what lies open on the table and its own hand. All chance comes from the `random.Random` passed in.
"""

from __future__ import annotations

import random
from dataclasses import replace

from companion.games.wicked.bots.random_moves import random_cards
from companion.games.wicked.components import COLOURS, RANKS, Colour, CorridorCard, Element, Rank
from companion.games.wicked.moves import FinishSoul, Hand, Move, Reveal
from companion.games.wicked.rules.engine import apply
from companion.games.wicked.rules.legal_moves import player_moves, waiting_for
from companion.games.wicked.rules.search_phase import is_last_corridor
from companion.games.wicked.rules.soul_phase import finish, unmet_need
from companion.games.wicked.scoring.final_scores import GREAT_POINTS, POINTS, SMALL_POINTS
from companion.games.wicked.state import Tokens, WickedPlayer, WickedState

# Estimated values, points; chosen by hand for plausible games.
_SPELL: dict[Element, float] = {"promotion": 2.6, "colour_change": 1.2}
"""Value of a spell."""
_WISHED = 1.0
"""Added value of a small oracle that can be achieved now."""
_PAIR = 0.6
"""Added value of a fragment that completes a pair on the board: two can be promoted."""
_PAIR_KEPT = 0.1
"""Value of a low pair that is not promoted; less than its promotion."""
_SERVING: tuple[tuple[Rank, float], ...] = (("high", 1.0), ("middle", 0.5), ("low", 0.2))
"""Share of `_OPEN_NEED` that a token of each rank is worth."""
_OPEN_NEED = 1.5
"""Value of a high token that an open great oracle needs."""


def greedy_move(state: WickedState, rng: random.Random) -> Move:
    """Return the next move of a game in which greedy bots play all seats; cards are dealt and laid at random.

    While a corridor is searched it is the reveal of all players, else a move of the first seat that has to move.
    Raises ValueError once the game is over.
    """
    if state.phase == "search":
        return Reveal(tuple(greedy_hand(state, seat, rng) for seat in range(len(state.players))))
    if state.phase in ("deal", "lay"):
        return random_cards(state, rng)
    if state.phase == "over":
        raise ValueError("The game is over: there is no move to choose.")
    return greedy_choice(state, waiting_for(state)[0], rng)


def greedy_hand(state: WickedState, seat: int, rng: random.Random) -> Hand:
    """Return the hand to reveal: more of the held pieces for a more valuable corridor, partly at random.

    A soul's sign goes with a strong bid, a witch's sign with no bid or a weak one.
    """
    player = state.players[seat]
    held = player.held
    if is_last_corridor(state):
        return held
    # Squared and noisy: even bids would make every corridor a tie.
    worth = [_corridor_value(player, state.deck.corridor(card)) ** 2 for card in state.corridors[state.corridor :]]
    share = worth[0] / sum(worth)
    search = min(held.search, round(held.search * share * rng.lognormvariate(0.0, 0.7)))
    corridors_left = len(worth)
    strong = search >= 2 and share >= 0.8 / corridors_left
    soul = held.soul if strong and rng.random() < 1.6 / corridors_left else 0
    witch = held.witch if search <= 1 and rng.random() < 1.3 / corridors_left else 0
    return Hand(search, witch, soul)


def greedy_choice(state: WickedState, seat: int, rng: random.Random) -> Move:
    """Return the move of the highest immediate value to the player, in phases "gain" and "soul"; ties at random.

    The player finishes the soul phase once that is worth more than any action.
    """
    moves = player_moves(state, seat)
    actions = [move for move in moves if not isinstance(move, FinishSoul)]
    if not actions:
        return moves[-1]
    valued = [(_player_value(state, apply(state, move).players[seat]), move) for move in actions]
    best = max(value for value, _ in valued)
    if state.phase == "soul" and best < _player_value(state, finish(state.players[seat])):
        return FinishSoul(seat)
    return rng.choice([move for value, move in valued if value == best])


def _corridor_value(player: WickedPlayer, card: CorridorCard) -> float:
    """Return the estimated value of a corridor card, points; its upper half counts less: only the 1st gets it."""
    return (
        0.5
        + sum(_element_value(player, e) for e in card.lower)
        + 0.7 * sum(_element_value(player, e) for e in card.upper)
    )


def _element_value(player: WickedPlayer, element: Element) -> float:
    if element == "promotion" or element == "colour_change":
        return _SPELL[element]
    if element == "white":
        return max(_element_value(player, colour) for colour in COLOURS)
    return 1.0 + (_PAIR if player.low[element] % 2 else 0.0)


def _player_value(state: WickedState, player: WickedPlayer) -> float:
    if player.pending is not None:  # coloured, but not kept yet: value all of it
        player = replace(player, low=player.low + player.pending.gained)
    value = sum(player.row(rank).total * POINTS[rank] for rank in RANKS) + 0.3 * player.middle.total
    value += sum(POINTS["high"] * 2 + GREAT_POINTS for _ in player.achieved_great)
    value += SMALL_POINTS * len(player.achieved_small)
    value += _SPELL["promotion"] * player.promotion + _SPELL["colour_change"] * player.colour_change
    value += _great_oracle_value(state, player)
    value += sum(_WISHED for card in player.small if unmet_need(player, state.deck.small_oracle(card)) is None)
    value += sum(_PAIR_KEPT for colour in COLOURS if player.low[colour] >= 2)
    return value


def _great_oracle_value(state: WickedState, player: WickedPlayer) -> float:
    """Return the added value, points, of all tokens of a player that open great oracles need."""
    hopes = 0.0
    left: dict[Rank, Tokens] = {rank: player.row(rank) for rank in RANKS}
    for card in player.great:
        for colour in state.deck.great_oracle(card).colours:
            hopes += _take_serving_token(left, colour)
    return hopes


def _take_serving_token(left: dict[Rank, Tokens], colour: Colour) -> float:
    """Remove a colour's highest token from `left`; return its value for a great oracle, points, 0 without one."""
    for rank, share in _SERVING:
        if left[rank][colour]:
            left[rank] -= Tokens.of((colour,))
            return _OPEN_NEED * share
    return 0.0
