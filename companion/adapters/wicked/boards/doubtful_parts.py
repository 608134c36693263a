"""Lists the doubtful parts of a board's reading (spots, spells, cards, counts) with their possible values. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from calibration.translatable import Line, either, say
from companion.adapters.wicked.boards.possible_player_states import possible_tokens
from companion.adapters.wicked.boards.possible_scores import (
    MAX_LISTED_VALUES,
    MOST_IMPURITY,
    OpenBoard,
    OpenPart,
    Scored,
    tally_of,
)
from companion.games.wicked.components import ORACLES_DEALT, RANKS
from companion.games.wicked.scoring.scores_of_counted_boards import CountedBoard
from companion.games.wicked.text.words import word
from vision.games.wicked.readings import (
    BoardReading,
    GreatReading,
    ImpurityReading,
    SmallReading,
    SpotReading,
    card_count_message,
)

WHOLE = "board"
"""Key of doubts about a board as a whole."""
_MAX_LISTED = 3
"""Largest number of values that are listed one by one; more are named as a range."""


@dataclass(frozen=True, slots=True)
class BoardDoubt:
    """A doubtful part of a board's reading."""

    about: str
    """Which part: "low:0" (rank and spot), a spell, "great:0" (index in `great_cards`), "small" or "impurity".

    "board:0" is a doubt about the board as a whole. An index beyond `great_cards` is a card that was not found.
    """
    why: str
    """Reason for the doubt, without the name of the part."""
    question: str
    """The doubt as a sentence for screens."""
    ways: tuple[int, ...] = ()
    """All values that the part may have; see `OpenPart.ways`."""
    card: str = ""
    """Id of the great oracle; "" where it is unknown, or the doubt is about something else."""


def great_cards(reading: BoardReading) -> tuple[GreatReading, ...]:
    """Return the great oracles read beside a board, at most two, sorted by id. Achieved ones take precedence."""
    cards = sorted(reading.great, key=lambda card: not card.achieved)[:ORACLES_DEALT]
    return tuple(sorted(cards, key=lambda card: card.card))


def doubts_of(reading: BoardReading) -> tuple[BoardDoubt, ...]:
    """Return the doubts about a reading: first those about single parts, then those about the whole board."""
    parts = tuple(_part_doubts(reading))
    known = {doubt.question for doubt in parts} | {
        card_count_message(kind, found, ORACLES_DEALT)
        for kind, found in (("great", len(reading.great)), ("small", _small_found(reading.small)))
        if found < ORACLES_DEALT
    }
    general = [reason for reason in reading.reasons if reason not in known]
    return (*parts, *(BoardDoubt(f"{WHOLE}:{number}", reason, reason) for number, reason in enumerate(general)))


def open_board(reading: BoardReading, board: CountedBoard) -> OpenBoard:
    """Return a board's counts and its doubtful parts with their possible values, to compute possible scores.

    board: the same reading as counts.
    """
    there = {f"{spot.rank}:{spot.index}": int(spot.token is not None) for spot in reading.spots}
    there |= {f"great:{place}": int(card.achieved) for place, card in enumerate(great_cards(reading))}
    there |= {"small": board.small, "impurity": board.impurity}
    parts = (open_part(doubt.about, there.get(doubt.about, 0), doubt.ways) for doubt in doubts_of(reading))
    return OpenBoard(tally_of(board), tuple(parts))


def open_part(about: str, now: int, ways: tuple[int, ...]) -> OpenPart:
    """Return a doubtful part of a board with its possible values, to compute possible scores.

    about, ways: as in `BoardDoubt`. now: value of the part in the board's counts.
    """
    what = about.partition(":")[0]
    if what in ("promotion", "colour_change"):
        return OpenPart(None)  # spells that are left count nothing (W15, W16)
    if what == WHOLE:
        return OpenPart("impurity")
    return OpenPart(_SCORED[what], now, ways)


