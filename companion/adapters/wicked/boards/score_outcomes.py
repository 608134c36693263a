"""What open doubts can still change about final scores: who may win, and the totals that are possible (W16). Pure.

All ways to take what is open are weighed: the boards are independent of each other, so that the least and the most
of each tell as much as all combinations of them would.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from calibration.wording import Line, counted, either, listed, say, sentences
from companion.games.wicked.components import COLOURS, Deck, GreatOracle
from companion.games.wicked.scoring.counted_boards import CountedBoard, score_boards, verdict
from companion.games.wicked.scoring.final_scores import Score, compared
from companion.games.wicked.state import Tokens
from companion.games.wicked.text.words import word

MAX_COMBINATIONS = 600
"""More ways than this to take one board are not weighed: then too much of it is open for anything to be said."""
MAX_LISTED_VALUES = 12
"""What may be so many numbers may be nearly any: who wins can be told all the same, but no totals worth telling."""
MOST_IMPURITY = 37
"""Points of all impurity tiles in the box together."""
_MOST_NAMED = 3

Scored = Literal["low", "middle", "high", "great", "small", "impurity"]
"""What of a board counts at the end of a game; tokens on great oracle cards count with these."""
Key = tuple[int, ...]
"""A score by which players are compared, greater for who is ahead: the total first (W16)."""

ANY_TWO = Deck(
    "great oracles, whichever they are",
    (),
    tuple(GreatOracle(f"{place}", (COLOURS[0], COLOURS[0])) for place in range(12)),
    (),
)
"""Which two high tokens lie on a great oracle makes no difference to any comparison of W16."""


@dataclass(frozen=True, slots=True)
class BoardCounts:
    """What counts of one board: tokens by rank on the board itself, achieved oracles, impurity in points."""

    low: int = 0
    middle: int = 0
    high: int = 0
    great: int = 0
    small: int = 0
    impurity: int = 0

    def more(self, what: Scored, number: int) -> BoardCounts:
        """Give it with so many more of something, which may be less; nothing is less than none."""
        now: int = getattr(self, what)
        return replace(self, **{what: max(0, now + number)})


@dataclass(frozen=True, slots=True)
class OpenPart:
    """Something of a board that is open. what: as what it counts, None for what counts nothing.

    now: the number that stands in the tally for it; ways: every number that it may be, none where nobody can tell.
    """

    what: Scored | None
    now: int = 0
    ways: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenBoard:
    """One board as it stands, with what is open about it."""

    tally: BoardCounts
    parts: tuple[OpenPart, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreOutcome:
    """What all ways to take the open parts of some boards lead to, by the boards' places in their sequence.

    totals: least and most points of each, None where that cannot be told, or is hardly worth telling. winners: who
    wins whichever it is, nobody where that depends or cannot be told; possible: who may win, nobody where that
    cannot be told.
    counting: by board, the open parts by number that can change its score, or may for all that is known;
    deciding: those that can change who wins, where it depends.
    """

    totals: tuple[tuple[int, int] | None, ...]
    winners: tuple[int, ...]
    possible: tuple[int, ...]
    counting: tuple[frozenset[int], ...]
    deciding: tuple[frozenset[int], ...]


def outcome(boards: Sequence[OpenBoard]) -> ScoreOutcome:
    """Weigh every way to take what is open about some boards."""
    return _weighed(tuple(boards))


@lru_cache(maxsize=16)
def _weighed(boards: tuple[OpenBoard, ...]) -> ScoreOutcome:
    # Asked anew whenever a screen is told how boards stand, though they seldom differ from before.
    keys = [_keys(board.tally, board.parts) for board in boards]
    counting = tuple(
        frozenset(number for number in range(len(board.parts)) if _counts(board, number, known is not None))
        for board, known in zip(boards, keys, strict=True)
    )
    nothing = tuple(frozenset[int]() for _ in boards)
    told = [known for known in keys if known is not None]
    totals = tuple(
        None if known is None or _is_vague(board) else (min(known)[0], max(known)[0])
        for board, known in zip(boards, keys, strict=True)
    )
    if len(told) < len(boards) or not boards:
        return ScoreOutcome(totals, (), (), counting, nothing)
    least = max(min(known) for known in told)
    possible = tuple(place for place, known in enumerate(told) if max(known) >= least)
    if len(possible) == 1 or all(len(told[place]) == 1 for place in possible):
        return ScoreOutcome(totals, possible, possible, counting, nothing)
    deciding = tuple(
        frozenset(number for number in counting[place] if _decides(board, number, _best(told, place)))
        for place, board in enumerate(boards)
    )
    return ScoreOutcome(totals, (), possible, counting, deciding)


def _is_vague(board: OpenBoard) -> bool:
    return any(len(part.ways) > MAX_LISTED_VALUES for part in board.parts)


def _best(keys: Sequence[frozenset[Key]], place: int) -> frozenset[Key]:
    """Give every score that the best of all other boards may have."""
    others = [known for number, known in enumerate(keys) if number != place]
    least = max((min(known) for known in others), default=())
    return frozenset(key for known in others for key in known if key >= least)


def _keys(tally: BoardCounts, parts: Iterable[OpenPart]) -> frozenset[Key] | None:
    """Give every score that a board may have; None where that cannot be told."""
    tallies = _tallies(tally, parts)
    return None if tallies is None else frozenset(map(_key, tallies))


def _tallies(tally: BoardCounts, parts: Iterable[OpenPart]) -> frozenset[BoardCounts] | None:
    """Give every tally that a board may have; None where that cannot be told, or where there are too many."""
    found = frozenset([tally])
    for part in parts:
        if part.what is None:
            continue
        if not part.ways:
            return None
        what = part.what
        found = frozenset(one.more(what, way - part.now) for one, way in itertools.product(found, part.ways))
        if len(found) > MAX_COMBINATIONS:
            return None
    return found


def _counts(board: OpenBoard, number: int, known: bool) -> bool:
    """Tell whether an open part can change its board's score, in any way to take the others."""
    part = board.parts[number]
    if part.what is None or (known and len(set(part.ways)) == 1):
        return False
    return not known or any(len(keys) > 1 for keys in _along(board, number))


