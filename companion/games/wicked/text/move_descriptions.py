"""Describes every move in one sentence, for the history of a game."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.translatable import Line, listed, say
from companion.games.wicked.components import COLOURS, Deck, GreatOracle, SmallOracle
from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    ChooseColours,
    DealOracles,
    FinishSoul,
    Hand,
    KeepTokens,
    Lay,
    Lift,
    Move,
    NameOracle,
    Promote,
    Reveal,
    Swap,
)
from companion.games.wicked.rules.search_phase import outcome
from companion.games.wicked.rules.soul_phase import NEXT_RANK
from companion.games.wicked.state import WickedState
from companion.games.wicked.text.words import (
    corridor_in_words,
    great_oracle_in_words,
    half_in_words,
    many,
    oracle_in_words,
    small_oracle_in_words,
    tokens_in_words,
    word,
)


def describe(state: WickedState, move: Move, names: Sequence[str]) -> Line:
    """Describe a move, and what it leads to, in one sentence without a full stop.

    state: the state before the move, which must be legal there. names: by seat.
    """
    match move:
        case DealOracles() if not any(move.great):
            return say("The oracle cards are named later")
        case DealOracles():
            return say("Oracle cards are dealt: {hands}", hands=_describe_deal(state.deck, move, names))
        case Lay():
            made = {card.id: corridor_in_words(card) for card in move.described}
            known = {card.id: corridor_in_words(card) for card in state.deck.corridors}
            cards = listed([made.get(card) or known.get(card, card) for card in move.cards])
            return say("Round {round} begins with the corridors {cards}", round=state.round, cards=cards)
        case Reveal():
            return _describe_reveal(state, move, names)
        case ChooseColours():
            return say(
                "{name} takes {tokens} for white", name=names[move.player], tokens=tokens_in_words(move.colours)
            )
        case KeepTokens():
            return say("{name} keeps {tokens}", name=names[move.player], tokens=tokens_in_words(move.keep))
        case Promote():
            rank, colour = word(move.lift.rank), word(move.lift.colour)
            return say(
                "{name} promotes: of two {rank} {colour} tokens {rises}",
                name=names[move.player],
                rank=rank,
                colour=colour,
                rises=_describe_lift(move.lift),
            )
        case CastPromotion():
            return say(
                "{name} spends a promotion spell: {effect}",
                name=names[move.player],
                effect=_describe_promotion(move.lift),
            )
        case CastColourChange():
            return say(
                "{name} spends a colour-change spell: {effect}",
                name=names[move.player],
                effect=_describe_colour_change(move.swap),
            )
        case AchieveSmall():
            return _describe_small_oracle(state.deck.small_oracle(move.card), move, names[move.player])
        case AchieveGreat():
            card = oracle_in_words(state.deck, move.card)
            return say("{name} achieves a great oracle ({card})", name=names[move.player], card=card)
        case NameOracle():
            return say("{name} has an oracle card: {what}", name=names[move.player], what=_oracle(state.deck, move))
        case FinishSoul():
            player = state.players[move.player]
            spells = player.promotion + player.colour_change
            name = names[move.player]
            if not spells:
                return say("{name} is done with the souls", name=name)
            unused = many(spells, "{n} spell", "{n} spells")
            return say("{name} is done with the souls, {spells} unused", name=name, spells=unused)


def _oracle(deck: Deck, move: NameOracle) -> Line:
    match move.described:
        case GreatOracle():
            return great_oracle_in_words(move.described)
        case SmallOracle():
            return small_oracle_in_words(move.described)
        case None:
            return oracle_in_words(deck, move.card)


def _describe_deal(deck: Deck, move: DealOracles, names: Sequence[str]) -> Line:
    hands = [
        say("{name} {things}", name=name, things=listed([oracle_in_words(deck, card) for card in (*great, *small)]))
        for name, great, small in zip(names, move.great, move.small, strict=True)
    ]
    return _joined_clauses(hands)


def _describe_reveal(state: WickedState, move: Reveal, names: Sequence[str]) -> Line:
    led_to = outcome(state, move)
    card = state.deck.corridor(led_to.card)
    hands = listed(
        [
            say("{name} {things}", name=name, things=_hand_in_words(hand))
            for name, hand in zip(names, move.hands, strict=True)
        ]
    )
    first = [name for name, gain in zip(names, led_to.gains, strict=True) if gain and gain.place == "first"]
    seconds = [name for name, gain in zip(names, led_to.gains, strict=True) if gain and gain.place == "second"]
    if first and seconds:
        ranks = say("{first} 1st, {second} 2nd", first=listed(first), second=listed(seconds))
    elif first:
        ranks = say("{first} 1st", first=listed(first))
    elif len(seconds) > 1:
        ranks = say("a tie: {second} 2nd, nobody 1st", second=listed(seconds))
    elif seconds:
        ranks = say("{second} 2nd", second=listed(seconds))
    else:
        ranks = say("nobody searches it")
    if not (card.upper and card.lower):
        return say(
            "Corridor {corridor} of round {round}, {what}: {hands}; {ranks}",
            corridor=state.corridor + 1,
            round=state.round,
            what=corridor_in_words(card),
            hands=hands,
            ranks=ranks,
        )
    return say(
        "Corridor {corridor} of round {round}, {upper} over {lower}: {hands}; {ranks}",
        corridor=state.corridor + 1,
        round=state.round,
        upper=half_in_words(card.upper),
        lower=half_in_words(card.lower),
        hands=hands,
        ranks=ranks,
    )


def _hand_in_words(hand: Hand) -> Line:
    line = say("{text}", text=hand.search)
    if hand.witch:
        line = say("{things} + {more}", things=line, more=say("witch's sign"))
    if hand.soul:
        line = say("{things} + {more}", things=line, more=say("soul's sign"))
    return line


def _describe_lift(lift: Lift) -> Line:
    rank = word(NEXT_RANK[lift.rank])
    if lift.displaced is None:
        return say("one rises to {rank}", rank=rank)
    return say("one rises to {rank} in place of {other}", rank=rank, other=word(lift.displaced))


def _describe_promotion(lift: Lift | None) -> Line:
    if lift is None:
        return say("without effect")
    colour, old, new = word(lift.colour), word(lift.rank), word(NEXT_RANK[lift.rank])
    if lift.displaced is None:
        return say("a {rank} {colour} token rises to {above}", rank=old, colour=colour, above=new)
    return say(
        "a {rank} {colour} token rises to {above} in place of {other}",
        rank=old,
        colour=colour,
        above=new,
        other=word(lift.displaced),
    )


def _describe_colour_change(swap: Swap | None) -> Line:
    if swap is None:
        return say("without effect")
    return say("a {rank} {old} token turns {new}", rank=word(swap.rank), old=word(swap.old), new=word(swap.new))


def _describe_small_oracle(card: SmallOracle, move: AchieveSmall, name: str) -> Line:
    tokens = (*move.colours, *(colour for colour in COLOURS for _ in range(card.reward.count(colour))))
    parts = [say("{name} achieves a small oracle ({card})", name=name, card=small_oracle_in_words(card))]
    if tokens:
        parts.append(say("takes {tokens}", tokens=tokens_in_words(tokens)))
    if move.keep is not None:
        parts.append(say("keeps {tokens}", tokens=tokens_in_words(move.keep)))
    if "promotion" in card.reward:
        parts.append(_describe_promotion(move.lift) if move.lift else say("its promotion is lost"))
    return _joined_clauses(parts)


def _joined_clauses(parts: Sequence[Line]) -> Line:
    whole = parts[0]
    for part in parts[1:]:
        whole = say("{clause}; {next}", clause=whole, next=part)
    return whole