def part_name(about: str, ways: tuple[int, ...] = (), card: str = "") -> Line:
    """Return a short name of a doubtful part, such as "low 3"; arguments as in `BoardDoubt`."""
    what, _, place = about.partition(":")
    if what in RANKS:
        return say("{rank} {number}", rank=word(what), number=int(place) + 1)
    if what == "impurity" and 1 < len(ways) <= MAX_LISTED_VALUES:
        least, most = min(ways), max(ways)
        few = len(ways) <= _MAX_LISTED
        numbers = either(sorted(ways)) if few else say("{least} to {most}", least=least, most=most)
        return say("impurity {numbers}", numbers=numbers)
    if what == "great":
        return say("great oracle {card}", card=card or int(place) + 1)
    return _NAMES.get(what, say("{text}", text=word(what)))


_SCORED: dict[str, Scored] = {
    "low": "low",
    "middle": "middle",
    "high": "high",
    "great": "great",
    "small": "small",
    "impurity": "impurity",
}
"""Count of a score that a part belongs to."""
_NAMES = {
    "small": say("small oracles"),
    "impurity": say("impurity"),
}
"""Names of parts that need no number."""


def _part_doubts(reading: BoardReading) -> Iterator[BoardDoubt]:
    """Yield the doubts about single parts of a board."""
    for spot in reading.spots:
        if spot.reason:
            yield BoardDoubt(f"{spot.rank}:{spot.index}", spot.reason, spot.question, _possible_token_counts(spot))
    for space in reading.spaces:
        if space.reason:
            yield BoardDoubt(space.spell, space.reason, space.question)
    if reading.small.reason:
        yield BoardDoubt("small", reading.small.reason, reading.small.question, tuple(range(ORACLES_DEALT + 1)))
    elif (lacking := _missing_cards("small", reading, _small_found(reading.small))) > 0:
        seen = reading.small.achieved
        line = card_count_message("small", _small_found(reading.small), ORACLES_DEALT)
        yield BoardDoubt("small", say("not all of them were found"), line, tuple(range(seen, seen + lacking + 1)))
    if reading.impurity.reason:
        yield BoardDoubt(
            "impurity", reading.impurity.reason, reading.impurity.question, _possible_impurity(reading.impurity)
        )
    cards = great_cards(reading)
    for place, card in enumerate(cards):
        if card.reason:
            yield BoardDoubt(f"great:{place}", card.reason, card.question, (0, 1), card.card)
    line = card_count_message("great", len(reading.great), ORACLES_DEALT)
    for place in range(_missing_cards("great", reading, len(reading.great))):
        yield BoardDoubt(f"great:{len(cards) + place}", say("it was not found beside the board"), line, (0, 1))


def _small_found(small: SmallReading) -> int:
    """Return the number of small oracles that were found, achieved or not."""
    return small.achieved + len(small.open)


def _missing_cards(kind: str, reading: BoardReading, found: int) -> int:
    """Return how many oracle cards of a kind are missing beside a board; 0 if its reading does not report any.

    kind: "great" or "small". found: number of those found.
    """
    return ORACLES_DEALT - found if card_count_message(kind, found, ORACLES_DEALT) in reading.reasons else 0


def _possible_token_counts(spot: SpotReading) -> tuple[int, ...]:
    """Return how many tokens, 0 or 1 or either, a doubtful spot may hold; colours do not affect scores."""
    return tuple(sorted({int(token is not None) for token, _ in possible_tokens(spot)}))


def _possible_impurity(impurity: ImpurityReading) -> tuple[int, ...]:
    """Return the possible impurity points; all numbers if the reading has no alternatives."""
    if not impurity.alternatives:
        return tuple(range(MOST_IMPURITY + 1))
    numbers = (impurity.points, *(number for number, _ in impurity.alternatives))
    return tuple(range(max(0, min(numbers)), max(numbers) + 1))
