"""The state of one game as a frozen value: what lies on the table and what everybody still holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from companion.games.wicked.components import COLOURS, RANKS, Colour, Deck, Element, PlayerColour, Rank
from companion.games.wicked.moves import Hand

Phase = Literal["deal", "lay", "search", "gain", "soul", "over"]
"""deal: oracles are not known yet; lay: this round's corridors are not; gain: somebody still has to choose."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A multiset of soul fragment tokens of one rank."""

    red: int = 0
    green: int = 0
    blue: int = 0
    yellow: int = 0

    @staticmethod
    def of(colours: Iterable[Colour]) -> Tokens:
        """Count tokens given colour by colour, in any order."""
        listed = tuple(colours)
        return Tokens(*(listed.count(colour) for colour in COLOURS))

    @property
    def total(self) -> int:
        """How many tokens there are."""
        return self.red + self.green + self.blue + self.yellow

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Every token's colour, in the order of COLOURS."""
        return tuple(colour for colour in COLOURS for _ in range(self[colour]))

    def __getitem__(self, colour: Colour) -> int:
        count: int = getattr(self, colour)
        return count

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.red + other.red, self.green + other.green, self.blue + other.blue, self.yellow + other.yellow
        )

    def __sub__(self, other: Tokens) -> Tokens:
        """Take tokens away; the caller knows that they are there."""
        return Tokens(
            self.red - other.red, self.green - other.green, self.blue - other.blue, self.yellow - other.yellow
        )

    def holds(self, other: Tokens) -> bool:
        """Tell whether all of `other` are among these."""
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
    colours: tuple[Colour, Colour]


@dataclass(frozen=True, slots=True)
class PendingChoice:
    """What a player must still choose: colours for so many white fragments, or which six low tokens to keep.

    gained: low tokens gained at this corridor that are not on the board yet (whites come in once coloured).
    """

    whites: int = 0
    gained: Tokens = field(default_factory=Tokens)


@dataclass(frozen=True, slots=True)
class Player:
    """One player's open area and what is left behind the screen.

    held: pieces not yet revealed in this round; promotion and colour_change: spells on the board, each
    marked by one of the player's own revealed search pieces (W8); impurity: in points; great and small: ids
    of the oracle cards not achieved yet, which move to `achieved_great` and `achieved_small`.
    """

    colour: PlayerColour
    held: Hand
    low: Tokens = field(default_factory=Tokens)
    middle: Tokens = field(default_factory=Tokens)
    high: Tokens = field(default_factory=Tokens)
    promotion: int = 0
    colour_change: int = 0
    impurity: int = 0
    great: tuple[str, ...] = ()
    small: tuple[str, ...] = ()
    achieved_great: tuple[AchievedGreat, ...] = ()
    achieved_small: tuple[str, ...] = ()
    pending: PendingChoice | None = None
    finished: bool = False

    def row(self, rank: Rank) -> Tokens:
        """Return the tokens of one rank on the board (those on great oracle cards are not there)."""
        tokens: Tokens = getattr(self, rank)
        return tokens

    def lies_like(self, other: Player) -> bool:
        """Tell whether tokens and oracle cards lie alike, in whatever order they came there."""
        rows = all(self.row(rank) == other.row(rank) for rank in RANKS)
        return rows and (set(self.great), set(self.small)) == (set(other.great), set(other.small))


Place = Literal["first", "second"]


@dataclass(frozen=True, slots=True)
class Gain:
    """What one player gains at a corridor, before choices: signs first, then the card (W6)."""

    place: Place
    impurity: int
    sign_elements: tuple[Element, ...]
    card_elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class RankingOutcome:
    """What a reveal led to: ranks (W4) and gains by seat; `reasons` has one short code a seat.

    Reason codes: "most", "tie_for_most", "second_most", "behind_a_tie", "too_few", "no_search_piece".
    """

    card: str
    hands: tuple[Hand, ...]
    gains: tuple[Gain | None, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A whole game. `apply` never changes one, it returns the next.

    corridors: ids of this round's cards clockwise from the witch's head; `corridor` is the index of the one
    searched now, and those before it lie face down. pile: the hidden order of the corridor cards still to
    come, where the engine shuffled (a seed was given), or None where the cards come from a real table.
    used: ids of corridor cards of earlier rounds. outcome: of the latest reveal, None before the first.
    """

    deck: Deck
    players: tuple[Player, ...]
    phase: Phase
    round: int = 1
    corridors: tuple[str, ...] = ()
    corridor: int = 0
    used: tuple[str, ...] = ()
    pile: tuple[str, ...] | None = None
    outcome: RankingOutcome | None = None
