"""Readings of personal boards: what one picture shows, as frozen values like those of `vision.readings`.

Boxes are (x, y, width, height) and corners (x, y), in px of the given picture. Probabilities are 0..1. A token is
named by its colour; None is an empty spot. A reading that needs confirmation holds the most probable answer, and a
reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from calibration.seats import Seating
from calibration.translatable import Line, say
from vision.games.wicked.display_names import named
from vision.readings import Box, Point


@dataclass(frozen=True, slots=True)
class TokenGuess:
    """One possible content of a spot."""

    token: str | None
    """Colour of the token, None for an empty spot."""
    confidence: float
    """Probability, 0..1."""


@dataclass(frozen=True, slots=True)
class SpotReading:
    """Reading of one spot."""

    rank: str
    """Rank of the row."""
    index: int
    """Position in the row, from the left, starting at 0."""
    token: str | None
    """Most probable token, None for none."""
    confidence: float
    """Probability of `token`, 0..1."""
    box: Box
    """Bounding box, px."""
    reason: str = ""
    """Why the spot needs confirmation, "" where it does not."""
    alternatives: tuple[TokenGuess, ...] = ()
    """Other possible tokens."""

    @property
    def name(self) -> Line:
        """Display name: "low 3" is the third spot from the left of the low row."""
        return say("{rank} {number}", rank=named(self.rank), number=self.index + 1)

    @property
    def question(self) -> str:
        """Sentence that asks users for confirmation; "" where none is needed."""
        return say("Look at the spot {spot}: {why}.", spot=self.name, why=self.reason) if self.reason else ""


@dataclass(frozen=True, slots=True)
class SpaceReading:
    """Reading of one spell's space."""

    spell: str
    """Name of the spell."""
    pieces: int
    """Number of pieces on the space."""
    confidence: float
    """Probability of that number, 0..1."""
    box: Box
    """Bounding box, px."""
    reason: str = ""
    """Why the space needs confirmation, "" where it does not."""
    alternatives: tuple[tuple[int, float], ...] = ()
    """Other possible numbers with their probabilities."""

    @property
    def question(self) -> str:
        """Sentence that asks users for confirmation; "" where none is needed."""
        if not self.reason:
            return ""
        return say("Look at the pieces on the {spell} space: {why}.", spell=named(self.spell), why=self.reason)


@dataclass(frozen=True, slots=True)
class GreatReading:
    """Reading of one great oracle card beside the board."""

    card: str
    """Name of the card in the deck."""
    achieved: bool
    """Whether two tokens lie on the card."""
    tokens: tuple[str, ...]
    """Colours of the tokens on it."""
    confidence: float
    """Probability of the reading, 0..1."""
    corners: tuple[Point, Point, Point, Point]
    """Corners, px, clockwise from the card's own top left."""
    reason: str = ""
    """Why the card needs confirmation, "" where it does not."""

    @property
    def question(self) -> str:
        """Sentence that asks users for confirmation; "" where none is needed."""
        return say("Look at the card {card}: {why}.", card=self.card, why=self.reason) if self.reason else ""


@dataclass(frozen=True, slots=True)
class SmallReading:
    """Reading of the small oracle cards beside the board."""

    achieved: int = 0
    """Number of cards that lie face down."""
    open: tuple[str, ...] = ()
    """Names of the cards that lie face up."""
    confidence: float = 1.0
    """Probability of the reading, 0..1."""
    reason: str = ""
    """Why the cards need confirmation, "" where they do not."""

    @property
    def question(self) -> str:
        """Sentence that asks users for confirmation; "" where none is needed."""
        return say("Look at the small oracle cards: {why}.", why=self.reason) if self.reason else ""


@dataclass(frozen=True, slots=True)
class ImpurityReading:
    """Reading of the impurity beside the board."""

    points: int = 0
    """Sum of the tiles' points."""
    tiles: Mapping[int, int] = field(default_factory=dict)
    """Number of tiles by their points."""
    confidence: float = 1.0
    """Probability of the reading, 0..1."""
    boxes: tuple[Box, ...] = ()
    """Bounding box of each tile, px."""
    reason: str = ""
    """Why the impurity needs confirmation, "" where it does not."""
    alternatives: tuple[tuple[int, float], ...] = ()
    """Other possible points with their probabilities, where only the number is uncertain."""

    @property
    def question(self) -> str:
        """Sentence that asks users for confirmation; "" where none is needed."""
        return say("Look at the impurity beside this board: {why}.", why=self.reason) if self.reason else ""


@dataclass(frozen=True, slots=True)
class BoardReading:
    """Reading of one personal board."""

    board: str
    """Name of the enrolled board."""
    seat: int | None
    """Seat in whose sector of the table it lies, None where the table is unknown."""
    spots: tuple[SpotReading, ...]
    """Spots of all ranks."""
    spaces: tuple[SpaceReading, ...]
    """Spaces of all spells."""
    great: tuple[GreatReading, ...]
    """Great oracle cards."""
    small: SmallReading
    """Small oracle cards."""
    impurity: ImpurityReading
    """Impurity."""
    confidence: float
    """Probability that all of it is right, 0..1."""
    box: Box
    """Bounding box, px."""
    corners: tuple[Point, Point, Point, Point]
    """Corners, px."""
    reasons: tuple[str, ...] = ()
    """Why the board needs confirmation, one sentence for users each; empty where the reading can be accepted."""
    whole: tuple[str, ...] = ()
    """Those of the reasons that concern the whole board instead of a single spot, space or card."""

    @property
    def doubtful(self) -> bool:
        """Whether anything on the board needs confirmation."""
        return bool(self.reasons)

    def tokens(self, rank: str) -> tuple[str, ...]:
        """Return the colours of a rank's tokens, from left to right."""
        return tuple(spot.token for spot in self.spots if spot.rank == rank and spot.token is not None)


@dataclass(frozen=True, slots=True)
class BoardsReading:
    """All boards of one picture."""

    boards: tuple[BoardReading, ...]
    """Readings, in seat order where seats are known."""
    problems: tuple[str, ...] = ()
    """Messages for users about the picture as a whole."""
    milliseconds: float = 0.0
    """Processing time."""


@dataclass(frozen=True, slots=True)
class BoardExpectation:
    """What should lie beside the boards, and where the seats are, as the game expects it."""

    seats: int | None = None
    """Number of boards in a picture of the whole table, None where unknown."""
    great: int | None = None
    """Number of great oracle cards beside each board."""
    small: int | None = None
    """Number of small oracle cards beside each board."""
    players: int | None = None
    """Number of players at the table; None: the profile's."""
    seating: Seating | None = None
    """Seat positions; None: the profile's."""


def card_count_message(kind: str, found: int, wanted: int) -> Line:
    """Return the message for users about too few or too many oracle cards beside a board.

    kind: "great" or "small". found, wanted: their detected and expected number.
    """
    return say(
        "{found} of {wanted} {kind} oracle cards were found beside this board: lay them there, in view.",
        found=found,
        wanted=wanted,
        kind=named(kind),
    )
