"""Views of the personal boards as read, for screens: frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.wicked.moves import Move


@dataclass(frozen=True, slots=True)
class BoardDifference:
    """A difference between the camera's reading and the journal, as a sentence."""

    seat: int | None
    """None for a board that nobody plays with."""
    text: str
    doubtful: bool = False
    """The reading is doubtful there."""
    entry: int | None = None
    """Entry that changed it last, where it can be corrected; None where none did."""


@dataclass(frozen=True, slots=True)
class BoardCorrection:
    """A correction by which the journal's impurity becomes as read, as a sentence."""

    text: str
    entries: tuple[int, ...]
    """Entries that it changes."""


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """Moves of a player's soul phase that lead to the board as read."""

    moves: tuple[Move, ...]
    told: tuple[str, ...]
    """Each move as a line."""
    misread: tuple[str, ...] = ()
    """What would have been misread if these moves are true."""


@dataclass(frozen=True, slots=True)
class BoardSouls:
    """The proposed soul phase of one player."""

    seat: int
    choices: tuple[BoardChoice, ...]
    """Likeliest first."""
    doubts: tuple[str, ...] = ()
    """Questions for the player."""


@dataclass(frozen=True, slots=True)
class BoardPoints:
    """A player's final points by the camera and by the journal; see `SeatPoints`."""

    seat: int
    seen: int | None
    kept: int
    possible: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class BoardsView:
    """The latest reading of all boards, compared with the present state of the game."""

    id: str = ""
    """Id of the reading, "" where there is none."""
    number: int = 0
    """Number of the state that it is compared with."""
    reading: bool = False
    """A picture is being read."""
    asked: bool = False
    """The next still picture will be read."""
    souls: tuple[BoardSouls, ...] = ()
    """By seat, in the soul phase only."""
    certain: bool = False
    """They may be entered without confirmation."""
    held: bool = False
    """A person stopped the countdown."""
    due: bool = False
    """They are entered after `seconds_left`, once a new picture confirms them."""
    seconds_left: float = 0.0
    differences: tuple[BoardDifference, ...] = ()
    problems: tuple[str, ...] = ()
    """Problems of the picture."""
    points: tuple[BoardPoints, ...] = ()
    """Final points, once the game is over."""
    verdict: str = ""
    """Final score by the camera, once the game is over."""
    redo: bool = False
    """The soul phase that has just ended can be replaced by the one that was read."""
    corrections: tuple[BoardCorrection, ...] = ()
    """Each alone makes the journal's impurity as read."""
    trouble: str = ""
    """Why boards could not be read, or are read again; "" otherwise."""
    milliseconds: float = 0.0
