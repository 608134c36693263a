"""What the table publishes to every screen: frozen values, sent as JSON by pydantic's TypeAdapter."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from calibration.seats import Seating
from companion.adapters.wicked.boards.views import BoardsView
from companion.games.wicked.components import CORRIDORS, PlayerColour
from companion.games.wicked.moves import Move
from companion.games.wicked.scoring.chronicle import Chronicle
from companion.games.wicked.scoring.final_scores import Score
from companion.games.wicked.state import State
from companion.session.settings import GameSettings
from vision.cameras.turned import Turn

CameraState = Literal[
    "preparing",
    "watching",
    "hands",
    "settling",
    "reading",
    "needs_you",
    "paused",
    "teaching",
    "hindered",
    "no_camera",
    "by_hand",
]
"""preparing: the camera is being opened, or what the table looks like is still being learnt; teaching: somebody
shows it pieces or the calibration sheet, and nothing is read meanwhile; hindered: it does not see the table as it
should (moved, covered, blurred, another light), and nothing is read until it does; by_hand: the game is entered
by hand alone, so no camera is needed."""


@dataclass(frozen=True, slots=True)
class CameraView:
    """The camera in one word, one plain line of what is wrong or going on, and its figures.

    correction: the turn that puts a picture right which is upside down, on its side or mirrored.
    """

    state: CameraState
    message: str = ""
    frames: int = 0
    dropped: int = 0
    frames_per_second: float = 0.0
    reading_milliseconds: float = 0.0
    correction: Turn | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """Who sits where: the seat is the index in `GameView.seats`."""

    name: str
    colour: PlayerColour


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One journal entry that still counts, told in one plain line.

    evidence: whether a picture is kept; player: whose choice it was, by seat, None for what the whole table did.
    """

    number: int
    text: str
    type: str
    evidence: bool = False
    player: int | None = None


@dataclass(frozen=True, slots=True)
class GameView:
    """The game as it stands after journal entry `number`: the state number that every command must name."""

    id: str
    number: int
    seats: tuple[SeatView, ...]
    state: State
    waiting_for: tuple[int, ...]
    scores: tuple[Score, ...]
    history: tuple[HistoryLine, ...] = ()
    chronicle: Chronicle = field(default_factory=Chronicle)


@dataclass(frozen=True, slots=True)
class CandidateView:
    """One move that the picture allows, told in plain words, with its probability."""

    move: Move
    probability: float
    text: str


@dataclass(frozen=True, slots=True)
class SeatDoubt:
    """A seat about which the reading is not sure, and a plain question such as "Ada: 3 or 4?".

    seat: None for the middle of the table.
    """

    seat: int | None
    question: str


@dataclass(frozen=True, slots=True)
class ProposalView:
    """What the referee proposes to enter.

    A certain proposal is entered by itself once `seconds_left` has run out and a new picture of the still table
    confirms it, unless somebody holds it (`held`). A doubtful one waits for an answer. `number` is the state that
    it was made for. Candidates are likeliest first and never empty.
    """

    id: str
    number: int
    certain: bool
    held: bool
    seconds_left: float
    candidates: tuple[CandidateView, ...]
    doubts: tuple[SeatDoubt, ...] = ()


@dataclass(frozen=True, slots=True)
class DirectorView:
    """The simulated table's own controls, None where a real camera looks on.

    Of the `reveals` shown so far: `answers_needed` were asked about, `corrections_needed` were taken wrongly
    and corrected afterwards, `unread` were not found and entered by hand. over: the demonstration has ended.
    """

    running: bool
    speed: float
    doing: str
    reveals: int = 0
    answers_needed: int = 0
    corrections_needed: int = 0
    unread: int = 0
    over: bool = False


EVENLY = tuple(Seating.even(players).angles for players in CORRIDORS)
"""Where people sit while nobody has said otherwise, for each number of players."""


@dataclass(frozen=True, slots=True)
class TableView:
    """All that a screen needs. `version` grows with every publication of this run of the server.

    seatings: where people sit, one for each number of players: degrees clockwise from the sheet's bottom edge, by
    seat.
    """

    version: int
    camera: CameraView
    game: GameView | None = None
    proposal: ProposalView | None = None
    director: DirectorView | None = None
    notices: tuple[str, ...] = field(default=())
    settings: GameSettings | None = None
    boards: BoardsView | None = None
    seatings: tuple[tuple[float, ...], ...] = EVENLY


@dataclass(frozen=True, slots=True)
class Option:
    """A move that a player may make now, told in one plain line."""

    move: Move
    text: str


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game on disk: `played` is the time of its latest entry, ISO 8601 with time zone."""

    id: str
    seats: tuple[SeatView, ...]
    phase: str
    round: int
    played: str


class Refused(Exception):
    """A command that the table refuses; nothing has changed. `code` is for screens, the text is for people.

    Codes: "stale" (made for an older state: refresh), "illegal" (the rules), "not_now" (nothing to do that
    to), "not_allowed" (somebody else's to do), "bad_request" (malformed).
    """

    def __init__(
        self, code: Literal["stale", "illegal", "not_now", "not_allowed", "bad_request"], message: str
    ) -> None:
        super().__init__(message)
        self.code = code
