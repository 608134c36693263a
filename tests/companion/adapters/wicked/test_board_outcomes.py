"""Who may win with something open, and between which totals each lies, compared with trying every combination."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.translatable import say
from companion.adapters.wicked.boards.possible_scores import (
    ANY_TWO,
    MAX_COMBINATIONS,
    BoardCounts,
    OpenBoard,
    OpenPart,
    Scored,
    ScoreOutcome,
    possible_outcome,
    who_wins,
)
from companion.games.wicked.components import PLAYER_COLOURS
from companion.games.wicked.scoring.final_scores import FinalScore, winners
from companion.games.wicked.scoring.scores_of_counted_boards import CountedBoard, score_boards
from companion.games.wicked.state import Tokens

Combination = tuple[tuple[int, ...], ...]
"""For each board, which way each of its open parts is."""


def scores(tallies: tuple[BoardCounts, ...]) -> tuple[FinalScore, ...]:
    boards = [
        CountedBoard(
            colour,
            Tokens(one.low),
            Tokens(one.middle),
            Tokens(one.high),
            great=tuple(f"{place}" for place in range(one.great)),
            small=one.small,
            impurity=one.impurity,
        )
        for colour, one in zip(PLAYER_COLOURS, tallies, strict=False)
    ]
    return score_boards(boards, ANY_TWO)


def taken(board: OpenBoard, ways: tuple[int, ...]) -> BoardCounts:
    tally = board.tally
    for part, way in zip(board.parts, ways, strict=True):
        if part.what is not None:
            tally = replace(tally, **{part.what: getattr(tally, part.what) + way - part.now})
    return tally


def every(boards: tuple[OpenBoard, ...]) -> dict[Combination, tuple[FinalScore, ...]]:
    """Score each combination of ways by the engine."""
    choices = [list(itertools.product(*(part.ways or (part.now,) for part in board.parts))) for board in boards]
    return {
        combination: scores(tuple(taken(board, ways) for board, ways in zip(boards, combination, strict=True)))
        for combination in itertools.product(*choices)
    }


def changing(scored: dict[Combination, tuple[FinalScore, ...]], place: int, number: int, what: str) -> bool:
    """Return whether another way to take one part alone changes its board's score, or who wins."""
    seen: dict[object, object] = {}
    for combination, made in scored.items():
        ways = combination[place]
        rest = (*combination[:place], (*ways[:number], *ways[number + 1 :]), *combination[place + 1 :])
        one = made[place]
        compared = (one.total, one.great, one.high, one.middle, one.low, one.impurity_left)
        now: object = winners(made) if what == "winners" else compared
        if seen.setdefault(rest, now) != now:
            return True
    return False


@st.composite
def parts(draw: st.DrawFn, tally: BoardCounts) -> OpenPart:
    what: Scored | None = draw(st.sampled_from((*get_args(Scored), None)))
    if what is None:
        return OpenPart(None)
    most = {"low": 1, "middle": 1, "high": 1, "great": 1, "small": 2, "impurity": 6}[what]
    there = getattr(tally, what)
    now = draw(st.integers(0, min(most, there)))
    ways = draw(st.sets(st.integers(0, most), max_size=2)) | {now}
    return OpenPart(what, now, tuple(sorted(ways)))


@st.composite
def boards(draw: st.DrawFn) -> OpenBoard:
    # Few points apart, so that they tie and overtake each other.
    tally = BoardCounts(
        draw(st.integers(1, 3)),
        1,
        draw(st.integers(0, 1)),
        draw(st.integers(0, 1)),
        draw(st.integers(0, 1)),
        draw(st.integers(0, 4)),
    )
    chosen, seen = list[OpenPart](), set[str | None]()
    for _ in range(draw(st.integers(0, 2))):
        part = draw(parts(tally))
        if part.what not in seen:
            chosen.append(part)
            seen.add(part.what)
    return OpenBoard(tally, tuple(chosen))


