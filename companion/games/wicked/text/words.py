"""Words for the contents of the box, used in error messages and move descriptions."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.translatable import Line, counted, listed, say
from companion.games.wicked.components import Colour, CorridorCard, Deck, Element, GreatOracle, SmallOracle
from companion.games.wicked.state import Tokens, WickedPlayer

_NUMBERS = (
    say("no"),
    say("one"),
    say("two"),
    say("three"),
    say("four"),
    say("five"),
    say("six"),
    say("seven"),
    say("eight"),
)
"""Number words from 0."""
_WORDS: dict[str, Line] = {
    "red": say("red"),
    "green": say("green"),
    "blue": say("blue"),
    "yellow": say("yellow"),
    "purple": say("purple"),
    "black": say("black"),
    "white": say("white"),
    "low": say("low"),
    "middle": say("middle"),
    "high": say("high"),
    "promotion": say("promotion"),
    "colour_change": say("colour change"),
}
ANIMAL_NAMES: dict[str, Line] = {
    "purple": say("wolf"),
    "green": say("rabbit"),
    "red": say("eagle"),
    "black": say("cat"),
    "yellow": say("sheep"),
}
"""The animal of each player colour, in words."""


def the(player: WickedPlayer) -> Line:
    """Return a player's animal and colour, for the start of a sentence: "The wolf (purple)"."""
    return say("The {animal} ({colour})", animal=ANIMAL_NAMES[player.colour], colour=word(player.colour))


def by_name(line: str, players: Sequence[WickedPlayer], names: Sequence[str]) -> str:
    """Return a text with players' names in place of their animals, such as "The wolf (purple)".

    names: by seat.
    """
    called: dict[str, str] = {the(player): name for player, name in zip(players, names, strict=True)}
    return line.with_replaced(called.get) if isinstance(line, Line) else line


def word(value: str) -> str:
    """Return the word for a colour, a rank or a spell; any other value unchanged."""
    return _WORDS.get(value, value)


def in_words(count: int) -> str:
    """Return a small number as a word, a large one in digits."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def many(count: int, one: str, several: str) -> Line:
    """Return a number with its noun in words: "no search pieces", "one search piece".

    one, several: templates such as "{n} search piece" and "{n} search pieces".
    """
    return counted(count, one, several, n=in_words(count))


def search_pieces(count: int) -> Line:
    """Return a number of search pieces in words: "two search pieces"."""
    return many(count, "{n} search piece", "{n} search pieces")


def witch_signs(count: int) -> Line:
    """Return a number of witch's signs in words: "one witch's sign"."""
    return many(count, "{n} witch's sign", "{n} witch's signs")


def soul_signs(count: int) -> Line:
    """Return a number of soul's signs in words: "one soul's sign"."""
    return many(count, "{n} soul's sign", "{n} soul's signs")


def tokens_in_words(colours: Sequence[Colour]) -> Line:
    """Return tokens in words, counted by colour: "two red and one blue"; "nothing" without tokens."""
    counts = Tokens.of(colours)
    lines = {
        "red": many(counts["red"], "{n} red", "{n} red"),
        "green": many(counts["green"], "{n} green", "{n} green"),
        "blue": many(counts["blue"], "{n} blue", "{n} blue"),
        "yellow": many(counts["yellow"], "{n} yellow", "{n} yellow"),
    }
    return listed([line for colour, line in lines.items() if line.number])


def oracle_in_words(deck: Deck, card: str) -> Line:
    """Return what an oracle card shows: "high red + green", "low red + low blue"; its id if unknown."""
    for great in deck.great:
        if great.id == card:
            return great_oracle_in_words(great)
    for small in deck.small:
        if small.id == card:
            return small_oracle_in_words(small)
    return say("{text}", text=card)


def card_in_words(deck: Deck, card: str) -> Line:
    """Return what a corridor or oracle card shows; its id if nobody has described it."""
    for corridor in deck.corridors:
        if corridor.id == card and (corridor.upper or corridor.lower):
            return corridor_in_words(corridor)
    return oracle_in_words(deck, card)


def half_in_words(elements: Sequence[Element]) -> Line:
    """Return the elements of half a corridor card: "red and blue", "colour change"."""
    return listed([word(element) for element in elements])


def corridor_in_words(card: CorridorCard) -> Line:
    """Return what a corridor card shows: "red and blue over white"."""
    if not (card.upper or card.lower):
        return say("one that was not described")
    if not card.upper:
        return say("{lower} below", lower=half_in_words(card.lower))
    if not card.lower:
        return say("{upper} above", upper=half_in_words(card.upper))
    return say("{upper} over {lower}", upper=half_in_words(card.upper), lower=half_in_words(card.lower))


def great_oracle_in_words(card: GreatOracle) -> Line:
    """Return the tokens that achieve a great oracle: "high red + green"."""
    return say("high {colours}", colours=_joined_by_plus([word(colour) for colour in card.colours]))


def small_oracle_in_words(card: SmallOracle) -> Line:
    """Return the tokens that a small oracle needs: "low red + low blue"."""
    return _joined_by_plus(
        [say("{rank} {colour}", rank=word(need.rank), colour=word(need.colour)) for need in card.needs]
    )


def _joined_by_plus(parts: Sequence[str]) -> Line:
    whole = say("{text}", text=parts[0])
    for part in parts[1:]:
        whole = say("{things} + {more}", things=whole, more=part)
    return whole
