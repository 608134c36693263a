"""Everything that players choose, as plain values: a journal of moves is the whole game.

Players are named by seat: `player` is an index into `State.players`. Every move carries a `type` by which JSON
distinguishes moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.wicked.components import Colour, CorridorCard, GreatOracle, Rank, SmallOracle


@dataclass(frozen=True, slots=True)
class Hand:
    """What one player reveals at a corridor: search pieces of their own colour and signs (W2)."""

    search: int = 0
    """Number of search pieces."""
    witch: int = 0
    """Number of witch's signs."""
    soul: int = 0
    """Number of soul's signs."""


@dataclass(frozen=True, slots=True)
class DealOracles:
    """The oracle cards that lie before each player at the start, by seat: two great, two small ids.

    Where all are empty, the cards are entered later, one by one (`NameOracle`).
    """

    great: tuple[tuple[str, ...], ...]
    """Ids of great oracles, by seat."""
    small: tuple[tuple[str, ...], ...]
    """Ids of small oracles, by seat."""
    type: Literal["deal"] = "deal"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class Lay:
    """The corridor cards of this round (W1)."""

    cards: tuple[str, ...]
    """Ids, clockwise from the card above the witch's head."""
    described: tuple[CorridorCard, ...] = ()
    """Those cards that the deck does not contain yet, with their content; a card without elements gives nothing."""
    type: Literal["lay"] = "lay"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Everybody's opened hand at the current corridor (W2)."""

    hands: tuple[Hand, ...]
    """By seat."""
    type: Literal["reveal"] = "reveal"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class ChooseColours:
    """The colours that a player takes for the white fragments gained, in any order (W5, W6)."""

    player: int
    """Seat of the player who makes it."""
    colours: tuple[Colour, ...]
    """One for each white fragment."""
    type: Literal["choose_colours"] = "choose_colours"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class KeepTokens:
    """The six low tokens that a player keeps of old and new ones, in any order (W7)."""

    player: int
    """Seat of the player who makes it."""
    keep: tuple[Colour, ...]
    """Colours of the six tokens."""
    type: Literal["keep_tokens"] = "keep_tokens"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class Lift:
    """One token moves up a rank (W11)."""

    colour: Colour
    """Colour of the token."""
    rank: Rank
    """Rank that it leaves."""
    displaced: Colour | None = None
    """Colour of the token that goes back where the next rank is full."""


@dataclass(frozen=True, slots=True)
class Promote:
    """Normal promotion: two alike tokens, one moves up, the other goes back (W9)."""

    player: int
    """Seat of the player who makes it."""
    lift: Lift
    """The token that moves up."""
    type: Literal["promote"] = "promote"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class CastPromotion:
    """Spend a promotion spell on one token (W10)."""

    player: int
    """Seat of the player who makes it."""
    lift: Lift | None
    """The token that moves up; None, for no effect, is allowed only if no token can rise."""
    type: Literal["cast_promotion"] = "cast_promotion"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class Swap:
    """One token on the board changes its colour and keeps its rank (W12)."""

    rank: Rank
    """Rank of the token."""
    old: Colour
    """Its colour before."""
    new: Colour
    """Its colour after."""


@dataclass(frozen=True, slots=True)
class CastColourChange:
    """Spend a colour-change spell on one token (W12)."""

    player: int
    """Seat of the player who makes it."""
    swap: Swap | None
    """The change; None for no effect."""
    type: Literal["cast_colour_change"] = "cast_colour_change"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class AchieveSmall:
    """Achieve a small oracle and take its reward at once (W13)."""

    player: int
    """Seat of the player who makes it."""
    card: str
    """Id of the oracle."""
    colours: tuple[Colour, ...] = ()
    """Chosen for white rewards."""
    keep: tuple[Colour, ...] | None = None
    """Colours of the six low tokens kept, only where the row overflows (W7)."""
    lift: Lift | None = None
    """The promotion of a promotion reward; None where none is possible."""
    type: Literal["achieve_small"] = "achieve_small"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class AchieveGreat:
    """Move two high tokens of the shown colours from the board onto a great oracle (W14)."""

    player: int
    """Seat of the player who makes it."""
    card: str
    """Id of the oracle."""
    type: Literal["achieve_great"] = "achieve_great"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class NameOracle:
    """An oracle card of a player that was not entered when it was dealt."""

    player: int
    """Seat of the player who makes it."""
    card: str
    """Id of the oracle."""
    described: GreatOracle | SmallOracle | None = None
    """Its content, where the deck does not contain it; its id is `card`."""
    type: Literal["name_oracle"] = "name_oracle"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class FinishSoul:
    """A player is done with this soul phase; unspent spells go without effect (W15)."""

    player: int
    """Seat of the player who makes it."""
    type: Literal["finish_soul"] = "finish_soul"
    """Tag of the move in JSON."""


Move = (
    DealOracles
    | Lay
    | Reveal
    | ChooseColours
    | KeepTokens
    | Promote
    | CastPromotion
    | CastColourChange
    | AchieveSmall
    | AchieveGreat
    | NameOracle
    | FinishSoul
)
"""Any move."""


def acting_player(move: Move) -> int | None:
    """Return the seat whose choice a move is; None for a move of the whole table."""
    return None if isinstance(move, (DealOracles, Lay, Reveal)) else move.player
