"""Pebbles: both players hide a number from 1 to 3, then take one to three pebbles in turn until none are left.

A pebble is a point. A player whose number is the remainder of their pebbles divided by three, or 3 where there is
none, gets five more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from calibration.translatable import Line, say
from companion.games.game import OVER, Figure, Game, IllegalMove, Rebased, Score, ScoreLine, Stage, Step, Viewer

MOST = 3
"""Pebbles that a player may take at once, and the largest number that can be hidden."""
BONUS = 5
"""Points for the right hidden number."""
N = TypeVar("N")


@dataclass(frozen=True, slots=True)
class Setup:
    """What a game begins with."""

    pebbles: int = 15


@dataclass(frozen=True, slots=True)
class Hide:
    """A player hides a number."""

    player: int
    number: int
    type: Literal["hide"] = "hide"


@dataclass(frozen=True, slots=True)
class Take:
    """A player takes pebbles."""

    player: int
    pebbles: int
    type: Literal["take"] = "take"


Move = Hide | Take


@dataclass(frozen=True, slots=True)
class State:
    """A whole game."""

    left: int
    taken: tuple[int, int] = (0, 0)
    hidden: tuple[int | None, int | None] = (None, None)
    """Numbers by seat; None before they are hidden, and in views where they are not to be known."""
    turn: int = 0
    """Seat that takes next."""


def new_game(figures: Sequence[str], setup: Setup) -> State:
    """Begin a game. Raises ValueError for other than two different figures, or without pebbles."""
    if sorted(figures) != ["black", "white"]:
        raise ValueError("Pebbles is for one player with black and one with white pebbles.")
    if setup.pebbles < 1:
        raise ValueError("Pebbles needs at least one pebble.")
    return State(setup.pebbles)


def phase(state: State) -> str:
    """Return the id of the phase."""
    if None in state.hidden:
        return "hide"
    return "take" if state.left else OVER


def apply(state: State, move: Move) -> State:
    """Return the state after a move. Raises IllegalMove."""
    if move not in legal_moves(state, move.player):
        raise IllegalMove(say("That cannot be done now. Choose one of the possible moves."))
    seat = move.player
    if isinstance(move, Hide):
        return replace(state, hidden=_replaced(state.hidden, seat, move.number))
    taken = _replaced(state.taken, seat, state.taken[seat] + move.pebbles)
    return replace(state, left=state.left - move.pebbles, taken=taken, turn=1 - seat)


def _replaced(pair: tuple[N, N], seat: int, value: N) -> tuple[N, N]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """Return the legal moves of a player."""
    if seat not in to_move(state):
        return ()
    if phase(state) == "hide":
        return tuple(Hide(seat, number) for number in range(1, MOST + 1))
    return tuple(Take(seat, pebbles) for pebbles in range(1, min(MOST, state.left) + 1))


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats that have to move."""
    if phase(state) == "hide":
        return tuple(seat for seat, number in enumerate(state.hidden) if number is None)
    return (state.turn,) if state.left else ()


def stage(state: State) -> Stage:
    """Return how far the game is."""
    return Stage(phase(state), 1, sum(state.taken))


def final_scores(state: State) -> tuple[Score, ...]:
    """Return the scores; the hidden numbers count at the end only."""
    over = phase(state) == OVER
    right = [
        over and number == (taken % MOST or MOST) for taken, number in zip(state.taken, state.hidden, strict=True)
    ]
    totals = [taken + BONUS * won for taken, won in zip(state.taken, right, strict=True)]
    return tuple(
        Score(
            seat,
            totals[seat],
            1 if totals[seat] == max(totals) else 2,
            (
                ScoreLine("pebbles", say("pebbles"), state.taken[seat], state.taken[seat]),
                ScoreLine("number", say("right number"), int(right[seat]), BONUS * right[seat]),
            ),
            "" if totals[seat] == max(totals) else "points",
        )
        for seat in (0, 1)
    )


def view(state: State, viewer: Viewer) -> State:
    """Return the state with the numbers that a viewer may know: the viewer's own, and both at the end."""
    shown = (0, 1) if phase(state) == OVER else (viewer,)
    first, second = (number if seat in shown else None for seat, number in enumerate(state.hidden))
    return replace(state, hidden=(first, second))


def describe(step: Step[State, Move], now: State, names: Sequence[str], viewer: Viewer) -> Line:
    """Return a step as a line."""
    move, name = step.move, names[step.move.player]
    if isinstance(move, Take):
        return say("{name} takes {pebbles}", name=name, pebbles=move.pebbles)
    if evidence_visible(step, now, viewer):
        return say("{name} hides the number {number}", name=name, number=move.number)
    return say("{name} hides a number", name=name)


def evidence_visible(step: Step[State, Move], now: State, viewer: Viewer) -> bool:
    """Return whether a viewer may see what was hidden by a step."""
    return isinstance(step.move, Take) or viewer == step.move.player or phase(now) == OVER


def to_text(move: Move) -> str:
    """Format a move as a line: "0 hide 2", "1 take 3"."""
    return f"{move.player} {move.type} {move.number if isinstance(move, Hide) else move.pebbles}"


def from_text(line: str) -> Move:
    """Parse a move. Raises ValueError."""
    seat, verb, number = line.split()
    if verb not in ("hide", "take"):
        raise ValueError(f"This line is not a move: {line!r}")
    return Hide(int(seat), int(number)) if verb == "hide" else Take(int(seat), int(number))


def rebase(state: State, move: Move) -> Rebased[Move]:
    """Return what becomes of a move that a correction makes illegal."""
    if phase(state) == OVER:
        return Rebased("dropped")
    if phase(state) == "hide":
        return Rebased("choice")
    if move.player == state.turn and isinstance(move, Take):
        return Rebased("replaced", Take(state.turn, state.left))
    return Rebased("blocked")


PEBBLES: Game[State, Move, Setup] = Game(
    id="pebbles",
    title=say("Pebbles"),
    players=(2,),
    figures=(Figure("black", say("black"), "black"), Figure("white", say("white"), "white")),
    setup=Setup,
    moves=Move,
    new_game=new_game,
    apply=apply,
    legal_moves=legal_moves,
    to_move=to_move,
    actor=lambda move: move.player,
    stage=stage,
    final_scores=final_scores,
    view=view,
    describe=describe,
    to_text=to_text,
    from_text=from_text,
    secrets="seats",
    evidence_visible=evidence_visible,
    concurrent_owner=lambda move: move.player if isinstance(move, Hide) else None,
    rebase=rebase,
)
"""The record."""
