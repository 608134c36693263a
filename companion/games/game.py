"""The record that describes one game to the rest of the companion: `Game`, and the values in its signatures.

A game fills in one `Game` with plain functions over its own frozen states and moves. Journal, undo, corrections,
history, scores and screens use nothing else of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from calibration.translatable import Line

S = TypeVar("S")
"""A game's state: a frozen dataclass."""
M = TypeVar("M")
"""A game's move: any of its frozen dataclasses, each with a `type` that is unique among them."""
U = TypeVar("U")
"""A game's setup: a frozen dataclass."""

Viewer = int | None
"""Who looks: the player at a seat, or None for what everybody at the table may see.

The host is None, too, because the host's tablet lies open on the table.
"""

OVER = "over"
"""The `Stage.phase` of every game that has ended."""


class IllegalMove(ValueError):
    """A move that the rules refuse; its text is one line that a player understands."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What marks a player on the table: a colour, an animal, a character."""

    id: str
    """As in `Seat.figure` of a journal."""
    name: str
    """Name for screens, translatable."""
    colour: str
    """Colour of the player's pieces, as a CSS colour name."""


@dataclass(frozen=True, slots=True)
class SetupOption:
    """Something that the players choose before a game, such as a house rule."""

    id: str
    """As in `Game.with_options`."""
    name: str
    """Name for screens, translatable."""
    about: str = ""
    """One sentence about what it means; "" where the name explains it."""
    choice: Literal["yes_no", "seat"] = "yes_no"
    """What is chosen: 1 or 0, or the seat of a player."""
    by_hand: bool = False
    """Whether it can be chosen only where moves are entered by hand."""


@dataclass(frozen=True, slots=True)
class Stage:
    """How far a game is: for lists of games, and to detect a replay that leads elsewhere."""

    phase: str
    """Id of the phase; `OVER` at the end."""
    round: int
    """Number of the round, from 1. It never falls, except by one where play ends before a round's first move."""
    step: int = 0
    """Number of steps completed in the round, from 0."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One term of a player's score."""

    id: str
    """Name of the term in exports."""
    name: str
    """Name of the term for screens, translatable."""
    count: int
    """Number of things counted."""
    points: int
    """What they add to the total; negative where they cost points."""


@dataclass(frozen=True, slots=True)
class Score:
    """One player's score with its arithmetic: the points of all lines add up to the total."""

    player: int
    """Seat."""
    total: int
    """Points."""
    place: int
    """1 for the best; players who are tied after all criteria share a place."""
    lines: tuple[ScoreLine, ...]
    """Terms in the order in which they are listed; the same ids for every player."""
    decided_by: str = ""
    """Id of the criterion that put this player behind the previous one; "" for the first and for a shared place."""
    tie_break: str | None = None
    """What puts the previous player, with as many points, ahead, such as "more high tokens"; else None."""


@dataclass(frozen=True, slots=True)
class Step(Generic[S, M]):
    """A move that counts."""

    number: int
    """Number of its journal entry."""
    move: M
    """The move."""
    before: S
    """State that it was made in."""
    after: S
    """State that it led to."""


@dataclass(frozen=True, slots=True)
class Rebased(Generic[M]):
    """What happens to a later move that is illegal after the correction of an earlier one."""

    result: Literal["dropped", "choice", "replaced", "blocked"]
    """dropped: it does not count any more; choice: the players of `Game.to_move` choose first; replaced: `move`,
    the only one that the rules leave, takes its place; blocked: a person has to correct it, too.
    """
    move: M | None = None
    """The move that takes its place, where it is replaced."""


def always(step: Step[S, M], now: S, viewer: Viewer) -> bool:
    """Return True, the default of `Game.evidence_visible`: pictures show nothing secret."""
    return True


def without_names(line: str, state: S, names: Sequence[str]) -> str:
    """Return the line unchanged; the default of `Game.with_names`, for games that name no player by a figure."""
    return line


def no_bounds(state: S) -> None:
    """Return None, the default of `Game.bounds`: all legal moves can be listed."""


def no_statistics(steps: Sequence[Step[S, M]], state: S, viewer: Viewer) -> tuple[object, ...]:
    """Return (), the default of `Game.statistics`: the game counts nothing besides points."""
    return ()


def without_options(setup: U, chosen: Mapping[str, int]) -> U:
    """Return the setup unchanged; the default of `Game.with_options`, for games without options."""
    return setup


def nothing_unknown(state: S) -> bool:
    """Return False, the default of `Game.unknown_to_all`: people choose or lay all that later rounds show."""
    return False


