"""The stand-in deck: invented cards in the numbers of the box, balanced over the four colours.

The first four corridors are the ones that the rulebook pictures. Every lower half is one fragment, so a soul's
sign always has a colour (W5).
"""

from __future__ import annotations

from companion.games.wicked.components import (
    Colour,
    CorridorCard,
    Deck,
    Element,
    GreatOracle,
    Need,
    Rank,
    Reward,
    SmallOracle,
)

_CORRIDORS: tuple[tuple[tuple[Element, ...], Element], ...] = (
    (("yellow",), "green"),
    (("promotion",), "green"),
    (("white",), "blue"),
    (("colour_change",), "red"),
    (("promotion",), "red"),
    (("promotion",), "blue"),
    (("promotion",), "yellow"),
    (("promotion",), "white"),
    (("colour_change",), "green"),
    (("colour_change",), "blue"),
    (("colour_change",), "yellow"),
    (("colour_change",), "white"),
    (("green",), "red"),
    (("blue",), "red"),
    (("red",), "green"),
    (("red",), "blue"),
    (("blue",), "yellow"),
    (("white",), "yellow"),
    (("green",), "white"),
    (("yellow",), "white"),
    (("blue", "yellow"), "red"),
    (("red", "blue"), "green"),
    (("green", "yellow"), "blue"),
    (("red", "green"), "yellow"),
)

_GREAT: tuple[tuple[Colour, Colour], ...] = (
    ("red", "green"),
    ("red", "blue"),
    ("red", "yellow"),
    ("green", "blue"),
    ("green", "yellow"),
    ("blue", "yellow"),
    ("red", "red"),
    ("green", "green"),
    ("blue", "blue"),
    ("yellow", "yellow"),
    # Ten pairs exist and twelve cards are needed: two occur again with their colours exchanged.
    ("green", "red"),
    ("yellow", "blue"),
)

_SMALL: tuple[tuple[tuple[tuple[Rank, Colour], ...], tuple[Reward, ...]], ...] = (
    ((("middle", "red"), ("middle", "green"), ("low", "blue")), ("promotion",)),
    ((("middle", "green"), ("middle", "blue"), ("low", "yellow")), ("promotion",)),
    ((("middle", "blue"), ("middle", "yellow"), ("low", "red")), ("promotion",)),
    ((("middle", "yellow"), ("middle", "red"), ("low", "green")), ("promotion",)),
    ((("low", "red"), ("low", "red"), ("low", "green")), ("white",)),
    ((("low", "green"), ("low", "green"), ("low", "blue")), ("white",)),
    ((("low", "blue"), ("low", "blue"), ("low", "yellow")), ("white",)),
    ((("low", "yellow"), ("low", "yellow"), ("low", "red")), ("white",)),
    ((("high", "red"),), ("green", "blue")),
    ((("high", "green"),), ("blue", "yellow")),
    ((("high", "blue"),), ("yellow", "red")),
    ((("high", "yellow"),), ("red", "green")),
)

STANDIN = Deck(
    name="stand-in",
    corridors=tuple(
        CorridorCard(f"C{number:02}", upper, (lower,)) for number, (upper, lower) in enumerate(_CORRIDORS, 1)
    ),
    great=tuple(GreatOracle(f"G{number:02}", colours) for number, colours in enumerate(_GREAT, 1)),
    small=tuple(
        SmallOracle(f"S{number:02}", tuple(Need(colour, rank) for rank, colour in needs), reward)
        for number, (needs, reward) in enumerate(_SMALL, 1)
    ),
)
"""The deck that the project prints."""
