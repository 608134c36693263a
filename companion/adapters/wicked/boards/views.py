"""What screens show of everybody's boards as the camera sees them: frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.wicked.moves import Move


@dataclass(frozen=True, slots=True)
class BoardDifference:
    """Something that the camera sees otherwise than the journal has it, in a plain sentence.

    seat: None for a board that nobody plays with; doubtful: the camera is not sure; entry: of the move that changed
    it last, where it can be put right, None where no move did.
    """

    seat: int | None
    text: str
    doubtful: bool = False
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class BoardCorrection:
    """A correction by which the journal has the impurity that is seen, in a sentence; entries: that it changes."""

    text: str
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """One way to take a player's soul phase: moves, each in plain words too, and what would have been misread."""

    moves: tuple[Move, ...]
    told: tuple[str, ...]
    misread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardSouls:
    """What a player has done with the souls: ways to take it, likeliest first, and what is to be asked."""

    seat: int
    choices: tuple[BoardChoice, ...]
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardPoints:
    """A player's final points by the camera, and by the journal; see
    `companion.adapters.wicked.boards.audit.SeatPoints`."""

    seat: int
    seen: int | None
    kept: int
    possible: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class BoardsView:
    """Everybody's boards as read last, held against the game where it stands.

    id: names the reading, "" while there is none; number: the state that it is held against. reading: a picture is
    being read; asked: the next picture that rests will be. souls: by seat, in the soul phase only; certain ones are
    entered by themselves (`due`) once `seconds_left` has run out and a new picture confirms them, unless somebody
    holds them (`held`). problems: what is wrong
    with the picture. points, verdict: the final score by the camera, once the game is over. redo: the soul phase
    that has just ended can be taken anew as it is seen. corrections: of which each alone gives the journal the
    impurity that is seen. trouble: why boards could not be read, or are read again.
    """

    id: str = ""
    number: int = 0
    reading: bool = False
    asked: bool = False
    souls: tuple[BoardSouls, ...] = ()
    certain: bool = False
    held: bool = False
    due: bool = False
    seconds_left: float = 0.0
    differences: tuple[BoardDifference, ...] = ()
    problems: tuple[str, ...] = ()
    points: tuple[BoardPoints, ...] = ()
    verdict: str = ""
    redo: bool = False
    corrections: tuple[BoardCorrection, ...] = ()
    trouble: str = ""
    milliseconds: float = 0.0
