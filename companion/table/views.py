"""The values that a table publishes for screens (views), sent as JSON by pydantic's TypeAdapter."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from calibration.seats import FEWEST_SEATS, MOST_SEATS, Seating
from companion.games.game import Score, Stage
from companion.referee.finding import Difference, PointsCheck
from companion.session.game_settings import GameSettings
from vision.cameras.orientation_correction import Orientation

if TYPE_CHECKING:
    from companion.table.running_game import RunningGame

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
"""State of the camera for screens.

preparing: it is being opened, or the readers are being made; teaching: a setup step runs, and nothing is read;
hindered: the view is not as calibrated (moved, covered, blurred, other light or size), or the pictures cannot be
read otherwise, and nothing is read until that is over;
by_hand: the game is entered by hand alone, so no camera is needed.
"""


@dataclass(frozen=True, slots=True)
class CameraView:
    """The camera's state, one line about it, and its figures."""

    state: CameraState
    """What the camera does."""
    message: str = ""
    """One line about it."""
    frames: int = 0
    """Frames taken."""
    dropped: int = 0
    """Frames that were replaced before they were processed."""
    frames_per_second: float = 0.0
    """Measured frame rate."""
    reading_milliseconds: float = 0.0
    """Duration of the latest reading, ms."""
    correction: Orientation | None = None
    """The turn that corrects an upside-down, rotated or mirrored picture; None where none is needed."""
    where: tuple[int, ...] = ()
    """Places on the game's board that the message concerns, by their numbers there."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player: the seat is the index in `GameView.seats`."""

    name: str
    """The player's name."""
    figure: str
    """Id of the game's `Figure` that marks the player."""


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A move that counts (was not undone), as one line of the history."""

    number: int
    """Number of the entry."""
    text: str
    """The move as a line."""
    type: str
    """Tag of the move in JSON."""
    evidence: bool = False
    """A picture is stored with it."""
    player: int | None = None
    """The seat whose choice it was; None for all players together."""
    in_turn: bool = False
    """It was made in the turn of one player, not while several had to move."""


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """Points at the end of a round, or in the unfinished one."""

    round: int
    """Number of the round, from 1."""
    points: tuple[int, ...]
    """By seat."""
    over: bool = True
    """Whether the round is finished."""


@dataclass(frozen=True, slots=True)
class Chronicle:
    """Points round by round, and what each player did."""

    start: tuple[int, ...] = ()
    """Points by seat before the first move."""
    rounds: tuple[RoundPoints, ...] = ()
    """One per round, oldest first."""
    deeds: tuple[Any, ...] = ()
    """The game's own statistics by seat; empty for games without any."""


@dataclass(frozen=True, slots=True)
class GameView:
    """What one viewer may know of the game."""

    id: str
    """Id of the saved game."""
    number: int
    """Number of the latest journal entry; every command must name it."""
    game: str
    """Id of the game that is played."""
    title: str
    """Its name."""
    seats: tuple[SeatView, ...]
    """The players."""
    stage: Stage
    """How far the game is."""
    view: Any
    """What the game's rules show to this viewer."""
    waiting_for: tuple[int, ...]
    """Seats that have to move before the game goes on."""
    scores: tuple[Score, ...]
    """Points of the players, by seat."""
    history: tuple[HistoryLine, ...] = ()
    """The moves that count (were not undone), oldest first."""
    chronicle: Chronicle = field(default_factory=Chronicle)
    """Points round by round."""


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """A possible answer to a question."""

    moves: tuple[Any, ...]
    """Moves to enter; empty where the journal contains them already."""
    lines: tuple[str, ...]
    """Each move as a line."""
    probability: float = 1.0
    """Probability that it is the true answer, 0..1."""
    misread: tuple[str, ...] = ()
    """Lines about what the camera must have misread if these moves are true."""


@dataclass(frozen=True, slots=True)
class SeatDoubt:
    """A doubt about what was read, as a question such as "Ada: 3 or 4?"."""

    seat: int | None
    """The seat that it concerns; None for the middle of the table."""
    question: str
    """The question as a line."""
    where: tuple[int, ...] = ()
    """Places on the game's board that it concerns, by their numbers there."""


