"""Proposes deals and lays from readings of the cards on the table."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from calibration.translatable import Line
from companion.adapters.wicked import questions
from companion.games.wicked import legal
from companion.games.wicked.components import Deck
from companion.games.wicked.moves import DealOracles, Lay
from companion.games.wicked.state import WickedState
from companion.games.wicked.text.words import card_in_words
from companion.referee.proposal import Choice, Doubt, Proposal, Question
from vision.readings import CardReading, CardsReading, Point

MIN_CARD_CONFIDENCE = 0.9
"""Smallest mean confidence of a card; below it, the card needs confirmation.

Cards lie still and a whole round depends on them, so that a question costs little. All cards together need no
threshold: every card exists once, and everybody has two of each kind, which exposes most wrong readings.
"""

WORTH_NAMING = 0.05
"""Minimum probability of a card at a place for it to be offered in choices and questions."""

_CARDS_A_PLACE = 2
"""Largest number of cards considered for one place."""
_CHOICES = 4
"""Largest number of choices of a proposal."""
_DEALS = 64
"""Largest number of partial deals that are considered for each further card."""

_Probabilities = Mapping[str, float]
"""Card ids with the probability that each is the one, likeliest first."""


def propose_lay(state: WickedState, readings: Sequence[CardsReading]) -> Proposal[Lay] | None:
    """Return a proposal of the corridor cards in the ring, clockwise from the witch's head (W1).

    readings: of one still scene. None while no corridors are due, or while most places of the ring are empty
    because a player is laying them. A question is asked about a place without a card, an unknown card, cards that
    look alike, a card that an earlier round used, and one card in two places.
    """
    due = legal(state).lay
    if due is None or not readings:
        return None
    known = {card.id for card in state.deck.corridors}
    places = [_slot_probabilities(readings, slot, known) for slot in range(due.count)]
    unknown = {slot for slot in range(due.count) if not places[slot] and _is_unknown(readings, slot)}
    if 2 * (sum(map(bool, places)) + len(unknown)) <= due.count:
        return None
    doubts = [
        Doubt(None, question)
        for slot in range(due.count)
        for question in _slot_questions(state.deck, slot, places, frozenset(due.cards), unknown)
    ]
    ring = {card.slot for reading in readings for card in reading.cards if card.slot is not None}
    if any(slot >= due.count for slot in ring):
        doubts.append(Doubt(None, questions.too_many_corridors(due.count)))
    options = [
        [(card, p) for card, p in probabilities.items() if card in due.cards and p >= WORTH_NAMING][:_CARDS_A_PLACE]
        for probabilities in places
    ]
    choices = [
        Choice((Lay(tuple(card for card, _ in laid)),), math.prod(p for _, p in laid))
        for laid in itertools.product(*options)
        if len({card for card, _ in laid}) == due.count
    ]
    choices.sort(key=lambda laid: -laid.probability)
    return Proposal((Question(None, tuple(choices[:_CHOICES]), tuple(doubts)),))


def propose_deal(
    state: WickedState, names: Sequence[str], readings: Sequence[CardsReading], seat_of: Callable[[Point], int]
) -> Proposal[DealOracles] | None:
    """Return a proposal of the oracle cards dealt to each player, by where they lie.

    names: by seat. readings: of one still scene. seat_of: returns the seat nearest to a point of the picture, px.
    None while no deal is due, or while fewer than half of the oracle cards are found. A question is asked about
    each player before whom there are not two great and two small ones, and about unsure cards; cards that look like
    them are offered instead.
    """
    due = legal(state).deal
    if due is None or not readings:
        return None
    seats = range(due.players)
    seen = {card: _seat_of_card(readings, card, seat_of) for card in (*due.great, *due.small)}
    dealt = {
        kind: [[card for card in cards if seen[card][0] == seat] for seat in seats]
        for kind, cards in (("great", due.great), ("small", due.small))
    }
    lying = [card for kind in dealt.values() for cards in kind for card in cards]
    if len(lying) < due.players * due.each:
        return None
    sure = {card for card in lying if seen[card][1] >= MIN_CARD_CONFIDENCE}
    possible = {card: [(card, seen[card][1])] for card in lying}
    for card in possible.keys() - sure:
        alike = due.great if card in due.great else due.small
        possible[card] += _lookalikes(readings, card, {*alike} - {card, *sure})
    doubts = []
    for seat, (kind, by_seat) in itertools.product(seats, dealt.items()):
        cards = by_seat[seat]
        if len(cards) != due.each:
            doubts.append(
                Doubt(seat, questions.how_many_oracles(names[seat], kind == "great", len(cards), due.each))
            )
            continue
        place = questions.oracle_place(names[seat], kind == "great")
        doubts.extend(
            Doubt(seat, questions.which_card(place, _in_words(state.deck, [one for one, _ in possible[card]])))
            for card in cards
            if card not in sure
        )
    choices: tuple[Choice[DealOracles], ...] = ()
    if all(len(cards) == due.each for kind in dealt.values() for cards in kind):
        choices = tuple(
            Choice((_deal(cards, due.players, due.each),), probability)
            for cards, probability in _likeliest_deals([possible[card] for card in lying])
        )
    return Proposal((Question(None, choices, tuple(doubts)),))


def _slot_probabilities(readings: Sequence[CardsReading], slot: int, known: AbstractSet[str]) -> _Probabilities:
    """Return the probability of each card at a place of the ring; empty if most frames show no known card.

    slot: of the place. known: ids of the cards in the deck.
    """
    surest = [_surest_card(reading, lambda card: card.slot == slot and card.card in known) for reading in readings]
    seen = [card for card in surest if card is not None]
    if 2 * len(seen) <= len(readings):
        return {}
    probabilities: dict[str, float] = {}
    for card in seen:
        guesses = [
            (str(card.card), card.confidence),
            *((guess.card, guess.confidence) for guess in card.alternatives),
        ]
        for name, confidence in guesses:
            if name in known:
                probabilities[name] = probabilities.get(name, 0.0) + min(confidence, 1.0) / len(seen)
    return dict(sorted(probabilities.items(), key=lambda pair: -pair[1]))


def _is_unknown(readings: Sequence[CardsReading], slot: int) -> bool:
    """Return whether most frames show a card at a place of the ring that is not enrolled. slot: of the place."""
    seen = [
        _surest_card(reading, lambda card: card.slot == slot and card.state == "unknown") for reading in readings
    ]
    return 2 * sum(card is not None for card in seen) > len(readings)


def _seat_of_card(
    readings: Sequence[CardsReading], name: str, seat_of: Callable[[Point], int]
) -> tuple[int | None, float]:
    """Return the seat before which a card lies, with the confidence; (None, 0) if most frames do not show it.

    name: id of the card.
    """
    surest = [_surest_card(reading, lambda card: card.card == name) for reading in readings]
    seen = [card for card in surest if card is not None]
    if 2 * len(seen) <= len(readings):
        return None, 0.0
    seats = [seat_of(_centre(card)) for card in seen]
    seat = max(seats, key=seats.count)
    agreeing = [min(card.confidence, 1.0) for card, at in zip(seen, seats, strict=True) if at == seat]
    return seat, math.fsum(agreeing) / len(seen)


def _lookalikes(readings: Sequence[CardsReading], name: str, others: AbstractSet[str]) -> list[tuple[str, float]]:
    """Return the other cards that a card may be, by its readings, with their probabilities, likeliest first.

    name: id of the card. others: ids of the cards that it may be.
    """
    frames = [card.alternatives for reading in readings for card in reading.cards if card.card == name]
    probabilities: dict[str, float] = {}
    for guess in itertools.chain(*frames):
        if guess.card in others:
            probabilities[guess.card] = probabilities.get(guess.card, 0.0) + guess.confidence / len(frames)
    ranked = sorted(probabilities.items(), key=lambda pair: -pair[1])
    return [(card, probability) for card, probability in ranked if probability >= WORTH_NAMING]


def _likeliest_deals(places: Sequence[Sequence[tuple[str, float]]]) -> list[tuple[tuple[str, ...], float]]:
    """Return the likeliest combinations of one card per place, no card twice, with their probabilities.

    places: possible cards of each place, with probabilities.
    """
    deals: list[tuple[tuple[str, ...], float]] = [((), 1.0)]
    for possible in places:
        grown = [
            ((*cards, card), so_far * probability)
            for cards, so_far in deals
            for card, probability in possible
            if card not in cards
        ]
        deals = sorted(grown, key=lambda deal: -deal[1])[:_DEALS]
    return deals[:_CHOICES]


def _deal(cards: Sequence[str], players: int, each: int) -> DealOracles:
    """Return a deal. cards: ids of the great oracles, by seat, and then of the small ones, `each` per player."""
    by_seat = [tuple(cards[place : place + each]) for place in range(0, len(cards), each)]
    return DealOracles(tuple(by_seat[:players]), tuple(by_seat[players:]))


def _surest_card(reading: CardsReading, accepts: Callable[[CardReading], bool]) -> CardReading | None:
    """Return the card of highest confidence that `accepts` selects; None without one."""
    return max(filter(accepts, reading.cards), key=lambda card: card.confidence, default=None)


def _centre(card: CardReading) -> Point:
    return (math.fsum(x for x, _ in card.corners) / 4, math.fsum(y for _, y in card.corners) / 4)


def _in_words(deck: Deck, cards: Sequence[str]) -> list[Line]:
    """Return what cards show, each once. cards: ids."""
    return list(dict.fromkeys(card_in_words(deck, card) for card in cards))


def _slot_questions(
    deck: Deck,
    slot: int,
    places: Sequence[_Probabilities],
    left: AbstractSet[str],
    unknown: AbstractSet[int],
) -> list[str]:
    """Return the questions about a place of the ring.

    deck: of the game. places: probabilities of the cards at each place. left: ids of cards not used yet. unknown:
    places with unknown cards.
    """
    place = questions.corridor_place(slot)
    if slot in unknown:
        return [questions.unknown_card(place)]
    if not places[slot]:
        return [questions.no_card(place)]
    best, belief = next(iter(places[slot].items()))
    if best not in left:
        return [questions.searched_before(place, card_in_words(deck, best))]
    if any(next(iter(other), None) == best for at, other in enumerate(places) if at != slot):
        return [questions.card_in_two_places(place, card_in_words(deck, best))]
    if belief < MIN_CARD_CONFIDENCE:
        likely = [card for card, p in places[slot].items() if p >= WORTH_NAMING and card in left]
        return [questions.which_card(place, _in_words(deck, likely or [best]))]
    return []
