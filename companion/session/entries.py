"""What a journal says, entry by entry: frozen values that are only ever added to.

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
"""Who entered a move: somebody at a screen, the camera, or a bot of the simulated table."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where: the seat is the index in `Started.seats`."""

    name: str
    colour: PlayerColour


@dataclass(frozen=True, slots=True)
class Stage:
    """How far the game is after an entry: for lists of games, and to notice a replay that went elsewhere."""

    phase: Phase
    round: int
    corridor: int

    @classmethod
    def of(cls, state: State) -> Stage:
        """Take the stage of a state."""
        return cls(state.phase, state.round, state.corridor)


@dataclass(frozen=True, slots=True)
class Started:
    """The game begins: always entry 1 and only that. `version` is the companion that wrote it."""

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
    """A move was made; `evidence` tells whether a picture is kept with it."""

    number: int
    time: AwareDatetime
    stage: Stage
    move: Move
    source: Source
    evidence: bool = False
    type: Literal["played"] = "played"


@dataclass(frozen=True, slots=True)
class Undone:
    """The entry of that number no longer counts. Undoing an `Undone` makes its entry count again."""

    number: int
    time: AwareDatetime
    stage: Stage
    entry: int
    type: Literal["undone"] = "undone"


@dataclass(frozen=True, slots=True)
class Change:
    """Another move for the played or supplied entry of that number; None takes it out."""

    entry: int
    move: Move | None


@dataclass(frozen=True, slots=True)
class Supplied:
    """A move that a correction needs, to be made right after the one in entry `after`.

    It counts only through a `Revised` that names it: alone it changes nothing.
    """

    number: int
    time: AwareDatetime
    stage: Stage
    after: int
    move: Move
    type: Literal["supplied"] = "supplied"


@dataclass(frozen=True, slots=True)
class Revised:
    """The entry of that number counts as this move instead (None: not at all); what came after it stands.

    also: later entries that change with it; dropped: later entries that do not count any more; supplied: entries
    of moves that come in, in the order of play.
    """

    number: int
    time: AwareDatetime
    stage: Stage
    entry: int
    move: Move | None
    also: tuple[Change, ...] = ()
    dropped: tuple[int, ...] = ()
    supplied: tuple[int, ...] = ()
    type: Literal["revised"] = "revised"

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every entry that counts as another move now, the one that was asked for first."""
        return (Change(self.entry, self.move), *self.also)


Entry = Started | Played | Undone | Supplied | Revised
