"""A player pleasant to watch: it bids for what it lacks and takes what is worth most at once.

It looks only at what lies open on the table and at its own hand. All chance comes from the `random.Random`
passed in.
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
from companion.games.wicked.state import Player, State, Tokens

# What the greedy player takes things to be worth, in points; tuned by eye for games that look sensible.
_SPELL: dict[Element, float] = {"promotion": 2.6, "colour_change": 1.2}
_WISHED = 1.0  # of a token in a colour that an open oracle asks for, on top of its own worth
_PAIR = 0.6  # of a fragment that makes a pair on the board: two promote
_PAIR_KEPT = 0.1  # of a pair that stays low; less than promoting it brings
_SERVING: tuple[tuple[Rank, float], ...] = (("high", 1.0), ("middle", 0.5), ("low", 0.2))
_OPEN_NEED = 1.5  # of a token that already serves an open great oracle


def greedy_move(state: State, rng: random.Random) -> Move:
    """Choose for everybody at a reveal, else for the first seat that has to do something.

    Raises ValueError once the game is over.
    """
    if state.phase == "search":
        return Reveal(tuple(greedy_hand(state, seat, rng) for seat in range(len(state.players))))
    if state.phase in ("deal", "lay"):
        return random_cards(state, rng)
    if state.phase == "over":
        raise ValueError("The game is over: there is no move to choose.")
    return greedy_choice(state, waiting_for(state)[0], rng)


def greedy_hand(state: State, seat: int, rng: random.Random) -> Hand:
    """Spread the pieces left over the corridors left by what each is worth to this player, with some chance.

    A soul's sign goes along with a strong bid, a witch's sign with none or a weak one.
    """
    player = state.players[seat]
    held = player.held
    if is_last_corridor(state):
        return held
    # Squared, with much chance: even bids would make every corridor a tie.
    worth = [_worth(player, state.deck.corridor(card)) ** 2 for card in state.corridors[state.corridor :]]
    share = worth[0] / sum(worth)
    search = min(held.search, round(held.search * share * rng.lognormvariate(0.0, 0.7)))
    corridors_left = len(worth)
    strong = search >= 2 and share >= 0.8 / corridors_left
    soul = held.soul if strong and rng.random() < 1.6 / corridors_left else 0
    witch = held.witch if search <= 1 and rng.random() < 1.3 / corridors_left else 0
    return Hand(search, witch, soul)


def greedy_choice(state: State, seat: int, rng: random.Random) -> Move:
    """Choose the gain or soul move that leaves one player best off at once; equals by chance.

    Every soul action uses something up, so the phase ends.
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


def _worth(player: Player, card: CorridorCard) -> float:
    """What a corridor promises: its lower half surely, its upper half only to the 1st."""
    return 0.5 + sum(_element(player, e) for e in card.lower) + 0.7 * sum(_element(player, e) for e in card.upper)


def _element(player: Player, element: Element) -> float:
    if element == "promotion" or element == "colour_change":
        return _SPELL[element]
    if element == "white":
        return max(_element(player, colour) for colour in COLOURS)
    return 1.0 + (_PAIR if player.low[element] % 2 else 0.0)


def _player_value(state: State, player: Player) -> float:
    if player.pending is not None:  # coloured, but not yet kept: judge by all of it
        player = replace(player, low=player.low + player.pending.gained)
    value = sum(player.row(rank).total * POINTS[rank] for rank in RANKS) + 0.3 * player.middle.total
    value += sum(POINTS["high"] * 2 + GREAT_POINTS for _ in player.achieved_great)
    value += SMALL_POINTS * len(player.achieved_small)
    value += _SPELL["promotion"] * player.promotion + _SPELL["colour_change"] * player.colour_change
    value += _great_hopes(state, player)
    value += sum(_WISHED for card in player.small if unmet_need(player, state.deck.small_oracle(card)) is None)
    value += sum(_PAIR_KEPT for colour in COLOURS if player.low[colour] >= 2)
    return value


def _great_hopes(state: State, player: Player) -> float:
    """What tokens that serve an open great oracle are worth more for it, the higher the more."""
    hopes = 0.0
    left: dict[Rank, Tokens] = {rank: player.row(rank) for rank in RANKS}
    for card in player.great:
        for colour in state.deck.great_oracle(card).colours:
            hopes += _serve(left, colour)
    return hopes


def _serve(left: dict[Rank, Tokens], colour: Colour) -> float:
    for rank, part in _SERVING:
        if left[rank][colour]:
            left[rank] -= Tokens.of((colour,))
            return _OPEN_NEED * part
    return 0.0
