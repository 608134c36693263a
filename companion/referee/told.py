"""How a doubt is said: one short question that somebody at the table can answer by looking."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.wicked.moves import Hand


def hand_in_words(hand: Hand) -> str:
    """Say what lies in a hand: "3 search pieces and a witch's sign", "nothing"."""
    parts = [f"{hand.search} search piece{'' if hand.search == 1 else 's'}"] if hand.search else []
    parts += ["a witch's sign"] * bool(hand.witch) + ["a soul's sign"] * bool(hand.soul)
    return _joined(parts, "and") if parts else "nothing"


def which_hand(name: str, hands: Sequence[Hand]) -> str:
    """Ask which of several hands it is, likeliest first, by what tells them apart; of one, whether it is it."""
    searches = list(dict.fromkeys(hand.search for hand in hands))
    witches = {hand.witch for hand in hands}
    souls = {hand.soul for hand in hands}
    if len(hands) == 1:
        return f"{name}: is it {hand_in_words(hands[0])}?"
    if len(searches) > 1 and len(witches) == len(souls) == 1:
        unit = "search piece" if searches[-1] == 1 else "search pieces"
        return f"{name}: {_joined([str(count) for count in sorted(searches)], 'or')} {unit}?"
    if len(searches) == len(souls) == 1:
        return f"{name}: is there a witch's sign?"
    if len(searches) == len(witches) == 1:
        return f"{name}: is there a soul's sign?"
    if len(searches) == 1:
        return f"{name}: is there a witch's sign, is there a soul's sign?"
    return f"{name}: {_joined([hand_in_words(hand) for hand in hands], 'or')}?"


def other_than_left(name: str, held: Hand) -> str:
    """Ask about a hand in which something was seen that cannot be there."""
    return f"{name}: this looks like something other than what is left ({hand_in_words(held)}). What lies there?"


def everything(name: str, held: Hand) -> str:
    """Ask whether all that is left lies open at a round's last corridor (W3), where less or more was seen."""
    return f"{name}: at the last corridor all that is left must lie open: {hand_in_words(held)}. Does it?"


def no_card(place: str) -> str:
    """Say that no card was recognised at a place."""
    return f"{place}: no card was recognised. Is one lying there, face up and uncovered?"


def which_card(place: str, cards: Sequence[str]) -> str:
    """Ask which of several cards it is, likeliest first; of one, whether it is it."""
    if len(cards) == 1:
        return f"{place}: is it card {cards[0]}?"
    return f"{place}: card {_joined(cards, 'or')}?"


def twice(place: str, card: str) -> str:
    """Ask about a card that seems to lie in two places though there is only one of it."""
    return f"{place}: this looks like card {card}, which lies elsewhere too. Which card is it?"


def searched_before(place: str, card: str) -> str:
    """Ask about a corridor card that an earlier round has used up."""
    return f"{place}: this looks like card {card}, which was searched in an earlier round. Which card is it?"


def too_many_corridors(count: int) -> str:
    """Say that more cards lie in the ring than a round has."""
    return f"There are more cards in the ring than the {count} of this round. Take away what does not belong there."


def how_many_oracles(name: str, kind: str, seen: int, expected: int) -> str:
    """Say that a player has other than the right number of oracle cards before them."""
    return (
        f"{name}: {seen or 'no'} {kind} oracle card{'' if seen == 1 else 's'} recognised, there must be {expected}."
    )


def corridor_place(slot: int) -> str:
    """Name a place in the ring, counted clockwise from the witch's head (W1)."""
    return f"Corridor {slot + 1}"


def _joined(parts: Sequence[str], word: str) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"
