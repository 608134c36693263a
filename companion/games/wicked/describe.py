"""The story of a game: one plain line for every move."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.wicked.components import COLOURS, Element, SmallOracle
from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    ChooseColours,
    Deal,
    FinishSoul,
    Hand,
    KeepTokens,
    Lay,
    Lift,
    Move,
    Promote,
    Reveal,
)
from companion.games.wicked.search import outcome
from companion.games.wicked.souls import NEXT_RANK
from companion.games.wicked.state import State
from companion.games.wicked.telling import listed, many, tokens_in_words


def describe(state: State, move: Move, names: Sequence[str]) -> str:
    """Tell a move in one plain line without a full stop; `state` is the one that it is played in.

    names: by seat. The move should be legal there: the line tells what it leads to.
    """
    match move:
        case Deal():
            dealt = (listed((*great, *small)) for great, small in zip(move.great, move.small, strict=True))
            hands = "; ".join(f"{name} {cards}" for name, cards in zip(names, dealt, strict=True))
            return f"Oracle cards are dealt: {hands}"
        case Lay():
            return f"Round {state.round} begins with the corridors {listed(move.cards)}"
        case Reveal():
            return _reveal(state, move, names)
        case ChooseColours():
            return f"{names[move.player]} takes {tokens_in_words(move.colours)} for white"
        case KeepTokens():
            return f"{names[move.player]} keeps {tokens_in_words(move.keep)}"
        case Promote():
            pair = f"two {move.lift.rank} {move.lift.colour} tokens"
            return f"{names[move.player]} promotes: of {pair} {_lift(move.lift)}"
        case CastPromotion():
            return f"{names[move.player]} spends a promotion spell: {_spell(move.lift)}"
        case CastColourChange():
            swap = move.swap
            effect = "without effect" if swap is None else f"a {swap.rank} {swap.old} token turns {swap.new}"
            return f"{names[move.player]} spends a colour-change spell: {effect}"
        case AchieveSmall():
            return _small(state.deck.small_oracle(move.card), move, names[move.player])
        case AchieveGreat():
            colours = listed(state.deck.great_oracle(move.card).colours)
            return f"{names[move.player]} achieves great oracle {move.card} with high {colours}"
        case FinishSoul():
            player = state.players[move.player]
            spells = player.promotion + player.colour_change
            unspent = f", {many(spells, 'spell', 'spells')} unused" if spells else ""
            return f"{names[move.player]} is done with the souls{unspent}"


def half_in_words(elements: Sequence[Element]) -> str:
    """Name what half a corridor card shows: "red and blue", "colour change"."""
    return listed([element.replace("_", " ") for element in elements])


def _reveal(state: State, move: Reveal, names: Sequence[str]) -> str:
    led_to = outcome(state, move)
    card = state.deck.corridor(led_to.card)
    hands = listed([f"{name} {_hand(hand)}" for name, hand in zip(names, move.hands, strict=True)])
    first = [name for name, gain in zip(names, led_to.gains, strict=True) if gain and gain.place == "first"]
    seconds = [name for name, gain in zip(names, led_to.gains, strict=True) if gain and gain.place == "second"]
    if not first and not seconds:
        ranks = "nobody searches it"
    else:
        ranks = ", ".join(
            f"{listed(ranked)} {place}" for ranked, place in ((first, "1st"), (seconds, "2nd")) if ranked
        )
    where = f"Corridor {state.corridor + 1} of round {state.round}"
    return f"{where}, {half_in_words(card.upper)} over {half_in_words(card.lower)}: {hands}; {ranks}"


def _hand(hand: Hand) -> str:
    signs = [sign for sign, shown in (("witch's sign", hand.witch), ("soul's sign", hand.soul)) if shown]
    return " + ".join([str(hand.search), *signs])


def _lift(lift: Lift) -> str:
    rises = f"one rises to {NEXT_RANK[lift.rank]}"
    return rises if lift.displaced is None else f"{rises} in place of {lift.displaced}"


def _spell(lift: Lift | None) -> str:
    if lift is None:
        return "without effect"
    place = "" if lift.displaced is None else f" in place of {lift.displaced}"
    return f"a {lift.rank} {lift.colour} token rises to {NEXT_RANK[lift.rank]}{place}"


def _small(card: SmallOracle, move: AchieveSmall, name: str) -> str:
    tokens = (*move.colours, *(colour for colour in COLOURS for _ in range(card.reward.count(colour))))
    parts = [f"{name} achieves small oracle {card.id}"]
    if tokens:
        parts.append(f"takes {tokens_in_words(tokens)}")
    if move.keep is not None:
        parts.append(f"keeps {tokens_in_words(move.keep)}")
    if "promotion" in card.reward:
        parts.append(_spell(move.lift) if move.lift else "its promotion is lost")
    return "; ".join(parts)
