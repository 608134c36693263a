"""The entries of a journal: frozen values that are only ever appended.

Entry numbers count from 1 without gaps; an entry's number is the number of the state after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import AwareDatetime

from companion.games.wicked.components import Deck, PlayerColour
from companion.games.wicked.moves import Move
from companion.games.wicked.state import Phase, State

Source = Literal["hand", "camera", "bot"]
"""Who entered a move: a person at a screen, the camera, or a bot of the simulated table."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: the seat is the index in `Started.seats`."""

    name: str
    colour: PlayerColour


@dataclass(frozen=True, slots=True)
class Stage:
    """How far the game is after an entry, for lists of games and to detect a replay that diverges."""

    phase: Phase
    round: int
    corridor: int

    @classmethod
    def of(cls, state: State) -> Stage:
        """Return the stage of a state."""
        return cls(state.phase, state.round, state.corridor)


@dataclass(frozen=True, slots=True)
class Started:
    """The start of the game: always entry 1 and only that. version: of the companion that wrote it."""

    number: int
    time: AwareDatetime
    stage: Stage
    seats: tuple[Seat, ...]
    deck: Deck
    seed: int | None
    version: str
    type: Literal["started"] = "started"


@dataclass(frozen=True, slots=True)
class Played:
    """A move. evidence: a picture is stored with it."""

    number: int
    time: AwareDatetime
    stage: Stage
    move: Move
    source: Source
    evidence: bool = False
    type: Literal["played"] = "played"


@dataclass(frozen=True, slots=True)
class Undone:
    """The entry of that number does not count any more. Undoing an `Undone` restores its entry."""

    number: int
    time: AwareDatetime
    stage: Stage
    entry: int
    type: Literal["undone"] = "undone"


@dataclass(frozen=True, slots=True)
class Change:
    """A new move for the played or supplied entry of that number; None removes it."""

    entry: int
    move: Move | None


@dataclass(frozen=True, slots=True)
class Supplied:
    """A move that a correction needs, inserted right after the one in entry `after`.

    It counts only through a `Revised` that names it.
    """

    number: int
    time: AwareDatetime
    stage: Stage
    after: int
    move: Move
    type: Literal["supplied"] = "supplied"


@dataclass(frozen=True, slots=True)
class Revised:
    """A correction: the entry of that number counts as this move instead (None: not at all); later moves stay."""

    number: int
    time: AwareDatetime
    stage: Stage
    entry: int
    move: Move | None
    also: tuple[Change, ...] = ()
    """Later entries that change with it."""
    dropped: tuple[int, ...] = ()
    """Later entries that do not count any more."""
    supplied: tuple[int, ...] = ()
    """Entries of inserted moves, in the order of play."""
    type: Literal["revised"] = "revised"

    @property
    def changes(self) -> tuple[Change, ...]:
        """All changed entries, the requested one first."""
        return (Change(self.entry, self.move), *self.also)


Entry = Started | Played | Undone | Supplied | Revised
