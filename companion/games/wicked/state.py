"""The state of one game as a frozen value: what lies on the table and what everybody still holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from companion.games.wicked.components import Colour, Deck, Element, PlayerColour
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


@dataclass(frozen=True, slots=True)
class AchievedGreat:
    """A great oracle with its two high tokens on it."""

    card: str
    colours: tuple[Colour, Colour]


@dataclass(frozen=True, slots=True)
class Pending:
    """What a player must still choose: colours for so many white fragments, or which six low tokens to keep.

    gained: low tokens gained at this corridor that are not on the board yet (whites come in once coloured).
    """

    whites: int = 0
    gained: Tokens = field(default_factory=Tokens)


@dataclass(frozen=True, slots=True)
class Player:
    """One player's open area and what is left behind the screen.

    held: pieces not yet revealed in this round; promotion and colour_change: spells on the board, each
    marked by one of the player's own revealed search pieces (W8); impurity: in points.
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
    pending: Pending | None = None
    finished: bool = False


Place = Literal["first", "second"]


@dataclass(frozen=True, slots=True)
class Gain:
    """What one player gains at a corridor, before choices: signs first, then the card (W6)."""

    place: Place
    impurity: int
    sign_elements: tuple[Element, ...]
    card_elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
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
    outcome: Outcome | None = None


