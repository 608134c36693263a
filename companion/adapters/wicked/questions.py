"""Formats questions about doubtful readings: short, and answered by a glance at the table."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.translatable import Line, counted, either, listed, say
from companion.games.wicked.moves import Hand


def hand_in_words(hand: Hand) -> Line:
    """Return the content of a hand in words: "3 search pieces and a witch's sign", "nothing"."""
    parts: list[Line] = []
    if hand.search:
        parts.append(counted(hand.search, "{n} search piece", "{n} search pieces"))
    if hand.witch:
        parts.append(say("a witch's sign"))
    if hand.soul:
        parts.append(say("a soul's sign"))
    return listed(parts)


def which_hand(name: str, hands: Sequence[Hand]) -> Line:
    """Return the question which of several hands a player shows; for a single one, whether that is right.

    name: of the player. hands: likeliest first.
    """
    searches = list(dict.fromkeys(hand.search for hand in hands))
    witches = {hand.witch for hand in hands}
    souls = {hand.soul for hand in hands}
    if len(hands) == 1:
        return say("{name}: is it {hand}?", name=name, hand=hand_in_words(hands[0]))
    if len(searches) > 1 and len(witches) == len(souls) == 1:
        numbers = either(sorted(searches))
        return counted(
            searches[-1],
            "{name}: {numbers} search piece?",
            "{name}: {numbers} search pieces?",
            name=name,
            numbers=numbers,
        )
    if len(searches) == len(souls) == 1:
        return say("{name}: is there a witch's sign?", name=name)
    if len(searches) == len(witches) == 1:
        return say("{name}: is there a soul's sign?", name=name)
    if len(searches) == 1:
        return say("{name}: is there a witch's sign, is there a soul's sign?", name=name)
    return say("{name}: {hands}?", name=name, hands=either([hand_in_words(hand) for hand in hands]))


def unexpected_pieces(name: str, held: Hand) -> Line:
    """Return the question about a hand in which other pieces were read than its player has left.

    held: the pieces that the player has left.
    """
    return say(
        "{name}: this looks like something other than what is left ({hand}). What lies there?",
        name=name,
        hand=hand_in_words(held),
    )


def are_all_revealed(name: str, held: Hand) -> Line:
    """Return the question whether a player reveals all pieces left at a round's last corridor (W3).

    held: the pieces that the player has left.
    """
    return say(
        "{name}: at the last corridor all that is left must lie open: {hand}. Does it?",
        name=name,
        hand=hand_in_words(held),
    )


def no_card(place: str) -> Line:
    """Return the question about a place where no card was recognised. place: name of the place."""
    return say("{place}: no card was recognised. Is one lying there, face up and uncovered?", place=place)


def unknown_card(place: str) -> Line:
    """Return the question about a place where an unknown card was found. place: name of the place."""
    return say("{place}: the card there is not known. Which card is it?", place=place)


def which_card(place: str, cards: Sequence[str]) -> Line:
    """Return the question which of several cards lies at a place; for a single one, whether that is right.

    place: name of the place. cards: what they show, likeliest first.
    """
    if len(cards) == 1:
        return say("{place}: is it {card}?", place=place, card=cards[0])
    return say("{place}: {cards}?", place=place, cards=either(cards))


def card_in_two_places(place: str, card: str) -> Line:
    """Return the question about a card that was read in two places, though there is only one of it.

    place: name of one of them. card: what it shows.
    """
    return say(
        "{place}: this looks like {card}, which lies elsewhere too. Which card is it?", place=place, card=card
    )


def searched_before(place: str, card: str) -> Line:
    """Return the question about a card in the ring that looks like one searched in an earlier round.

    place: name of the card's place. card: what it shows.
    """
    return say(
        "{place}: this looks like {card}, which was searched in an earlier round. Which card is it?",
        place=place,
        card=card,
    )


def too_many_corridors(count: int) -> Line:
    """Return the message that there are more cards in the ring than a round has. count: cards of a round."""
    return say(
        "There are more cards in the ring than the {count} of this round. Take away what does not belong there.",
        count=count,
    )


def how_many_oracles(name: str, great: bool, seen: int, expected: int) -> Line:
    """Return the message that a player has a wrong number of oracle cards.

    great: whether of great or of small ones. seen, expected: wrong and right number.
    """
    number = seen or say("no")
    if great:
        return counted(
            seen,
            "{name}: {n} great oracle card recognised, there must be {expected}.",
            "{name}: {n} great oracle cards recognised, there must be {expected}.",
            n=number,
            name=name,
            expected=expected,
        )
    return counted(
        seen,
        "{name}: {n} small oracle card recognised, there must be {expected}.",
        "{name}: {n} small oracle cards recognised, there must be {expected}.",
        n=number,
        name=name,
        expected=expected,
    )


def oracle_place(name: str, great: bool) -> Line:
    """Return the name of the place of a player's oracle cards. great: of the great or of the small ones."""
    return say("{name}, great oracle", name=name) if great else say("{name}, small oracle", name=name)


def corridor_place(slot: int) -> Line:
    """Return the name of a place in the ring. slot: index from 0, clockwise from the witch's head (W1)."""
    return say("Corridor {number}", number=slot + 1)
