"""The search phase: legal reveals (W2, W3), ranks (W4) and what they gain (W5, W6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from calibration.translatable import say
from companion.games.game import IllegalMove
from companion.games.wicked.components import PLAYER_COLOURS, CorridorCard, Element, PlayerColour
from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.rules.gains import next_corridor, receive
from companion.games.wicked.state import Gain, Place, RankingOutcome, WickedPlayer, WickedState
from companion.games.wicked.text.words import in_words, search_pieces, soul_signs, the, witch_signs


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranks of a reveal (W4)."""

    first: PlayerColour | None
    """The player who ranks 1st; None where nobody does."""
    seconds: tuple[PlayerColour, ...]
    """Players who rank 2nd, in the order of PLAYER_COLOURS."""


def rank(counts: Mapping[PlayerColour, int]) -> Ranking:
    """Return which player colours rank 1st and 2nd (W4). counts: search pieces that each colour revealed.

    Raises ValueError for an unknown colour and for a negative count.
    """
    for colour, count in counts.items():
        if colour not in PLAYER_COLOURS:
            raise ValueError(f"No player is {colour}; the colours are {', '.join(PLAYER_COLOURS)}.")
        if count < 0:
            raise ValueError(f"Nobody can reveal {count} search pieces.")
    colours = tuple(colour for colour in PLAYER_COLOURS if colour in counts)
    placed = list(zip(colours, places([counts[colour] for colour in colours]), strict=True))
    return Ranking(
        first=next((colour for colour, (place, _) in placed if place == "first"), None),
        seconds=tuple(colour for colour, (place, _) in placed if place == "second"),
    )


def places(counts: Sequence[int]) -> tuple[tuple[Place | None, str], ...]:
    """Return for each number of revealed search pieces the rank, None for no rank, and the reason (W4).

    The reason is one of the codes of `RankingOutcome.reasons`.
    """
    most = max(counts, default=0)
    alone = counts.count(most) == 1
    next_most = max((count for count in counts if count < most), default=0)

    def place(count: int) -> tuple[Place | None, str]:
        if count == 0:
            return None, "no_search_piece"
        if count == most:
            return ("first", "most") if alone else ("second", "tie_for_most")
        if not alone:
            return None, "behind_a_tie"
        return ("second", "second_most") if count == next_most else (None, "too_few")

    return tuple(place(count) for count in counts)


def outcome(state: WickedState, reveal: Reveal) -> RankingOutcome:
    """Return the ranks and gains of a reveal at the current corridor, even if a player does not hold these pieces.

    Where nobody shows a search piece the corridor is skipped and nobody gains anything (W4).
    Raises IllegalMove where no corridor is being searched or a seat has no hand.
    """
    if state.phase != "search":
        raise IllegalMove(say("No corridor is being searched now."))
    if len(reveal.hands) != len(state.players):
        raise IllegalMove(
            say(
                "Everybody reveals at the same time: {number} hands are needed, not {shown}.",
                number=len(state.players),
                shown=len(reveal.hands),
            )
        )
    card = state.deck.corridor(state.corridors[state.corridor])
    witches = sum(hand.witch for hand in reveal.hands)
    souls = sum(hand.soul for hand in reveal.hands)
    placed = places([hand.search for hand in reveal.hands])
    return RankingOutcome(
        card=card.id,
        hands=reveal.hands,
        gains=tuple(None if place is None else _gain(card, place, witches, souls) for place, _ in placed),
        reasons=tuple(reason for _, reason in placed),
    )


def is_last_corridor(state: WickedState) -> bool:
    """Return whether this is the round's last corridor, where everything must be revealed (W3)."""
    return state.corridor == len(state.corridors) - 1


def legal_hands(state: WickedState, seat: int) -> tuple[Hand, ...]:
    """Return the hands that a player may reveal now: any of the held pieces, all at the last corridor (W2, W3)."""
    held = state.players[seat].held
    return (held,) if is_last_corridor(state) else hands_within(held)


@cache
def hands_within(held: Hand) -> tuple[Hand, ...]:
    """Return every hand of any number, from none to all, of the held pieces (W2)."""
    return tuple(
        Hand(search, witch, soul)
        for search in range(held.search + 1)
        for witch in range(held.witch + 1)
        for soul in range(held.soul + 1)
    )


def reveal(state: WickedState, move: Reveal) -> WickedState:
    """Return the state after all hands are opened at the current corridor, with their gains (W2 to W8).

    Unless a player has to choose first, that is the next corridor or the soul phase.
    """
    led_to = outcome(state, move)
    last = is_last_corridor(state)
    for player, hand in zip(state.players, move.hands, strict=True):
        _check_hand(player, hand, last)
    players = tuple(
        _after_reveal(player, hand, gain)
        for player, hand, gain in zip(state.players, move.hands, led_to.gains, strict=True)
    )
    return next_corridor(replace(state, players=players, phase="gain", outcome=led_to))


def _after_reveal(player: WickedPlayer, hand: Hand, gain: Gain | None) -> WickedPlayer:
    """Return a player after revealing a hand, with its gain added."""
    held = player.held
    left = Hand(held.search - hand.search, held.witch - hand.witch, held.soul - hand.soul)
    player = replace(player, held=left)
    return player if gain is None else receive(player, gain)


def _gain(card: CorridorCard, place: Place, witches: int, souls: int) -> Gain:
    """Return the gain of a player with a rank. witches, souls: signs of each kind in all hands together."""
    # A deck's lower half has fragments of one colour at most (checked when a game begins).
    fragment = tuple(element for element in card.lower if element not in ("promotion", "colour_change"))[:1]
    elements: tuple[Element, ...] = card.upper + card.lower if place == "first" else card.lower
    return Gain(place=place, impurity=witches, sign_elements=fragment * souls, card_elements=elements)


def _check_hand(player: WickedPlayer, hand: Hand, last: bool) -> None:
    """Raise IllegalMove if a player cannot reveal this hand. last: whether it is the round's last corridor."""
    held = player.held
    for shown, has, counted in (
        (hand.search, held.search, search_pieces),
        (hand.witch, held.witch, witch_signs),
        (hand.soul, held.soul, soul_signs),
    ):
        if shown < 0:
            raise IllegalMove(say("{player} cannot reveal fewer than {none}.", player=the(player), none=counted(0)))
        if shown > has:
            left = say("only {number} left", number=in_words(has)) if has else say("none are left")
            raise IllegalMove(
                say(
                    "{player} cannot reveal {shown}: {left} this round.",
                    player=the(player),
                    shown=counted(shown),
                    left=left,
                )
            )
        if last and shown < has:
            raise IllegalMove(
                say(
                    "{player} must reveal everything at the last corridor: {has} would stay behind.",
                    player=the(player),
                    has=counted(has - shown),
                )
            )