@dataclass(frozen=True, slots=True)
class QuestionView:
    """The question what one player did, or what all did together, with its possible answers."""

    seat: int | None
    """The seat; None for all players together."""
    choices: tuple[ChoiceView, ...]
    """Likeliest first; empty where no legal moves fit what was read."""
    doubts: tuple[SeatDoubt, ...] = ()
    """Reasons why a person has to confirm the answer."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposed entry.

    A certain proposal is entered after `seconds_left`, once a new picture of the still table confirms it, unless a
    person holds it. A doubtful one waits for an answer.
    """

    id: str
    """Id of the proposal."""
    number: int
    """Number of the state that it was made for."""
    certain: bool
    """Whether it is entered without an answer."""
    held: bool
    """It gets no countdown: a person stopped it, or it repeats what was just undone."""
    seconds_left: float
    """Time until it is entered, s."""
    questions: tuple[QuestionView, ...]
    """One, or one per seat where all act at the same time."""
    problems: tuple[str, ...] = ()
    """Problems of the picture as a whole."""
    due: bool = True
    """Whether it has a countdown; false while it waits for a person, or for a motionless table."""
    host_only: bool = False
    """It is shown to hosts only."""


@dataclass(frozen=True, slots=True)
class CorrectionOffer:
    """A correction of earlier moves that would make the journal agree with the reading."""

    text: str
    """The correction as a sentence."""
    entries: tuple[int, ...]
    """Entries that it changes."""


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """The reading of the whole table beside the journal: its progress, and the result for the present state."""

    id: str = ""
    """Id of the reading, "" where there is none."""
    number: int = 0
    """Number of the state that it is compared with."""
    reading: bool = False
    """A picture is being read."""
    asked: bool = False
    """The next still picture will be read."""
    differences: tuple[Difference, ...] = ()
    """Differences between the reading and the journal."""
    problems: tuple[str, ...] = ()
    """Problems of the picture."""
    points: tuple[PointsCheck, ...] = ()
    """Final points as read and by the journal; empty until the game is over."""
    verdict: str = ""
    """Final score as the camera read it, one line; "" until the game is over."""
    replacement: bool = False
    """The phase that has just ended can be replaced by the one that was read."""
    corrections: tuple[CorrectionOffer, ...] = ()
    """Possible corrections; each explains a difference by itself."""
    trouble: str = ""
    """One line about why the table could not be read, or ""."""


@dataclass(frozen=True, slots=True)
class DirectorView:
    """Controls of the simulated table; None where a real camera is used."""

    running: bool
    """Whether the bots play."""
    speed: float
    """Multiple of real time."""
    doing: str
    """One line about the present activity."""
    shown: int = 0
    """Number of moves shown to the camera so far."""
    answers_needed: int = 0
    """Number of moves that needed confirmation."""
    corrections_needed: int = 0
    """Number of moves that were entered wrongly without a question."""
    unread: int = 0
    """Number of moves that were not read and were entered by hand."""
    over: bool = False
    """The demonstration has ended."""


NUMBERS_OF_PLAYERS = range(FEWEST_SEATS, MOST_SEATS + 1)
"""Numbers of players for which a table stores where people sit."""
EVENLY = tuple(Seating.even(players).angles for players in NUMBERS_OF_PLAYERS)
"""Seat angles of evenly spaced players, for each number of players."""


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that a screen needs."""

    version: int
    """Increases with every publication of a server run."""
    camera: CameraView
    """State of the camera."""
    game: RunningGame | None = None
    """The game, secrets included; a screen may show only `RunningGame.view_for`. None without a game."""
    proposal: ProposalView | None = None
    """The waiting proposal; None where there is none."""
    director: DirectorView | None = None
    """Controls of the simulated table."""
    notices: tuple[str, ...] = field(default=())
    """Latest notices for hosts, one line each."""
    noticed: int = 0
    """Number of notices so far, by which a repeated one differs from an old one."""
    settings: GameSettings | None = None
    """The host's settings; None without a game."""
    comparison: ComparisonView | None = None
    """None while the whole table cannot be read, or no game is played."""
    seatings: tuple[tuple[float, ...], ...] = EVENLY
    """Seat angles for each number of players: degrees clockwise from the sheet's bottom edge."""


@dataclass(frozen=True, slots=True)
class Option:
    """A move that a player may make now, with its line."""

    move: Any
    """The move."""
    text: str
    """The move as a line."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game on disk."""

    id: str
    """Id of the saved game."""
    game: str
    """Id of the game that is played."""
    seats: tuple[SeatView, ...]
    """The players."""
    stage: Stage
    """How far the game is."""
    played: str
    """Time of its latest entry, ISO 8601 with time zone."""


class Refused(Exception):
    """A refused command; nothing has changed. `code` is for screens, the text for people.

    Codes: "stale" (made for an older state: refresh), "illegal" (the rules), "not_now" (not possible now),
    "not_allowed" (reserved for another role), "bad_request" (malformed), "doubtful" (possible if it is asked for
    once more, with `force`).
    """

    def __init__(
        self, code: Literal["stale", "illegal", "not_now", "not_allowed", "bad_request", "doubtful"], message: str
    ) -> None:
        super().__init__(message)
        self.code = code
