"""Questions to the players about uncertain turns and boards, worded so that a glance at the table answers them."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.translatable import Line, either, say
from companion.games.master.moves import Move, Shift, Stay, UseWand, Walk
from companion.games.master.state import MasterState
from companion.games.master.text.move_descriptions import arrow_name, place_name
from companion.referee.proposal import Doubt

_LISTED = 3
"""Maximum number of alternatives that a question names."""


def which_turn(state: MasterState, turns: Sequence[tuple[Move, ...]], names: Sequence[str]) -> Doubt:
    """Return a question about the first difference between the likeliest turns.

    turns: moves of each possible turn, likeliest first; a single one is only to be confirmed. names: by seat.
    """
    if len(turns) < 2:
        return Doubt(_mover(turns[0], state), say("Is this what was played?"))
    first, second = turns[:2]
    seat = _mover(first, state)
    shifts = [_shifts(turn) for turn in turns[:_LISTED]]
    if len(shifts[0]) == len(shifts[1]):
        for pushed, other in zip(shifts[0], shifts[1], strict=True):
            if pushed.arrow != other.arrow:
                arrows = dict.fromkeys(shift.arrow for each in shifts for shift in each)
                where = either([arrow_name(arrow) for arrow in arrows])
                return Doubt(seat, say("Where was the spare tile pushed in: {arrows}?", arrows=where))
            if pushed.openings != other.openings:
                entered = arrow_name(pushed.arrow)
                return Doubt(seat, say("How does the tile lie that was pushed in {arrow}?", arrow=entered))
    if not shifts[0] or not shifts[1] or [each.player for each in shifts[0]] != [each.player for each in shifts[1]]:
        players = dict.fromkeys(names[_mover(turn, state)] for turn in turns[:_LISTED])
        if len(players) > 1:
            return Doubt(seat, say("Who made this turn: {names}?", names=either(list(players))))
    return _which_end(state, first, second, turns[:_LISTED], names)


def _which_end(
    state: MasterState,
    first: tuple[Move, ...],
    second: tuple[Move, ...],
    turns: Sequence[tuple[Move, ...]],
    names: Sequence[str],
) -> Doubt:
    """Return a question about where the wizard's latest move ended, or whether it took the token there.

    That move may come before another player's shift. first, second: the two likeliest turns. turns: all that the
    question may name. names: by seat.
    """
    ends = [_walk_end(turn) for turn in turns]
    walks = [_walk(turn) for turn in (first, second)]
    seat = next((walk.player for walk in walks if walk is not None), _mover(first, state))
    if (
        walks[0] is not None
        and walks[1] is not None
        and walks[0].place == walks[1].place
        and walks[0].take != walks[1].take
    ):
        where = place_name(walks[0].place)
        return Doubt(
            seat,
            say("{name} moved to {place}: was the token taken?", name=names[seat], place=where),
            (walks[0].place,),
        )
    places = dict.fromkeys(end for end in ends if end is not None)
    marked = tuple(places)
    if None in ends and places:
        question = say(
            "Did {name}'s wizard move to {places}, or does it still stand where it was?",
            name=names[seat],
            places=either([place_name(place) for place in places]),
        )
        return Doubt(seat, question, marked)
    if len(places) > 1:
        where = either([place_name(place) for place in places])
        return Doubt(seat, say("Where did {name}'s wizard move: {places}?", name=names[seat], places=where), marked)
    return Doubt(seat, say("Is this what was played?"), marked)


def whose_wand(seat: int, earlier: int, names: Sequence[str]) -> Doubt:
    """Return the question whose wand was used: that of the player who stayed, or that of the player before.

    A shift by the earlier player's wand, after which the wizard stayed, looks like the next player's shift. seat:
    of the player for whom the latest shift is noted. earlier: seat of the player before. names: by seat.
    """
    return Doubt(
        seat,
        say(
            "If {earlier} made the latest shift by a wand, undo it and enter that turn by hand. Or did {name} "
            "stay and then use a wand?",
            name=names[seat],
            earlier=names[earlier],
        ),
    )


def did_two_turns_pass(arrows: Sequence[Shift]) -> Line:
    """Return the question whether two turns passed, since two shifts were made after the latest reading.

    arrows: the two shifts, in order.
    """
    first, second = arrows
    return say(
        "Two lines were pushed: {first}, then {second}. Did two turns pass? If not, take the second one back.",
        first=arrow_name(first.arrow),
        second=arrow_name(second.arrow),
    )


def enter_two_turns(arrows: Sequence[Shift]) -> Line:
    """Return a request to enter two turns by hand, of which the readings show too little.

    arrows: their two shifts, in order.
    """
    first, second = arrows
    return say(
        "Two lines were pushed: {first}, then {second}. If two turns passed, enter them by hand. If not, take the "
        "second one back.",
        first=arrow_name(first.arrow),
        second=arrow_name(second.arrow),
    )


def check_table(line: Line) -> Line:
    """Return a request to check the table. line: sentence that is appended, about what may be wrong there."""
    return say("Check the table. {line}", line=line)


def which_tile(place: int | None) -> Line:
    """Return the question how the tile on a place lies; for None, which tile the spare is."""
    if place is None:
        return say("Which tile is the spare one?")
    return say("How does the tile on {place} lie?", place=place_name(place))


def which_token(place: int) -> Line:
    """Return the question which token lies on a place."""
    return say("Which token lies on {place}?", place=place_name(place))


def _shifts(turn: Sequence[Move]) -> list[Shift]:
    return [move for move in turn if isinstance(move, Shift)]


def _walk(turn: Sequence[Move]) -> Walk | None:
    """Return the latest move of a wizard in a turn; None where no wizard moved."""
    return next((move for move in reversed(turn) if isinstance(move, Walk)), None)


def _walk_end(turn: Sequence[Move]) -> int | None:
    """Return the place where the latest move of a wizard ended; None where no wizard moved."""
    walk = _walk(turn)
    return None if walk is None else walk.place


def _mover(turn: Sequence[Move], state: MasterState) -> int:
    """Return the seat that made the latest move of a turn; for no moves, the one whose turn it is in the state."""
    for move in reversed(turn):
        if isinstance(move, (Shift, Walk, Stay, UseWand)):
            return move.player
    return state.mover
