"""`apply`: the state that a move leads to."""

from __future__ import annotations

from dataclasses import replace

from calibration.translatable import Line, say
from companion.games.game import IllegalMove
from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    ChooseColours,
    DealOracles,
    FinishSoul,
    KeepTokens,
    Lay,
    Move,
    NameOracle,
    Promote,
    Reveal,
)
from companion.games.wicked.rules.gains import choose_colours, keep_tokens
from companion.games.wicked.rules.player_described_cards import name_oracle
from companion.games.wicked.rules.search_phase import reveal
from companion.games.wicked.rules.setup import deal, lay, next_round
from companion.games.wicked.rules.soul_phase import (
    achieve_great,
    achieve_small,
    cast_colour_change,
    cast_promotion,
    finish,
    promote,
)
from companion.games.wicked.state import Phase, WickedPlayer, WickedState
from companion.games.wicked.text.words import the

_NOW: dict[Phase, Line] = {
    "deal": say("the oracle cards have to be dealt first"),
    "lay": say("this round's corridors have to be laid first"),
    "search": say("a corridor is being searched, and everybody reveals"),
    "gain": say("everybody has to choose first what they take from this corridor"),
    "soul": say("the souls are being processed"),
    "over": say("the game is over"),
}
"""Reason why a move of another phase is refused, by phase."""

SoulMove = Promote | CastPromotion | CastColourChange | AchieveSmall | AchieveGreat | FinishSoul
"""A move of the soul phase."""


def apply(state: WickedState, move: Move) -> WickedState:
    """Return the state after a move; the old one is unchanged.

    Raises IllegalMove with a line that a player understands.
    """
    if state.phase not in _phases_of(move):
        raise IllegalMove(say("Not now: {now}.", now=_NOW[state.phase]))
    match move:
        case Reveal():
            return reveal(state, move)
        case DealOracles():
            return deal(state, move)
        case Lay():
            return lay(state, move)
    if not 0 <= move.player < len(state.players):
        raise IllegalMove(
            say(
                "There are {number} players: nobody sits at seat {player}.",
                number=len(state.players),
                player=move.player,
            )
        )
    match move:
        case ChooseColours():
            return choose_colours(state, move)
        case KeepTokens():
            return keep_tokens(state, move)
        case NameOracle():
            return name_oracle(state, move)
        case _:
            return _apply_soul_move(state, move)


def _phases_of(move: Move) -> tuple[Phase, ...]:
    match move:
        case DealOracles():
            return ("deal",)
        case Lay():
            return ("lay",)
        case Reveal():
            return ("search",)
        case ChooseColours() | KeepTokens():
            return ("gain",)
        case NameOracle():
            return ("lay", "search", "gain", "soul")
        case _:
            return ("soul",)


def _apply_soul_move(state: WickedState, move: SoulMove) -> WickedState:
    player = state.players[move.player]
    if player.finished:
        raise IllegalMove(say("{player} has finished this soul phase.", player=the(player)))
    player = _after_soul_action(player, move, state)
    players = (*state.players[: move.player], player, *state.players[move.player + 1 :])
    state = replace(state, players=players)
    if player.finished and all(other.finished for other in players):
        return next_round(state)
    return state


def _after_soul_action(player: WickedPlayer, move: SoulMove, state: WickedState) -> WickedPlayer:
    match move:
        case Promote():
            return promote(player, move)
        case CastPromotion():
            return cast_promotion(player, move)
        case CastColourChange():
            return cast_colour_change(player, move)
        case AchieveSmall():
            return achieve_small(player, move, state.deck)
        case AchieveGreat():
            return achieve_great(player, move, state.deck)
        case FinishSoul():
            return finish(player)