def _decides(board: OpenBoard, number: int, best: frozenset[Key]) -> bool:
    """Tell whether an open part can carry its board past the best of all others, or level with it."""
    return any(min(keys) <= key <= max(keys) for keys in _along(board, number) if len(keys) > 1 for key in best)


def _along(board: OpenBoard, number: int) -> Iterable[frozenset[Key]]:
    """Go through all ways to take a board's other parts: the scores to which this part's ways lead there."""
    part = board.parts[number]
    others = _tallies(board.tally, (one for place, one in enumerate(board.parts) if place != number))
    for tally in others or ():
        yield _keys(tally, (part,)) or frozenset()


@lru_cache(maxsize=8192)
def _key(tally: BoardCounts) -> Key:
    """Score a tally by the engine. Raises ValueError for what cannot lie on a board."""
    board = CountedBoard(
        "",
        Tokens(tally.low),
        Tokens(tally.middle),
        Tokens(tally.high),
        great=tuple(oracle.id for oracle in ANY_TWO.great[: tally.great]),
        small=tally.small,
        impurity=tally.impurity,
    )
    return compared(score_boards([board], ANY_TWO)[0])


def tally_of(board: CountedBoard) -> BoardCounts:
    """Count what of a counted board matters at the end."""
    return BoardCounts(
        board.low.total, board.middle.total, board.high.total, len(board.great), board.small, board.impurity
    )


def who_wins(
    result: ScoreOutcome, scores: Sequence[Score], names: Sequence[str], things: Sequence[Sequence[Line]]
) -> Line:
    """Tell in a line who wins whichever it is, or what that depends on; "" where nothing can be said.

    scores: of the boards as they stand; names: of the boards; things: what their open parts are called.
    """
    if result.winners and not any(result.counting):
        return verdict(scores, names)
    told = [word(names[place]) for place in result.winners or result.possible]
    if not told:
        return Line("")
    settled = say("What is open cannot change that.")
    if not result.winners:
        deciding = [
            say("{board} ({part})", board=word(names[place]), part=things[place][number])
            for place, numbers in enumerate(result.deciding)
            for number in sorted(numbers)
        ]
        more = len(deciding) - _MOST_NAMED
        if more > 0:
            deciding = [*deciding[:_MOST_NAMED], counted(more, "{n} thing more", "{n} things more")]
        return say("{names} can win. It depends on {things}.", names=either(told), things=listed(deciding))
    totals = result.totals[result.winners[0]]
    if totals is None:
        return sentences(say("{name} wins.", name=told[0]), settled)
    least, most = totals
    if len(told) > 1:
        wins = counted(
            least,
            "{names} share the victory with {n} point.",
            "{names} share the victory with {n} points.",
            names=listed(told),
        )
    elif least == most:
        wins = counted(least, "{name} wins with {n} point.", "{name} wins with {n} points.", name=told[0])
    else:
        wins = say("{name} wins with {least} to {most} points.", name=told[0], least=least, most=most)
    return sentences(wins, settled)