@pytest.mark.slow
@settings(max_examples=150)
@given(st.lists(boards(), min_size=2, max_size=4))
def test_the_outcome_equals_that_of_trying_every_combination(drawn: list[OpenBoard]) -> None:
    opened = tuple(drawn)
    result, scored = possible_outcome(opened), every(opened)
    ends = {winners(made) for made in scored.values()}
    assert result.winners == (next(iter(ends)) if len(ends) == 1 else ())
    assert result.possible == tuple(sorted({place for won in ends for place in won}))
    for place, board in enumerate(opened):
        totals = [made[place].total for made in scored.values()]
        assert result.totals[place] == (min(totals), max(totals))
        numbers = range(len(board.parts))
        assert result.counting[place] == {n for n in numbers if changing(scored, place, n, "score")}
        deciding = {n for n in numbers if changing(scored, place, n, "winners")}
        assert result.deciding[place] == deciding
    assert bool(result.winners) != any(result.deciding)


@given(st.lists(boards(), min_size=2, max_size=4), st.data())
def test_nothing_is_said_of_the_winner_where_one_doubt_names_no_ways(
    drawn: list[OpenBoard], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(drawn) - 1))
    drawn[place] = replace(drawn[place], parts=(*drawn[place].parts, OpenPart("impurity", 0)))
    result = possible_outcome(drawn)
    assert (result.winners, result.possible, any(result.deciding)) == ((), (), False)
    assert result.totals[place] is None
    assert len(drawn[place].parts) - 1 in result.counting[place]
    assert result.totals[place - 1] is not None
    assert said(result, drawn) == ""


def test_too_much_that_is_open_is_as_good_as_unknown() -> None:
    several = tuple(OpenPart(what, 0, (0, 1, 2)) for what in ("low", "middle", "high", "small"))
    many = OpenBoard(BoardCounts(), (*several, OpenPart("impurity", 0, tuple(range(38)))))
    assert MAX_COMBINATIONS < 3**4 * 38
    assert possible_outcome([many, OpenBoard(BoardCounts())]).totals == (None, (0, 0))


def said(result: ScoreOutcome, opened: list[OpenBoard]) -> str:
    things = [[say("{what}", what=part.what) for part in board.parts] for board in opened]
    return who_wins(result, scores(tuple(board.tally for board in opened)), PLAYER_COLOURS[: len(opened)], things)


def test_a_doubt_that_changes_no_score_holds_nothing_back() -> None:
    opened = [
        OpenBoard(BoardCounts(high=2), (OpenPart(None), OpenPart("high", 1, (1,)))),
        OpenBoard(BoardCounts(low=2)),
    ]
    assert said(possible_outcome(opened), opened) == "purple wins with 10 points. Ahead of green by 8 points."


def test_impurity_that_an_oracle_gives_back_changes_nothing() -> None:
    opened = [
        OpenBoard(BoardCounts(great=1, impurity=1), (OpenPart("impurity", 1, (0, 1, 2)),)),
        OpenBoard(BoardCounts()),
    ]
    assert possible_outcome(opened).counting == (frozenset(), frozenset())


def test_whoever_wins_whichever_it_is_is_named_with_the_totals_that_are_possible() -> None:
    opened = [
        OpenBoard(BoardCounts(high=2, impurity=4), (OpenPart("impurity", 4, (4, 5)),)),
        OpenBoard(BoardCounts(low=2)),
    ]
    assert said(possible_outcome(opened), opened) == (
        "purple wins with 5 to 6 points. What is still uncertain cannot change that."
    )
    opened = [OpenBoard(BoardCounts(high=2)), OpenBoard(BoardCounts(low=2), (OpenPart("low", 1, (0, 1)),))]
    assert said(possible_outcome(opened), opened) == (
        "purple wins with 10 points. What is still uncertain cannot change that."
    )


def test_what_decides_is_named_and_what_does_not_is_not() -> None:
    opened = [
        OpenBoard(BoardCounts(low=3), (OpenPart("low", 1, (0, 1)),)),
        OpenBoard(BoardCounts(low=2)),
        OpenBoard(BoardCounts(), (OpenPart("small", 0, (0,)), OpenPart("impurity", 0, (0, 1)))),
    ]
    # With 3 points purple wins, with 2 purple and green share the victory; red is last either way.
    assert said(possible_outcome(opened), opened) == "purple or green can win. It depends on purple (low)."


def test_a_tie_that_nothing_can_break_is_a_shared_victory_whichever_it_is() -> None:
    opened = [
        OpenBoard(BoardCounts(low=3)),
        OpenBoard(BoardCounts(low=3)),
        OpenBoard(BoardCounts(), (OpenPart("low", 0, (0, 1)),)),
    ]
    assert said(possible_outcome(opened), opened) == (
        "purple and green share the victory with 3 points. What is still uncertain cannot change that."
    )
