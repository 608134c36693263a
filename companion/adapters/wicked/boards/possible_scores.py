"""Computes the possible final scores and winners where readings are doubtful (W16). Pure.

A part of a board (the token on a spot, a card, a count) is open where its value is doubtful. For each board, all
combinations of the values of its open parts are tried. Boards do not affect each other's scores.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from calibration.translatable import Line, counted, either, listed, say, sentences
from companion.games.wicked.components import COLOURS, Deck, GreatOracle
from companion.games.wicked.scoring.final_scores import FinalScore, ranking_key
from companion.games.wicked.scoring.scores_of_counted_boards import CountedBoard, score_boards, verdict
from companion.games.wicked.state import Tokens

MAX_COMBINATIONS = 600
"""Largest number of combinations for one board; with more, its score counts as unknown."""
MAX_LISTED_VALUES = 12
"""Largest number of values of a part for which a board's possible totals are stated."""
MOST_IMPURITY = 37
"""Points of all impurity tiles in the box together."""
_MOST_NAMED = 3
"""Largest number of parts that are listed by name where the winner depends on them."""

Scored = Literal["low", "middle", "high", "great", "small", "impurity"]
"""Counts of a board that make up its score; tokens on great oracles are part of `great`."""
Key = tuple[int, ...]
"""A score as a tuple, total first; of two scores the better one has the greater tuple (W16)."""

ANY_TWO = Deck(
    "great oracles, whichever they are",
    (),
    tuple(GreatOracle(f"{place}", (COLOURS[0], COLOURS[0])) for place in range(12)),
    (),
)
"""Deck of great oracles to score with where their colours are unknown: colours do not affect scores (W16)."""


@dataclass(frozen=True, slots=True)
class BoardCounts:
    """The counts of one board from which its final score is computed."""

    low: int = 0
    """Number of low tokens."""
    middle: int = 0
    """Number of middle tokens."""
    high: int = 0
    """Number of high tokens on the board, without those on great oracles."""
    great: int = 0
    """Number of achieved great oracles."""
    small: int = 0
    """Number of achieved small oracles."""
    impurity: int = 0
    """Points."""

    def plus(self, what: Scored, number: int) -> BoardCounts:
        """Return the counts with a number added to the one called `what`, but not below 0."""
        now: int = getattr(self, what)
        return replace(self, **{what: max(0, now + number)})


@dataclass(frozen=True, slots=True)
class OpenPart:
    """A part of a board whose value is doubtful."""

    what: Scored | None
    """Count that the part belongs to; None where it does not affect the score."""
    now: int = 0
    """Value with which the part is contained in the counts."""
    ways: tuple[int, ...] = ()
    """All values that the part may have; empty where they are unknown."""


@dataclass(frozen=True, slots=True)
class OpenBoard:
    """The counts of one board as read, with the parts whose values are doubtful."""

    tally: BoardCounts
    """Counts as read."""
    parts: tuple[OpenPart, ...] = ()
    """The parts whose values are doubtful."""


@dataclass(frozen=True, slots=True)
class ScoreOutcome:
    """Possible totals and winners over all combinations of the open parts' values. Boards are given by index."""

    totals: tuple[tuple[int, int] | None, ...]
    """By board, lowest and highest possible points; None where they are unknown or too vague to state."""
    winners: tuple[int, ...]
    """Boards that win in all combinations; empty if the winners differ or are unknown."""
    possible: tuple[int, ...]
    """Boards that win in some combination; empty if unknown."""
    counting: tuple[frozenset[int], ...]
    """By board, indices of the open parts that can change its score."""
    deciding: tuple[frozenset[int], ...]
    """By board, indices of the open parts that can change the winner."""


def possible_outcome(boards: Sequence[OpenBoard]) -> ScoreOutcome:
    """Return the possible totals and winners over all combinations of the values of doubtful parts."""
    return _score_outcome(tuple(boards))


@lru_cache(maxsize=16)
def _score_outcome(boards: tuple[OpenBoard, ...]) -> ScoreOutcome:
    # Called for every view of the boards, which seldom change: cached.
    keys = [_possible_score_keys(board.tally, board.parts) for board in boards]
    counting = tuple(
        frozenset(
            number for number in range(len(board.parts)) if _can_change_score(board, number, known is not None)
        )
        for board, known in zip(boards, keys, strict=True)
    )
    nothing = tuple(frozenset[int]() for _ in boards)
    known_keys = [known for known in keys if known is not None]
    totals = tuple(
        None if known is None or _is_vague(board) else (min(known)[0], max(known)[0])
        for board, known in zip(boards, keys, strict=True)
    )
    if len(known_keys) < len(boards) or not boards:
        return ScoreOutcome(totals, (), (), counting, nothing)
    least = max(min(known) for known in known_keys)
    possible = tuple(place for place, known in enumerate(known_keys) if max(known) >= least)
    if len(possible) == 1 or all(len(known_keys[place]) == 1 for place in possible):
        return ScoreOutcome(totals, possible, possible, counting, nothing)
    deciding = tuple(
        frozenset(
            number for number in counting[place] if _decides(board, number, _best_of_others(known_keys, place))
        )
        for place, board in enumerate(boards)
    )
    return ScoreOutcome(totals, (), possible, counting, deciding)