def present_round(step: Step[S, M]) -> int | None:
    """Return None, the default of `Game.other_round`: a step belongs to the round of the state before it."""
    return None


def nobody(move: M) -> int | None:
    """Return None, the default of `Game.concurrent_owner`: no move can be made at the same time as others."""
    return None


def blocked(state: S, move: M) -> Rebased[M]:
    """Return the result "blocked", the default of `Game.rebase`: a person has to correct the move."""
    return Rebased("blocked")


@dataclass(frozen=True, eq=False)
class Game(Generic[S, M, U]):
    """A game as a record of pure functions: no I/O and no clock; all chance comes from the setup's seed."""

    id: str
    """Name of its folders and in journals."""
    title: Line
    """Name for screens."""
    players: tuple[int, ...]
    """Numbers of players that can play, ascending."""
    figures: tuple[Figure, ...]
    """What players choose from, at least as many as players."""
    setup: type[U]
    """Class of what a game begins with besides the players, such as a deck of cards."""
    moves: object
    """Union of the classes of all moves, for JSON."""
    new_game: Callable[[Sequence[str], U], S]
    """(figures by seat, setup) -> first state. Raises ValueError with the reason where they cannot play."""
    apply: Callable[[S, M], S]
    """(state, move) -> next state. Raises IllegalMove."""
    legal_moves: Callable[[S, int], tuple[M, ...]]
    """(state, seat) -> the legal moves of one player as far as they can be listed, each once, in a fixed order."""
    to_move: Callable[[S], tuple[int, ...]]
    """(state) -> seats that have to move before the game goes on; none at the end, or where all move together."""
    actor: Callable[[M], int | None]
    """(move) -> seat whose choice it is; None for what all players do together."""
    stage: Callable[[S], Stage]
    """(state) -> how far the game is."""
    final_scores: Callable[[S], tuple[Score, ...]]
    """(state) -> scores by seat as if the game ended now, without what anybody may not know yet."""
    view: Callable[[S, Viewer], object]
    """(state, viewer) -> all that the viewer may know, a frozen dataclass; nothing else of a state is published."""
    describe: Callable[[Step[S, M], S, Sequence[str], Viewer], Line]
    """(step, present state, names by seat, viewer) -> the step as one line that the viewer may read now.

    It is called for moves that nobody has made yet, too: it must not say what chance decides.
    """
    to_text: Callable[[M], str]
    """(move) -> one line of text."""
    from_text: Callable[[str], M]
    """(line) -> move. Raises ValueError."""
    minutes: tuple[int, int] | None = None
    """Shortest and longest usual duration, minutes, as the rulebook states it; None where it states none."""
    options: tuple[SetupOption, ...] = ()
    """What the players choose before a game."""
    with_options: Callable[[U, Mapping[str, int]], U] = without_options
    """(setup, chosen value by id of an option) -> setup with these choices; what is not named stays."""
    other_round: Callable[[Step[S, M]], int | None] = present_round
    """(step) -> number of the round that it belongs to; None for that of the state before it.

    Another one is that of a move that ends a wait in which the round before might have been prolonged, or that is
    made beside the turns.
    """
    secrets: Literal["none", "table", "seats"] = "none"
    """Whether states hide something while a game runs: from everybody ("table"), or from some seats ("seats")."""
    unknown_to_all: Callable[[S], bool] = nothing_unknown
    """(state) -> whether it holds what nobody may know before a later round or the end, such as a shuffled pile."""
    evidence_visible: Callable[[Step[S, M], S, Viewer], bool] = always
    """(step, present state, viewer) -> whether the viewer may look at the pictures stored with a step now."""
    concurrent_owner: Callable[[M], int | None] = nobody
    """(move) -> seat whose own things alone it changes, so that others may move at the same time; else None."""
    bounds: Callable[[S], object] = no_bounds
    """(state) -> what bounds the next move of the whole table where moves are too many to list, as a frozen
    dataclass that everybody may know; None where they can be listed, or none is due."""
    with_names: Callable[[str, S, Sequence[str]], str] = without_names
    """(line of an IllegalMove, state, names by seat) -> the line with players' names for their figures."""
    statistics: Callable[[Sequence[Step[S, M]], S, Viewer], tuple[object, ...]] = no_statistics
    """(moves that count, present state, viewer) -> what each player did, by seat, as frozen dataclasses."""
    rebase: Callable[[S, M], Rebased[M]] = blocked
    """(corrected state, move that is illegal in it) -> what becomes of the move."""


def round_of(game: Game[S, M, U], step: Step[S, M]) -> int:
    """Return the number of the round that a step belongs to."""
    other = game.other_round(step)
    return game.stage(step.before).round if other is None else other
