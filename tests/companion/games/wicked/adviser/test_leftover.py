"""What is left on the table is counted and stated."""

from __future__ import annotations

from dataclasses import replace

from companion.games.wicked.adviser import MissedActions, advise, missed_actions, missed_actions_line
from companion.games.wicked.state import WickedPlayer
from tests.companion.games.wicked.scenarios import board, play, soul_phase


def left(player: WickedPlayer, round_: int = 4) -> MissedActions | None:
    return missed_actions(advise(replace(soul_phase(player), round=round_), 0))


def test_one_more_promotion_is_named_with_its_points() -> None:
    forgotten = left(board("/rr/"))

    assert forgotten == MissedActions(promotions=1, points=1)
    assert missed_actions_line("Ada", forgotten) == "Ada leaves 1 point on the table: one promotion."


def test_spells_and_oracles_are_counted_by_kind() -> None:
    forgotten = left(board("/r/r", promotion=1, great=("G07",)))

    assert forgotten == MissedActions(promotion_spells=1, great=1, points=8)
    assert missed_actions_line("Ada", forgotten) == (
        "Ada leaves 8 points on the table: one promotion spell and one great oracle."
    )


def test_a_board_that_is_as_good_as_it_gets_leaves_nothing() -> None:
    assert left(board("rgby/rg/b")) is None


def test_what_brings_no_points_yet_is_described_without_them() -> None:
    forgotten = left(board("rr"), round_=1)

    assert forgotten == MissedActions(promotions=1, points=0)
    assert missed_actions_line("Ada", forgotten) == "Ada could still do more: one promotion."


def test_who_follows_the_advice_leaves_nothing() -> None:
    state = soul_phase(board("yggbbb", promotion=1, colour_change=1, great=("G01",), small=("S01",)))
    after = play(state, *advise(state, 0).moves)

    assert missed_actions(advise(after, 0)) is None
