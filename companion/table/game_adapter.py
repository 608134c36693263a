"""The record that connects one game's rules to its table: what is read in a state, and what readings mean."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from calibration.cards.deck import EnrolledDeck
from calibration.profile import TableProfile
from calibration.seats import Seating
from companion.games.game import Game, Viewer
from companion.referee.finding import Finding
from companion.session import Session, Timeline
from companion.session.game_settings import EntryMode, GameSettings
from companion.table.pictures.overlay import draw_cards
from companion.table.pictures.pictures_of_reading import Pictures
from companion.table.reading.frame_reader import HandsReader, RequestKind, RestReader
from vision.cameras.frame import Image
from vision.readings import Expectation, Point

S = TypeVar("S")
"""A game's state."""
M = TypeVar("M")
"""A game's move."""


@dataclass(frozen=True)
class StateRequest:
    """What the camera reads in one state of a game."""

    wanted: RequestKind | None
    """Kind of reading; None where nothing is read, or only the whole table."""
    expectation: Expectation
    """What hands can hold."""
    hint: Hashable = None
    """Passed to the game's `RestReader`."""
    first_pictures: bool = False
    """Whether a certain proposal is made from the first pictures at rest; otherwise only from all of them."""
    next_turn: bool = False
    """Whether a turn begins, so that what is read of it confirms the one before."""


@dataclass(frozen=True)
class StillReadings:
    """The readings of one still scene, one per picture that was read."""

    hands: Sequence[Any] = ()
    """Readings of the game's own `HandsReader`."""
    at_rest: Sequence[Any] = ()
    """Readings of the game's own `RestReader`."""


@dataclass(frozen=True)
class Statement:
    """A person's statement of what lies on the table, where the camera reads something else."""

    thing: Any
    """The statement, of a type in `Adapter.statements`."""
    readings: StillReadings
    """The readings that it corrects: it holds as long as the camera reads the same there."""


@dataclass(frozen=True)
class Situation(Generic[S]):
    """The state of a game in which readings are interpreted, with what is needed for that."""

    state: S
    """State of the game."""
    names: tuple[str, ...]
    """Players' names by seat."""
    seat_of: Callable[[Point], int]
    """Returns the seat of a point of the picture, px."""
    statements: tuple[Statement, ...] = ()
    """Statements made in this state, oldest first: a later one overrules an earlier one."""


@dataclass(frozen=True)
class WholeTable(Generic[S, M]):
    """The functions that read the whole table from one picture, in the background because that takes long."""

    reader: Callable[[TableProfile], Callable[[], Any] | None]
    """(profile) -> function that makes the reader; None where too little is enrolled."""
    read: Callable[[Any, Image, S, Seating], Any]
    """(reader, picture, state, where things lie) -> reading."""
    interpret: Callable[[Timeline, Sequence[str], Any], Finding[M]]
    """(game, names by seat, reading) -> what the reading means in the present state."""
    draw: Callable[[Image, S, Any], Pictures]
    """(picture, state, reading) -> pictures for people."""
    automatic: Callable[[S], bool]
    """(state) -> whether each still interval is read by itself, once; otherwise it is read only on request."""
    unreadable: str
    """Line for people where the whole table cannot be read yet."""
    failed: str
    """Line for people after an error; the log says more."""


@dataclass(frozen=True)
class TableAccess:
    """The parts of a table that a game's own services may use."""

    lock: threading.RLock
    """Held while the state is read."""
    playing: Callable[[], Session]
    """Returns the session. Raises `Refused` without one."""
    settings_of: Callable[[Session], GameSettings]
    """(session) -> the host's settings of its game."""
    folder: Path
    """Where the table stores its games."""
    profile: Callable[[], TableProfile | None]
    """Returns the saved profile; None for a table without an enrolment service."""
    picture: Callable[[], Image | None]
    """Returns the newest picture, BGR; None while the camera sends none."""


class GameServices(Protocol):
    """The services of one game at a table."""

    def close(self) -> None:
        """Stop the services' background work; called when the table is closed."""


@dataclass(frozen=True)
class Adapter(Generic[S, M]):
    """The functions that connect one game to the table. What has no reader (None) is entered by hand."""

    game: Game[S, M, Any]
    """The rules."""
    request: Callable[[S], StateRequest]
    """(state) -> what the camera reads in it."""
    interpret: Callable[[Situation[S], StillReadings], Finding[M]]
    """(situation, readings) -> what the readings mean."""
    hands_reader: Callable[[TableProfile], HandsReader] | None = None
    """Makes the reader of open hands. Raises ProfileError where something is missing."""
    rest_reader: Callable[[TableProfile], RestReader] | None = None
    """Makes the reader of things at rest. Raises ProfileError where something is missing."""
    draw_at_rest: Callable[[Image, Any], None] = draw_cards
    """(picture, reading of the `RestReader`) -> draws the reading over the picture."""
    calibrated: bool = True
    """Whether readers need a calibrated camera; otherwise no sheet is needed, and the camera may move."""
    enrol_in_order: Callable[[TableProfile, Image], TableProfile] | None = None
    """(profile, BGR picture) -> the profile with all pieces that the picture shows in their order; None where kinds
    are enrolled one by one. Raises ProfileError.
    """
    whole_table: WholeTable[S, M] | None = None
    """Functions that read the whole table; None where that is impossible."""
    shown_by_hands: Callable[[M], bool] = lambda move: False
    """(move) -> whether players show it with their hands, which then leave the table."""
    same: Callable[[M, M], bool] = lambda one, other: one == other
    """(move, move) -> whether both leave the same things on the table, so that a camera cannot distinguish them."""
    components: Callable[[TableProfile], Any] = lambda profile: None
    """(profile) -> the components that new games begin with, such as a deck; stand-ins unless all are enrolled."""
    setup: Callable[[Any, EntryMode], Any] = lambda components, way: components
    """(components, entry mode) -> the setup of a new game."""
    undescribed: Callable[[], Any] | None = None
    """Returns components, such as unknown cards, that players describe during the game; None where impossible."""
    statements: Any = None
    """Type of the statements that a person may make about what lies on the table: a frozen dataclass, or a union of
    them with a field `type`; None where a person can only correct the whole reading.
    """
    preview: Callable[[S, tuple[M, ...], Viewer], object] = lambda state, moves, viewer: None
    """(state, moves of a choice, viewer) -> preview of their result for screens, a frozen dataclass, or None.

    It contains only what the viewer may know now, not what these moves would disclose. Raises IllegalMove.
    """
    aids: Callable[[S, int], object] = lambda state, seat: None
    """(state, seat) -> help that the screen of the player at a seat shows beside the moves, as frozen dataclasses;
    None without any. It contains only what this player may know.
    """
    services: Callable[[TableAccess], GameServices] | None = None
    """Makes the services that only this game has, such as advice."""
    standin_deck: Callable[[], EnrolledDeck | None] = lambda: None
    """Returns the printable stand-in cards as an enrolled deck; None where there are none."""

    @property
    def has_readers(self) -> bool:
        """Whether a camera can read anything of the game."""
        return any(each is not None for each in (self.hands_reader, self.rest_reader, self.whole_table))


def by_hand(game: Game[S, M, Any]) -> Adapter[S, M]:
    """Return an adapter for a game that no camera reads: everything is entered by hand."""
    nothing: Finding[M] = Finding()
    return Adapter(
        game,
        request=lambda state: StateRequest(None, Expectation(0)),
        interpret=lambda situation, readings: nothing,
        components=lambda profile: game.setup(),
    )
