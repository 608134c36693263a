"""What the page makes of the moves that the rules offer: every one can be reached, and nothing else."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from playwright.sync_api import Page
from pydantic import TypeAdapter

from companion.games.wicked.components import Deck
from companion.games.wicked.moves import Move
from companion.games.wicked.rules.soul_phase import promote, soul_moves
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedPlayer
from companion.table import Table
from tests.companion.games.wicked.scenarios import board, deck_with
from tests.web.browser.conftest import Serve, Visit

pytestmark = pytest.mark.browser

MOVE: TypeAdapter[Any] = TypeAdapter(Move)
REACHED = """async ([options, player, deck, things]) => {
  const own = document.querySelector("script[type=module]").src;
  const souls = await import(new URL("games/wicked/place/soul_moves.js", own));
  const leaves = (moves) => {
    if (moves.length < 2) return moves;
    const { answers } = souls.question(moves, player, deck);
    if (answers.length < 2) return [["asked in vain", moves]];
    return answers.flatMap((one) => leaves(one.moves));
  };
  return things.flatMap((what) => Object.values(souls.movesFor(options, what)).flatMap(leaves));
}"""
ALL_RISE = """async ([player, ranks]) => {
  const own = document.querySelector("script[type=module]").src;
  const { allRise } = await import(new URL("games/wicked/place/soul_moves.js", own));
  return allRise(player, 0, ranks ?? undefined);
}"""
TWO_REWARDS = deck_with(small={"S01": ((("low", "red"),), ("white", "promotion"))})


@pytest.fixture(name="page")
def _page(table: Table, serve: Serve, visit: Visit) -> Page:
    return visit(serve(table))


def things(player: WickedPlayer) -> list[dict[str, str]]:
    """Everything of a player that can be picked."""
    tokens = [
        {"kind": "token", "rank": rank, "colour": colour}
        for rank, row in (("low", player.low), ("middle", player.middle), ("high", player.high))
        for colour in dict.fromkeys(row.colours)
    ]
    cards = [{"kind": "oracle", "card": card} for card in (*player.great, *player.small)]
    return [*tokens, {"kind": "promotion"}, {"kind": "colour_change"}, *cards]


@pytest.mark.parametrize(
    ("player", "deck"),
    [
        (board("rrgb/g/"), STANDIN),
        (board("rrb/rgggg/rrgb", promotion=2, colour_change=1, great=("G01", "G07"), small=("S01",)), STANDIN),
        (board("rrgggb/ggbbr/rgby", promotion=1, small=("S05", "S06", "S10")), STANDIN),
        (board("", promotion=1, colour_change=1), STANDIN),
        (board("rrgbby/rgbby/rrgb", small=("S01",)), TWO_REWARDS),
    ],
)
def test_every_legal_move_is_reached_by_taps(page: Page, player: WickedPlayer, deck: Deck) -> None:
    moves = [MOVE.dump_python(move, mode="json") for move in soul_moves(player, 0, deck)]
    wanted = [move for move in moves if move["type"] != "finish_soul"]
    reached = page.evaluate(REACHED, [moves, asdict(player), asdict(deck), things(player)])
    assert sorted(map(str, reached)) == sorted(map(str, wanted))
    assert wanted


def test_one_tap_lifts_all_pairs_where_nothing_has_to_be_chosen(page: Page) -> None:
    for player, ranks, risen in (
        (board("rrgggb/g/"), None, board("gb/r/g")),
        (board("rrgggb/g/"), ["low"], board("gb/rgg/")),
        (board("rrrrgg//"), None, board("/g/r")),
        (board("rgby//"), None, board("rgby//")),
        # Three pairs for one free spot: somebody has to choose.
        (board("rrggbb/rgby/"), None, board("rrggbb/rgby/")),
    ):
        after = player
        for move in page.evaluate(ALL_RISE, [asdict(player), ranks]):
            after = promote(after, MOVE.validate_python(move))
        assert after == risen
