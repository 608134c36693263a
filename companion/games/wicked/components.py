"""The contents of the box: colours, ranks, cards, decks and the numbers of pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

Colour = Literal["red", "green", "blue", "yellow"]
"""Colour of a soul fragment token."""

PlayerColour = Literal["purple", "green", "red", "black", "yellow"]
"""Colour of a player's search pieces: wolf, rabbit, eagle, cat, sheep."""

Element = Literal["red", "green", "blue", "yellow", "white", "promotion", "colour_change"]
"""What half a corridor card shows: a soul fragment (white is any of the four) or a spell."""

Rank = Literal["low", "middle", "high"]
"""Rank of a token, from the lowest."""

COLOURS: tuple[Colour, ...] = ("red", "green", "blue", "yellow")
"""All token colours, in the order in which they are listed everywhere."""
PLAYER_COLOURS: tuple[PlayerColour, ...] = ("purple", "green", "red", "black", "yellow")
"""All player colours, in the order in which they are listed everywhere."""
ANIMALS: dict[str, str] = {
    "purple": "wolf",
    "green": "rabbit",
    "red": "eagle",
    "black": "cat",
    "yellow": "sheep",
}
"""Each player colour's animal."""
RANKS: tuple[Rank, ...] = ("low", "middle", "high")
"""All ranks, from the lowest."""
SPOTS: dict[Rank, int] = {"low": 6, "middle": 5, "high": 4}
"""Spots of each rank on a personal board."""

ROUNDS = 4
"""Rounds of a game."""
CORRIDORS: dict[int, int] = {3: 4, 4: 5, 5: 6}
"""Corridors laid in each round, by number of players."""
SEARCH_PIECES: dict[int, int] = {3: 6, 4: 7, 5: 8}
"""Search pieces that each player has, by number of players."""
ORACLES_DEALT = 2
"""Great oracle cards dealt to each player, and small ones as many."""


@dataclass(frozen=True, slots=True)
class CorridorCard:
    """One corridor card: 1st takes both halves, 2nd the lower one (W6)."""

    id: str
    """Unique in the deck."""
    upper: tuple[Element, ...]
    """Elements of the upper half."""
    lower: tuple[Element, ...]
    """Elements of the lower half."""


@dataclass(frozen=True, slots=True)
class GreatOracle:
    """A goal card that two high tokens of these colours achieve (W14)."""

    id: str
    """Unique in the deck."""
    colours: tuple[Colour, Colour]
    """Colours of the two tokens, which may be the same."""


@dataclass(frozen=True, slots=True)
class Need:
    """One token that a small oracle asks for (W13)."""

    colour: Colour
    """Colour of the token."""
    rank: Rank
    """The lowest rank that is sufficient."""


Reward = Literal["red", "green", "blue", "yellow", "white", "promotion"]
"""What a small oracle pays: a token of a colour (white: any), or a promotion."""


@dataclass(frozen=True, slots=True)
class SmallOracle:
    """A goal card: owning the needed tokens pays its reward at once (W13)."""

    id: str
    """Unique in the deck."""
    needs: tuple[Need, ...]
    """Tokens that the player has to own."""
    reward: tuple[Reward, ...]
    """What the player gets for achieving it."""


@dataclass(frozen=True, slots=True)
class Deck:
    """All cards of one copy of the game."""

    name: str
    """Name for people."""
    corridors: tuple[CorridorCard, ...]
    """Corridor cards."""
    great: tuple[GreatOracle, ...]
    """Great oracle cards."""
    small: tuple[SmallOracle, ...]
    """Small oracle cards."""

    def corridor(self, card: str) -> CorridorCard:
        """Return the corridor card with this id. Raises KeyError."""
        return _find(self.corridors, card)

    def great_oracle(self, card: str) -> GreatOracle:
        """Return the great oracle card with this id. Raises KeyError."""
        return _find(self.great, card)

    def small_oracle(self, card: str) -> SmallOracle:
        """Return the small oracle card with this id. Raises KeyError."""
        return _find(self.small, card)


_Card = TypeVar("_Card", CorridorCard, GreatOracle, SmallOracle)


def _find(cards: tuple[_Card, ...], card: str) -> _Card:
    for found in cards:
        if found.id == card:
            return found
    raise KeyError(card)
