"""The entries of a journal: frozen values that are only ever appended.

Entry numbers count from 1 without gaps; an entry's number is the number of the state after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal

from pydantic import AwareDatetime
from typing_extensions import TypeVar

from companion.games.game import Stage

M = TypeVar("M", default=Any)
"""A game's move; any, where code serves all games."""
U = TypeVar("U", default=Any)
"""A game's setup; any, where code serves all games."""

Source = Literal["hand", "camera", "bot"]
"""Who entered a move: a person at a screen, the camera, or a bot of the simulated table."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: the seat is the index in `Started.seats`."""

    name: str
    """The player's name."""
    figure: str
    """Id of the game's `Figure` that marks the player."""


@dataclass(frozen=True, slots=True)
class Started(Generic[U]):
    """The start of a game: always entry 1 and only that."""

    number: int
    """Number of the entry, from 1."""
    time: AwareDatetime
    """When it was written."""
    stage: Stage
    """How far the game is after it."""
    game: str
    """Id of the game."""
    seats: tuple[Seat, ...]
    """The players."""
    setup: U
    """What the game began with besides the players."""
    version: str
    """Version of the companion that wrote it."""
    type: Literal["started"] = "started"
    """Tag of the entry in JSON."""


@dataclass(frozen=True, slots=True)
class Played(Generic[M]):
    """A move."""

    number: int
    """Number of the entry, from 1."""
    time: AwareDatetime
    """When it was written."""
    stage: Stage
    """How far the game is after it."""
    move: M
    """The move."""
    source: Source
    """Who entered it."""
    evidence: bool = False
    """Whether a picture is stored with it."""
    type: Literal["played"] = "played"
    """Tag of the entry in JSON."""


@dataclass(frozen=True, slots=True)
class Undone:
    """An undo: an earlier entry does not count any more. Undoing an `Undone` restores that entry."""

    number: int
    """Number of the entry, from 1."""
    time: AwareDatetime
    """When it was written."""
    stage: Stage
    """How far the game is after it."""
    entry: int
    """Number of that entry."""
    type: Literal["undone"] = "undone"
    """Tag of the entry in JSON."""


@dataclass(frozen=True, slots=True)
class Change(Generic[M]):
    """A changed move of a played or supplied entry."""

    entry: int
    """Number of that entry."""
    move: M | None
    """The new move; None removes the entry's."""


@dataclass(frozen=True, slots=True)
class Supplied(Generic[M]):
    """A move that a correction inserts right after the one in entry `after`.

    It counts only through a `Revised` entry that names it.
    """

    number: int
    """Number of the entry, from 1."""
    time: AwareDatetime
    """When it was written."""
    stage: Stage
    """How far the game is after it."""
    after: int
    """Number of the entry that it follows."""
    move: M
    """The move."""
    type: Literal["supplied"] = "supplied"
    """Tag of the entry in JSON."""


@dataclass(frozen=True, slots=True)
class Revised(Generic[M]):
    """A correction: an earlier entry counts as another move, or not at all; later moves stay as they are."""

    number: int
    """Number of the entry, from 1."""
    time: AwareDatetime
    """When it was written."""
    stage: Stage
    """How far the game is after it."""
    entry: int
    """Number of the corrected entry."""
    move: M | None
    """The move that counts instead; None for none."""
    also: tuple[Change[M], ...] = ()
    """Later entries that change with it."""
    dropped: tuple[int, ...] = ()
    """Later entries that do not count any more."""
    supplied: tuple[int, ...] = ()
    """Entries of inserted moves, in the order of play."""
    type: Literal["revised"] = "revised"
    """Tag of the entry in JSON."""

    @property
    def alone(self) -> bool:
        """Whether no other entry changes with this one."""
        return not (self.also or self.dropped or self.supplied)

    @property
    def changes(self) -> tuple[Change[M], ...]:
        """All changed moves, that of `entry` first."""
        return (Change(self.entry, self.move), *self.also)


Entry = Started[Any] | Played[M] | Undone | Supplied[M] | Revised[M]
"""Any entry."""


def moves_in(entry: Entry[M]) -> Iterator[M]:
    """Yield every move in an entry, those to which a correction changes others included."""
    match entry:
        case Played() | Supplied():
            yield entry.move
        case Revised():
            yield from (change.move for change in entry.changes if change.move is not None)
