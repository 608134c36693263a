"""Formats advice as sentences: where to push the spare tile in, where to move, and why."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.translatable import Line, listed, say, sentences
from companion.games.master.adviser.turn_search import (
    Advice,
    MazeTurn,
    Position,
    best_turn,
    on_formula,
    rival_gain,
    turn_moves,
)
from companion.games.master.maze import CARRIED, bits
from companion.games.master.moves import UseWand
from companion.games.master.rules.engine import apply
from companion.games.master.state import MasterState
from companion.games.master.text.move_descriptions import TOKEN_NAMES, arrow_name, place_name, sides_name


def tip_line(state: MasterState, player: int, advice: Advice, names: Sequence[str]) -> Line:
    """Return advice for a player as sentences in the second person: the turns, then the reasons.

    names: of all players, by seat.
    """
    turns = [_turn_line(state, player, advice.turns[0])]
    if len(advice.turns) > 1:
        after = state
        for move in (*turn_moves(state, player, advice.turns[0]), UseWand(player)):
            after = apply(after, move)
        turns += [say("Then use a wand."), _turn_line(after, player, advice.turns[1])]
    return sentences(*turns, *reasons(state, player, advice, names))


def reasons(state: MasterState, player: int, advice: Advice, names: Sequence[str]) -> tuple[Line, ...]:
    """Return the reasons for advice, each a sentence in the second person.

    names: of all players, by seat.
    """
    why = []
    if advice.taken:
        why.append(say("You take {tokens}.", tokens=tokens_line(advice.taken)))
    on_card = [number for number in advice.taken if on_formula(state, player, number)]
    if len(on_card) == 1:
        why.append(say("{number} is on your formula card.", number=on_card[0]))
    elif on_card:
        why.append(say("{numbers} are on your formula card.", numbers=listed(on_card)))
    number = blocked_token(state, player, advice)
    if number is not None:
        rival = names[(player + 1) % len(state.players)]
        why.append(say("That closes the way to {number} for {name}.", number=number, name=rival))
    elif advice.reply:
        rival = names[(player + 1) % len(state.players)]
        why.append(say("{name} can take {number} next.", name=rival, number=advice.reply))
    return tuple(why) or (_why_none_is_taken(state, player, names),)


def _why_none_is_taken(state: MasterState, player: int, names: Sequence[str]) -> Line:
    """Return why the advised turn takes no token: none can, or the next player could take the one after it."""
    taken = best_turn(state, player).taken
    if not taken:
        return say("No turn takes a token now.")
    return say(
        "Taking {number} would let {name} take {next}.",
        number=taken[0],
        name=names[(player + 1) % len(state.players)],
        next=Position.of(state).without_next().tokens[0][0],
    )


def blocked_token(state: MasterState, player: int, advice: Advice) -> int | None:
    """Return the number of the token that the next player could take now, but not after the advised turn.

    None if there is no such token, and for advice of two turns.
    """
    if len(advice.turns) != 1 or advice.reply:
        return None
    turn = advice.turns[0]
    position, rival = Position.of(state), (player + 1) % len(state.players)
    kept = position.without_next() if turn.take else position
    if not kept.tokens or not rival_gain(kept, state.wizards[rival]):
        return None
    after = _position_after(state, turn)
    return None if rival_gain(after, CARRIED[turn.arrow][state.wizards[rival]]) else kept.tokens[0][0]


def tokens_line(numbers: Sequence[int]) -> Line:
    """Return tokens as a list in a sentence: "7 (raven's feather) and 8 (henbane)"."""
    return listed([say("{number} ({token})", number=number, token=TOKEN_NAMES[number]) for number in numbers])


def _turn_line(state: MasterState, player: int, turn: MazeTurn) -> Line:
    """Return a turn as an instruction: where to push the spare tile in, and where to move."""
    here = CARRIED[turn.arrow][state.wizards[player]]
    sides = sides_name(bits(turn.openings))
    arrow = arrow_name(turn.arrow)
    if turn.place == here:
        return say(
            "Push the spare tile in {arrow}, open at the {sides}, and stay.",
            arrow=arrow,
            sides=sides,
        )
    return say(
        "Push the spare tile in {arrow}, open at the {sides}, and move to {place}.",
        arrow=arrow,
        sides=sides,
        place=place_name(turn.place),
    )


def _position_after(state: MasterState, turn: MazeTurn) -> Position:
    """Return the maze and the tokens as they are after a turn."""
    position = Position.of(state).shifted(turn.arrow, bits(turn.openings))
    return position.without_next() if turn.take else position
