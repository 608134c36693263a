"""What vision says about personal boards: frozen values, in the manner of `vision.readings`.

Boxes are (x, y, width, height) and corners (x, y), in pixels of the given picture. Probabilities are 0..1. A token
is named by its colour, None is an empty spot. What is doubtful is to be asked about, never taken silently; the
likeliest answer stands there all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from calibration.seats import Seating
from calibration.wording import Line, say
from vision.boards.words import named
from vision.readings import Box, Point


@dataclass(frozen=True, slots=True)
class TokenGuess:
    """What a spot may hold (a colour, None: nothing), and how likely that is."""

    token: str | None
    confidence: float


@dataclass(frozen=True, slots=True)
class SpotReading:
    """One spot: its rank and place in the row, from the left; its token; why it is doubtful, "" where it is not."""

    rank: str
    index: int
    token: str | None
    confidence: float
    box: Box
    reason: str = ""
    alternatives: tuple[TokenGuess, ...] = ()

    @property
    def name(self) -> Line:
        """What people call it: "low 3" is the third from the left of the low row."""
        return say("{rank} {number}", rank=named(self.rank), number=self.index + 1)

    @property
    def question(self) -> str:
        """What is to be asked about it, in a line; "" where nothing is."""
        return say("Look at the spot {spot}: {why}.", spot=self.name, why=self.reason) if self.reason else ""


@dataclass(frozen=True, slots=True)
class SpaceReading:
    """One spell's space: how many pieces mark it; other numbers that it may be with their chances."""

    spell: str
    pieces: int
    confidence: float
    box: Box
    reason: str = ""
    alternatives: tuple[tuple[int, float], ...] = ()

    @property
    def question(self) -> str:
        """What is to be asked about it, in a line; "" where nothing is."""
        if not self.reason:
            return ""
        return say("Look at the pieces on the {spell} space: {why}.", spell=named(self.spell), why=self.reason)


@dataclass(frozen=True, slots=True)
class GreatReading:
    """One great oracle card beside the board: achieved with two tokens on it, whose colours are told."""

    card: str
    achieved: bool
    tokens: tuple[str, ...]
    confidence: float
    corners: tuple[Point, Point, Point, Point]
    reason: str = ""

    @property
    def question(self) -> str:
        """What is to be asked about it, in a line; "" where nothing is."""
        return say("Look at the card {card}: {why}.", card=self.card, why=self.reason) if self.reason else ""


@dataclass(frozen=True, slots=True)
class SmallReading:
    """The small oracle cards beside the board: how many lie face down, and the names of those that do not."""

    achieved: int = 0
    open: tuple[str, ...] = ()
    confidence: float = 1.0
    reason: str = ""

    @property
    def question(self) -> str:
        """What is to be asked about them, in a line; "" where nothing is."""
        return say("Look at the small oracle cards: {why}.", why=self.reason) if self.reason else ""


@dataclass(frozen=True, slots=True)
class ImpurityReading:
    """The impurity beside the board: points, and tiles by what they count.

    alternatives: where only the number is in doubt, all others that it may be with their chances.
    """

    points: int = 0
    tiles: Mapping[int, int] = field(default_factory=dict)
    confidence: float = 1.0
    boxes: tuple[Box, ...] = ()
    reason: str = ""
    alternatives: tuple[tuple[int, float], ...] = ()

    @property
    def question(self) -> str:
        """What is to be asked about it, in a line; "" where nothing is."""
        return say("Look at the impurity beside this board: {why}.", why=self.reason) if self.reason else ""


@dataclass(frozen=True, slots=True)
class BoardReading:
    """One personal board.

    board: the enrolled one it is; seat: whose sector of the table it lies in, None where the table is not known.
    confidence: probability that all of it is right. reasons: what is doubtful, a plain line each; it may be taken
    where there are none. whole: those reasons that are about no single spot, space or card.
    """

    board: str
    seat: int | None
    spots: tuple[SpotReading, ...]
    spaces: tuple[SpaceReading, ...]
    great: tuple[GreatReading, ...]
    small: SmallReading
    impurity: ImpurityReading
    confidence: float
    box: Box
    corners: tuple[Point, Point, Point, Point]
    reasons: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether anything of it is to be asked about."""
        return bool(self.reasons)

    def tokens(self, rank: str) -> tuple[str, ...]:
        """Give the colours of a rank's tokens, from left to right."""
        return tuple(spot.token for spot in self.spots if spot.rank == rank and spot.token is not None)


@dataclass(frozen=True, slots=True)
class BoardsReading:
    """All boards of one picture, in seat order where seats are known. problems: what is wrong with the picture."""

    boards: tuple[BoardReading, ...]
    problems: tuple[str, ...] = ()
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class BoardExpectation:
    """What lies beside each board, a hint from above that vision can use without knowing a rule.

    seats: how many boards a picture of the whole table shows, None where that is not known; great, small: how many
    oracle cards lie beside each board. players: how many sit round the table, the profile's number when None.
    seating: where they sit, as the profile has it when None.
    """

    seats: int | None = None
    great: int | None = None
    small: int | None = None
    players: int | None = None
    seating: Seating | None = None


def cards_seen(kind: str, found: int, wanted: int) -> Line:
    """Say that too few or too many oracle cards of a kind ("great" or "small") are seen beside a board."""
    return say(
        "{found} of {wanted} {kind} oracle cards are seen beside this board: lay them there, in view.",
        found=found,
        wanted=wanted,
        kind=named(kind),
    )
