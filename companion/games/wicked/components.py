"""What is in the box of The Wicked Labyrinth: colours, ranks, cards, decks and the table of counts."""

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

COLOURS: tuple[Colour, ...] = ("red", "green", "blue", "yellow")
PLAYER_COLOURS: tuple[PlayerColour, ...] = ("purple", "green", "red", "black", "yellow")
ANIMALS: dict[PlayerColour, str] = {
    "purple": "wolf",
    "green": "rabbit",
    "red": "eagle",
    "black": "cat",
    "yellow": "sheep",
}
RANKS: tuple[Rank, ...] = ("low", "middle", "high")
SPOTS: dict[Rank, int] = {"low": 6, "middle": 5, "high": 4}
"""Spots of each rank on a personal board."""

ROUNDS = 4
CORRIDORS: dict[int, int] = {3: 4, 4: 5, 5: 6}
"""Corridors laid in each round, by number of players."""
SEARCH_PIECES: dict[int, int] = {3: 6, 4: 7, 5: 8}
"""Search pieces that each player has, by number of players."""
ORACLES_DEALT = 2
"""Great and small oracle cards dealt to each player: two of each."""


@dataclass(frozen=True, slots=True)
class CorridorCard:
    """One corridor card: 1st takes both halves, 2nd the lower one (W6)."""

    id: str
    upper: tuple[Element, ...]
    lower: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class GreatOracle:
    """Two high tokens of these colours, which may be the same, achieve it (W14)."""

    id: str
    colours: tuple[Colour, Colour]


@dataclass(frozen=True, slots=True)
class Need:
    """One token that a small oracle asks for: its colour, and at least this rank (W13)."""

    colour: Colour
    rank: Rank


Reward = Literal["red", "green", "blue", "yellow", "white", "promotion"]


@dataclass(frozen=True, slots=True)
class SmallOracle:
    """Owning what it needs gives its reward at once: tokens (white: any colour) or a promotion (W13)."""

    id: str
    needs: tuple[Need, ...]
    reward: tuple[Reward, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """All cards of one copy of the game; ids are unique in the whole deck."""

    name: str
    corridors: tuple[CorridorCard, ...]
    great: tuple[GreatOracle, ...]
    small: tuple[SmallOracle, ...]

    def corridor(self, card: str) -> CorridorCard:
        """Return the corridor card of this id; KeyError where there is none."""
        return _find(self.corridors, card)

    def great_oracle(self, card: str) -> GreatOracle:
        """Return the great oracle card of this id; KeyError where there is none."""
        return _find(self.great, card)

    def small_oracle(self, card: str) -> SmallOracle:
        """Return the small oracle card of this id; KeyError where there is none."""
        return _find(self.small, card)


_Card = TypeVar("_Card", CorridorCard, GreatOracle, SmallOracle)


def _find(cards: tuple[_Card, ...], card: str) -> _Card:
    for found in cards:
        if found.id == card:
            return found
    raise KeyError(card)
