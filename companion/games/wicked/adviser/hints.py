"""Formats soul actions as hints, and finds the obvious actions that a player has not taken."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.translatable import Line, listed, say
from companion.games.wicked.adviser.advice import SoulAdvice
from companion.games.wicked.adviser.packed_board import SoulAction
from companion.games.wicked.components import COLOURS, Deck
from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    Lift,
    Move,
    Promote,
    Swap,
)
from companion.games.wicked.rules.soul_phase import NEXT_RANK, soul_moves
from companion.games.wicked.state import WickedPlayer
from companion.games.wicked.text.words import oracle_in_words, tokens_in_words, word


def hint_line(move: SoulAction, deck: Deck) -> Line:
    """Return an action as a request to the player, without a full stop: "Promote the two blue low tokens"."""
    match move:
        case Promote():
            colour, rank = word(move.lift.colour), word(move.lift.rank)
            request = say("Promote the two {colour} {rank} tokens", colour=colour, rank=rank)
            return _in_place_of(request, move.lift)
        case CastPromotion(lift=None):
            return say("Spend a promotion spell without effect")
        case CastPromotion(lift=Lift() as lift):
            colour, rank = word(lift.colour), word(lift.rank)
            request = say("Raise a {colour} {rank} token with a promotion spell", colour=colour, rank=rank)
            return _in_place_of(request, lift)
        case CastColourChange(swap=None):
            return say("Spend a colour-change spell without effect")
        case CastColourChange(swap=Swap() as swap):
            return say(
                "Turn a {old} {rank} token {new} with a colour-change spell",
                old=word(swap.old),
                rank=word(swap.rank),
                new=word(swap.new),
            )
        case AchieveGreat():
            return say("Achieve the great oracle of {colours}", colours=_colours(deck, move.card))
        case AchieveSmall():
            return _small(move, deck)
    raise ValueError(f"{move} is not an action of the soul phase")


def _small(move: AchieveSmall, deck: Deck) -> Line:
    reward = deck.small_oracle(move.card).reward
    tokens = (*move.colours, *(colour for colour in COLOURS for _ in range(reward.count(colour))))
    request = say("Achieve the small oracle ({card})", card=oracle_in_words(deck, move.card))
    if tokens:
        request = say("{clause}; {next}", clause=request, next=say("take {tokens}", tokens=tokens_in_words(tokens)))
    if move.keep is not None:
        kept = say("keep {tokens}", tokens=tokens_in_words(move.keep))
        request = say("{clause}; {next}", clause=request, next=kept)
    if move.lift is not None:
        colour, rank = word(move.lift.colour), word(move.lift.rank)
        raised = say("raise a {colour} {rank} token", colour=colour, rank=rank)
        request = say("{clause}; {next}", clause=request, next=_in_place_of(raised, move.lift))
    return request


def _in_place_of(request: Line, lift: Lift) -> Line:
    if lift.displaced is None:
        return request
    colour, above = word(lift.displaced), word(NEXT_RANK[lift.rank])
    goes = say("a {colour} {rank} token goes back for it", colour=colour, rank=above)
    return say("{clause}; {next}", clause=request, next=goes)


def obvious_actions(player: WickedPlayer, deck: Deck, seat: int, advice: SoulAdvice) -> tuple[SoulAction, ...]:
    """Return those promotions of pairs and oracles in `advice` that the player can do at once.

    advice: for the same board. What it plans after other actions, and what it does not recommend, is left out.
    """
    now = {_tokens_or_card(move) for move in soul_moves(player, seat, deck)}
    found = {
        _tokens_or_card(move): move
        for move in reversed(advice.moves)
        if isinstance(move, (Promote, AchieveSmall, AchieveGreat)) and _tokens_or_card(move) in now
    }
    return tuple(reversed(found.values()))


def obvious_actions_line(moves: Sequence[SoulAction], deck: Deck) -> Line:
    """Return one or more actions as a sentence: "One more promotion was possible: two green low tokens."."""
    if len(moves) > 1:
        return say("Still possible: {things}.", things=listed([_thing(move, deck) for move in moves]))
    (move,) = moves
    thing = _thing(move, deck)
    if isinstance(move, Promote):
        return say("One more promotion was possible: {thing}.", thing=thing)
    return say("One more oracle can be achieved: {thing}.", thing=thing)


def _thing(move: SoulAction, deck: Deck) -> Line:
    match move:
        case Promote():
            return say("two {colour} {rank} tokens", colour=word(move.lift.colour), rank=word(move.lift.rank))
        case AchieveGreat():
            return say("the great oracle of {colours}", colours=_colours(deck, move.card))
        case AchieveSmall():
            return say("the small oracle ({card})", card=oracle_in_words(deck, move.card))
        case _:
            raise ValueError(f"{move.type} uses no visible tokens or card")


def _tokens_or_card(move: Move) -> tuple[str, ...]:
    """Return a key that is equal for all actions that use the same pair of tokens or the same card."""
    match move:
        case Promote():
            return move.type, move.lift.colour, move.lift.rank
        case AchieveSmall() | AchieveGreat():
            return move.type, move.card
        case _:
            return (move.type,)


def _colours(deck: Deck, card: str) -> Line:
    return listed([word(colour) for colour in deck.great_oracle(card).colours])
