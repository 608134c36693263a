"""Plain words for what is in the box, shared by refusals and by the game's story."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.wicked.components import ANIMALS, Colour
from companion.games.wicked.state import Player, Tokens

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def the(player: Player) -> str:
    """Name a player by what lies on the table, at the head of a sentence: "The wolf (purple)"."""
    return f"The {ANIMALS[player.colour]} ({player.colour})"


def by_name(line: str, players: Sequence[Player], names: Sequence[str]) -> str:
    """Say names, by seat, where a line names players by what lies on the table."""
    for player, name in zip(players, names, strict=True):
        line = line.replace(the(player), name)
    return line


def many(count: int, one: str, more: str) -> str:
    """Count things in words: "no search pieces", "one search piece", "12 search pieces"."""
    return f"{in_words(count)} {one if count == 1 else more}"


def in_words(count: int) -> str:
    """Write a small number as a word, a great one in digits."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def listed(things: Sequence[str]) -> str:
    """Join words as a sentence does: "a, b and c"; "nothing" where there are none."""
    if not things:
        return "nothing"
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"


def tokens_in_words(colours: Sequence[Colour]) -> str:
    """Count tokens colour by colour: "two red and one blue"; "nothing" where there are none."""
    counts = Tokens.of(colours)
    return listed([many(counts[c], c, c) for c in ("red", "green", "blue", "yellow") if counts[c]])
