"""Adds to players what they gain at a corridor: impurity, fragments with their choices, spells (W5 to W8)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement

from calibration.translatable import say
from companion.games.game import IllegalMove
from companion.games.wicked.components import COLOURS, SPOTS, Colour
from companion.games.wicked.moves import ChooseColours, KeepTokens
from companion.games.wicked.state import Gain, PendingChoice, Tokens, WickedPlayer, WickedState
from companion.games.wicked.text.words import many, the, tokens_in_words

LOW_SPOTS = SPOTS["low"]
"""Spots of the low row of a board."""


@cache
def colour_choices(whites: int) -> tuple[tuple[Colour, ...], ...]:
    """Return every possible choice of one colour for each white fragment, in no order (W5)."""
    return tuple(combinations_with_replacement(COLOURS, whites))


@cache
def keep_choices(tokens: Tokens) -> tuple[tuple[Colour, ...], ...]:
    """Return every possible choice of the six low tokens to keep, as their colours (W7). tokens: more than six."""
    return tuple(
        kept.colours
        for red in range(min(tokens.red, LOW_SPOTS), -1, -1)
        for green in range(min(tokens.green, LOW_SPOTS - red), -1, -1)
        for blue in range(min(tokens.blue, LOW_SPOTS - red - green), -1, -1)
        if tokens.holds(kept := Tokens(red, green, blue, LOW_SPOTS - red - green - blue))
    )


def receive(player: WickedPlayer, gain: Gain) -> WickedPlayer:
    """Return a player after a gain at a corridor; with a `PendingChoice` if the player has to choose something.

    Signs come before the card (W6). Where six tokens must be chosen, they are chosen once from all: the possible
    results are the same as for a choice after the signs and another after the card.
    """
    elements = gain.sign_elements + gain.card_elements
    whites = elements.count("white")
    gained = Tokens(*(elements.count(colour) for colour in COLOURS))
    low, pending = (player.low, PendingChoice(whites, gained)) if whites else _with_low_tokens(player.low, gained)
    return replace(
        player,
        low=low,
        pending=pending,
        impurity=player.impurity + gain.impurity,
        promotion=player.promotion + elements.count("promotion"),
        colour_change=player.colour_change + elements.count("colour_change"),
    )


def choose_colours(state: WickedState, move: ChooseColours) -> WickedState:
    """Return the state after a player has chosen colours for the white fragments gained (W5, W6)."""
    player = state.players[move.player]
    pending = player.pending
    if pending is None or not pending.whites:
        raise IllegalMove(say("{player} has no white fragment to choose a colour for.", player=the(player)))
    check_colours(player, move.colours, pending.whites)
    low, still = _with_low_tokens(player.low, pending.gained + Tokens.of(move.colours))
    return _with_player(state, move.player, replace(player, low=low, pending=still))


def keep_tokens(state: WickedState, move: KeepTokens) -> WickedState:
    """Return the state after a player has kept six low tokens of old and new; the others go back (W7)."""
    player = state.players[move.player]
    pending = player.pending
    if pending is None:
        raise IllegalMove(say("{player} has room for every token gained: none has to go back.", player=the(player)))
    if pending.whites:
        raise IllegalMove(
            say(
                "{player} has to choose colours for {whites} first.",
                player=the(player),
                whites=many(pending.whites, "{n} white fragment", "{n} white fragments"),
            )
        )
    kept = kept_tokens(player, player.low + pending.gained, move.keep)
    return _with_player(state, move.player, replace(player, low=kept, pending=None))


def check_colours(player: WickedPlayer, colours: tuple[Colour, ...], whites: int) -> None:
    """Raise IllegalMove unless `colours` has one of the four colours for each of the white fragments (W5)."""
    if len(colours) != whites:
        raise IllegalMove(
            say(
                "{player} has to choose {whites} for white fragments, not {number}.",
                player=the(player),
                whites=many(whites, "{n} colour", "{n} colours"),
                number=len(colours),
            )
        )
    for colour in colours:
        if colour not in COLOURS:
            raise IllegalMove(
                say("A white fragment becomes red, green, blue or yellow, not {colour}.", colour=colour)
            )


def kept_tokens(player: WickedPlayer, offered: Tokens, keep: tuple[Colour, ...]) -> Tokens:
    """Return the six low tokens that a player keeps (W7). Raises IllegalMove for an impossible choice.

    offered: the tokens to choose from. keep: colours of the chosen ones.
    """
    kept = Tokens.of(keep)
    if len(keep) != LOW_SPOTS or kept.total != LOW_SPOTS:
        raise IllegalMove(
            say("{player} has to keep exactly six low tokens, not {number}.", player=the(player), number=len(keep))
        )
    if not offered.holds(kept):
        raise IllegalMove(
            say(
                "{player} cannot keep {keep}: there are only {colours}.",
                player=the(player),
                keep=tokens_in_words(keep),
                colours=tokens_in_words(offered.colours),
            )
        )
    return kept


def next_corridor(state: WickedState) -> WickedState:
    """Return the state at the next corridor or in the soul phase; unchanged while a player still has to choose."""
    if any(player.pending is not None for player in state.players):
        return state
    corridor = state.corridor + 1
    return replace(state, corridor=corridor, phase="search" if corridor < len(state.corridors) else "soul")


def _with_low_tokens(low: Tokens, gained: Tokens) -> tuple[Tokens, PendingChoice | None]:
    """Return the low row with new tokens and None; if six must be chosen, the old row and the choice (W7)."""
    together = low + gained
    if together.total <= LOW_SPOTS:
        return together, None
    choices = keep_choices(together)
    if len(choices) == 1:  # all alike: there is nothing to choose
        return Tokens.of(choices[0]), None
    return low, PendingChoice(0, gained)


def _with_player(state: WickedState, seat: int, player: WickedPlayer) -> WickedState:
    """Return the state with the player at a seat replaced; it goes on if nobody has to choose any more."""
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    return next_corridor(replace(state, players=players))
