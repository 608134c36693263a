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
    witch: int = 0
    soul: int = 0


@dataclass(frozen=True, slots=True)
class Deal:
    """The oracle cards that lie before each player at the start, by seat: two great, two small ids.

    Where all are empty, the cards are entered later, one by one (`NameOracle`).
    """

    great: tuple[tuple[str, ...], ...]
    small: tuple[tuple[str, ...], ...]
    type: Literal["deal"] = "deal"


@dataclass(frozen=True, slots=True)
class Lay:
    """The corridor cards of this round, clockwise from the one above the witch's head (W1).

    described: those of them that the deck does not contain yet; one without elements gives nothing.
    """

    cards: tuple[str, ...]
    described: tuple[CorridorCard, ...] = ()
    type: Literal["lay"] = "lay"


@dataclass(frozen=True, slots=True)
class Reveal:
    """Everybody's opened hand at the current corridor, by seat (W2)."""

    hands: tuple[Hand, ...]
    type: Literal["reveal"] = "reveal"


@dataclass(frozen=True, slots=True)
class ChooseColours:
    """The colours that a player takes for the white fragments gained, in any order (W5, W6)."""

    player: int
    colours: tuple[Colour, ...]
    type: Literal["choose_colours"] = "choose_colours"


@dataclass(frozen=True, slots=True)
class KeepTokens:
    """The six low tokens that a player keeps of old and new ones, in any order (W7)."""

    player: int
    keep: tuple[Colour, ...]
    type: Literal["keep_tokens"] = "keep_tokens"


@dataclass(frozen=True, slots=True)
class Lift:
    """One token moves up from `rank`; where the next rank is full, `displaced` goes back (W11)."""

    colour: Colour
    rank: Rank
    displaced: Colour | None = None


@dataclass(frozen=True, slots=True)
class Promote:
    """Normal promotion: two alike tokens, one moves up, the other goes back (W9)."""

    player: int
    lift: Lift
    type: Literal["promote"] = "promote"


@dataclass(frozen=True, slots=True)
class CastPromotion:
    """Spend a promotion spell on one token; None, allowed only if no token can rise, has no effect (W10)."""

    player: int
    lift: Lift | None
    type: Literal["cast_promotion"] = "cast_promotion"


@dataclass(frozen=True, slots=True)
class Swap:
    """One token on the board changes its colour and keeps its rank (W12)."""

    rank: Rank
    old: Colour
    new: Colour


@dataclass(frozen=True, slots=True)
class CastColourChange:
    """Spend a colour-change spell on one token, or None for no effect (W12)."""

    player: int
    swap: Swap | None
    type: Literal["cast_colour_change"] = "cast_colour_change"


@dataclass(frozen=True, slots=True)
class AchieveSmall:
    """Achieve a small oracle and take its reward at once (W13).

    colours: chosen for white rewards; keep: the six low tokens kept, only where the row overflows (W7);
    lift: the promotion of a promotion reward, None where none is possible.
    """

    player: int
    card: str
    colours: tuple[Colour, ...] = ()
    keep: tuple[Colour, ...] | None = None
    lift: Lift | None = None
    type: Literal["achieve_small"] = "achieve_small"


@dataclass(frozen=True, slots=True)
class AchieveGreat:
    """Move two high tokens of the shown colours from the board onto a great oracle (W14)."""

    player: int
    card: str
    type: Literal["achieve_great"] = "achieve_great"


@dataclass(frozen=True, slots=True)
class NameOracle:
    """An oracle card of a player that was not entered when it was dealt.

    described: its content, where the deck does not contain it; its id is `card`.
    """

    player: int
    card: str
    described: GreatOracle | SmallOracle | None = None
    type: Literal["name_oracle"] = "name_oracle"


@dataclass(frozen=True, slots=True)
class FinishSoul:
    """A player is done with this soul phase; unspent spells go without effect (W15)."""

    player: int
    type: Literal["finish_soul"] = "finish_soul"


Move = (
    Deal
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
    return None if isinstance(move, (Deal, Lay, Reveal)) else move.player