def _is_vague(board: OpenBoard) -> bool:
    return any(len(part.ways) > MAX_LISTED_VALUES for part in board.parts)


def _best_of_others(keys: Sequence[frozenset[Key]], place: int) -> frozenset[Key]:
    """Return the scores that the best of all boards but one may have.

    keys: possible scores of each board. place: index of the board that is left out.
    """
    others = [known for number, known in enumerate(keys) if number != place]
    least = max((min(known) for known in others), default=())
    return frozenset(key for known in others for key in known if key >= least)


def _possible_score_keys(tally: BoardCounts, parts: Iterable[OpenPart]) -> frozenset[Key] | None:
    """Return the scores that a board may have, as tuples that sort by rank; None if unknown or too many.

    tally: counts as read. parts: doubtful parts.
    """
    tallies = _tallies(tally, parts)
    return None if tallies is None else frozenset(map(_score_key, tallies))


def _tallies(tally: BoardCounts, parts: Iterable[OpenPart]) -> frozenset[BoardCounts] | None:
    """Return the counts that a board may have; None if they are unknown or too many.

    tally: counts as read. parts: doubtful parts.
    """
    found = frozenset([tally])
    for part in parts:
        if part.what is None:
            continue
        if not part.ways:
            return None
        what = part.what
        found = frozenset(one.plus(what, way - part.now) for one, way in itertools.product(found, part.ways))
        if len(found) > MAX_COMBINATIONS:
            return None
    return found


def _can_change_score(board: OpenBoard, number: int, known: bool) -> bool:
    """Return whether a doubtful part can change its board's score, for some values of the other parts.

    number: index of the part. known: whether the board's possible scores are known.
    """
    part = board.parts[number]
    if part.what is None or (known and len(set(part.ways)) == 1):
        return False
    return not known or any(len(keys) > 1 for keys in _scores_by_value_of(board, number))


def _decides(board: OpenBoard, number: int, best: frozenset[Key]) -> bool:
    """Return whether a doubtful part can decide if its board is behind, equal to or ahead of all others.

    number: index of the part. best: scores that the best of the other boards may have.
    """
    return any(
        min(keys) <= key <= max(keys)
        for keys in _scores_by_value_of(board, number)
        if len(keys) > 1
        for key in best
    )


def _scores_by_value_of(board: OpenBoard, number: int) -> Iterable[frozenset[Key]]:
    """Yield, for each combination of the other parts' values, the scores over all values of one part.

    number: index of that part.
    """
    part = board.parts[number]
    others = _tallies(board.tally, (one for place, one in enumerate(board.parts) if place != number))
    for tally in others or ():
        yield _possible_score_keys(tally, (part,)) or frozenset()


@lru_cache(maxsize=8192)
def _score_key(tally: BoardCounts) -> Key:
    """Return the score for these counts, as a tuple that sorts by rank. Raises ValueError for impossible counts."""
    board = CountedBoard(
        "",
        Tokens(tally.low),
        Tokens(tally.middle),
        Tokens(tally.high),
        great=tuple(oracle.id for oracle in ANY_TWO.great[: tally.great]),
        small=tally.small,
        impurity=tally.impurity,
    )
    return ranking_key(score_boards([board], ANY_TWO)[0])


def tally_of(board: CountedBoard) -> BoardCounts:
    """Return the counts of a board that contribute to its final score."""
    return BoardCounts(
        board.low.total, board.middle.total, board.high.total, len(board.great), board.small, board.impurity
    )


def who_wins(
    result: ScoreOutcome, scores: Sequence[FinalScore], names: Sequence[str], things: Sequence[Sequence[Line]]
) -> Line:
    """Return sentences with the certain winner, or with what decides who wins; "" if the winners are unknown.

    scores: of the boards as read. names: of the boards, on screens. things: by board, names of its doubtful parts.
    """
    if result.winners and not any(result.counting):
        return verdict(scores, names)
    winner_names = [names[place] for place in result.winners or result.possible]
    if not winner_names:
        return Line("")
    settled = say("What is still uncertain cannot change that.")
    if not result.winners:
        deciding = [
            say("{board} ({part})", board=names[place], part=things[place][number])
            for place, numbers in enumerate(result.deciding)
            for number in sorted(numbers)
        ]
        more = len(deciding) - _MOST_NAMED
        if more > 0:
            deciding = [*deciding[:_MOST_NAMED], counted(more, "{n} thing more", "{n} things more")]
        return say("{names} can win. It depends on {things}.", names=either(winner_names), things=listed(deciding))
    totals = result.totals[result.winners[0]]
    if totals is None:
        return sentences(say("{name} wins.", name=winner_names[0]), settled)
    least, most = totals
    if len(winner_names) > 1:
        wins = counted(
            least,
            "{names} share the victory with {n} point.",
            "{names} share the victory with {n} points.",
            names=listed(winner_names),
        )
    elif least == most:
        wins = counted(least, "{name} wins with {n} point.", "{name} wins with {n} points.", name=winner_names[0])
    else:
        wins = say("{name} wins with {least} to {most} points.", name=winner_names[0], least=least, most=most)
    return sentences(wins, settled)
