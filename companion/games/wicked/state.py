"""The state of one game as a frozen value: what lies on the table and what everybody still holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from companion.games.wicked.components import COLOURS, RANKS, Colour, Deck, Element, PlayerColour, Rank
from companion.games.wicked.moves import Hand

Phase = Literal["deal", "lay", "search", "gain", "soul", "over"]
"""What comes next.

deal: oracle cards are dealt; lay: the corridors of the round are laid; search: hands are revealed; gain: a player
chooses what to take; soul: tokens are promoted and oracles achieved; over: nothing.
"""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A multiset of soul fragment tokens of one rank."""

    red: int = 0
    """Number of red tokens."""
    green: int = 0
    """Number of green tokens."""
    blue: int = 0
    """Number of blue tokens."""
    yellow: int = 0
    """Number of yellow tokens."""

    @staticmethod
    def of(colours: Iterable[Colour]) -> Tokens:
        """Return tokens as counts by colour. colours: the colour of each token, in any order."""
        listed = tuple(colours)
        return Tokens(*(listed.count(colour) for colour in COLOURS))

    @property
    def total(self) -> int:
        """The number of tokens."""
        return self.red + self.green + self.blue + self.yellow

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colour of every token, in the order of COLOURS."""
        return tuple(colour for colour in COLOURS for _ in range(self[colour]))

    def __getitem__(self, colour: Colour) -> int:
        count: int = getattr(self, colour)
        return count

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.red + other.red, self.green + other.green, self.blue + other.blue, self.yellow + other.yellow
        )

    def __sub__(self, other: Tokens) -> Tokens:
        """Return these tokens without the other ones, which must be among them; this is not checked."""
        return Tokens(
            self.red - other.red, self.green - other.green, self.blue - other.blue, self.yellow - other.yellow
        )

    def holds(self, other: Tokens) -> bool:
        """Return whether there are at least as many tokens of each colour as in `other`."""
        return (
            self.red >= other.red
            and self.green >= other.green
            and self.blue >= other.blue
            and self.yellow >= other.yellow
        )


ONE: dict[Colour, Tokens] = {colour: Tokens.of((colour,)) for colour in COLOURS}
"""One token of each colour."""


@dataclass(frozen=True, slots=True)
class AchievedGreat:
    """A great oracle with its two high tokens on it."""

    card: str
    """Id of the oracle."""
    colours: tuple[Colour, Colour]
    """Colours of the tokens."""


@dataclass(frozen=True, slots=True)
class PendingChoice:
    """A choice that a player still has to make: colours for white fragments, or which six low tokens to keep."""

    whites: int = 0
    """White fragments that need a colour."""
    gained: Tokens = field(default_factory=Tokens)
    """Low tokens gained at this corridor that are not on the board yet."""


@dataclass(frozen=True, slots=True)
class WickedPlayer:
    """What one player has: the visible board and cards, and the pieces hidden behind the player's screen."""

    colour: PlayerColour
    """Colour of the player's pieces and board."""
    held: Hand
    """Pieces not yet revealed in this round."""
    low: Tokens = field(default_factory=Tokens)
    """Low tokens on the board."""
    middle: Tokens = field(default_factory=Tokens)
    """Middle tokens on the board."""
    high: Tokens = field(default_factory=Tokens)
    """High tokens on the board."""
    promotion: int = 0
    """Promotion spells on the board, each marked by a revealed search piece (W8)."""
    colour_change: int = 0
    """Colour-change spells on the board, each marked by a revealed search piece (W8)."""
    impurity: int = 0
    """Points."""
    great: tuple[str, ...] = ()
    """Ids of great oracles not achieved yet."""
    small: tuple[str, ...] = ()
    """Ids of small oracles not achieved yet."""
    achieved_great: tuple[AchievedGreat, ...] = ()
    """Great oracles achieved."""
    achieved_small: tuple[str, ...] = ()
    """Ids of small oracles achieved."""
    pending: PendingChoice | None = None
    """What the player has to choose before the game goes on; None for nothing."""
    finished: bool = False
    """Whether the player is done with this soul phase."""

    def row(self, rank: Rank) -> Tokens:
        """Return the tokens of one rank on the board, without those on great oracle cards."""
        tokens: Tokens = getattr(self, rank)
        return tokens

    def has_same_board_as(self, other: WickedPlayer) -> bool:
        """Return whether another player has the same tokens and the same open oracle cards, in any order."""
        rows = all(self.row(rank) == other.row(rank) for rank in RANKS)
        return rows and (set(self.great), set(self.small)) == (set(other.great), set(other.small))


Place = Literal["first", "second"]
"""Rank at a corridor."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What one player gains at a corridor, before choices (W6)."""

    place: Place
    """Rank at the corridor, first or second."""
    impurity: int
    """Points."""
    sign_elements: tuple[Element, ...]
    """Elements gained by signs, which come first."""
    card_elements: tuple[Element, ...]
    """Elements gained from the corridor card."""


@dataclass(frozen=True, slots=True)
class RankingOutcome:
    """What a reveal leads to: ranks (W4) and gains by seat."""

    card: str
    """Id of the corridor card."""
    hands: tuple[Hand, ...]
    """Revealed hands, by seat."""
    gains: tuple[Gain | None, ...]
    """By seat; None for players without a rank."""
    reasons: tuple[str, ...]
    """One code a seat: most, tie_for_most, second_most, behind_a_tie, too_few, no_search_piece."""


@dataclass(frozen=True, slots=True)
class WickedState:
    """The state of a whole game. `apply` never changes it but returns the next one."""

    deck: Deck
    """All cards of the game."""
    players: tuple[WickedPlayer, ...]
    """By seat."""
    phase: Phase
    """What has to be done next."""
    round: int = 1
    """Number of the round, from 1."""
    corridors: tuple[str, ...] = ()
    """Ids of this round's cards, clockwise from the witch's head."""
    corridor: int = 0
    """Index in `corridors` of the one that is searched now; those before it lie face down."""
    used: tuple[str, ...] = ()
    """Ids of the corridor cards of earlier rounds."""
    pile: tuple[str, ...] | None = None
    """Hidden order of the corridor cards to come, where the engine shuffled; None at a real table."""
    outcome: RankingOutcome | None = None
    """Ranks and gains of the latest reveal; None before the first."""
