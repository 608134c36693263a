"""Taps that people need without a camera: a whole game of three by hand, and three boards to score.

`python -m tests.bench taps`. What is revealed follows from a seed; in the soul phase everybody follows the adviser.
Every tap on the page counts, from the start page on.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, ViewportSize

from companion.adapters.wicked.bots.choices import hidden_hand
from companion.games.wicked.adviser import advise
from companion.games.wicked.components import COLOURS
from companion.games.wicked.moves import AchieveGreat, AchieveSmall, CastColourChange, CastPromotion, Move, Promote
from companion.games.wicked.rules.soul_phase import promote, soul_moves
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedPlayer, WickedState
from companion.table import SavedGames, Table
from tests.chromium import launched
from tests.serving import served

SEED = 5
_SIZE: ViewportSize = {"width": 1280, "height": 800}


def main() -> None:
    """Print how many taps each part of a game by hand takes, and how many the scoring of three boards."""
    with _served() as (table, page):
        taps = Taps(page)
        play(table, taps, SEED)
        counts = ", ".join(f"{name} {count}" for name, count in taps.counts.items())
        corridors = taps.times["corridor"]
        print(f"  a game of three by hand: {taps.counts.total()} taps ({counts})")
        print(f"      {taps.counts['corridor'] / corridors:.1f} taps a corridor, {corridors} corridors")
        sheet = Taps(page)
        winner = score(sheet)
        print(f"  three boards scored by hand: {sheet.counts.total()} taps; {winner}")


class Taps:
    """Taps on a page and counts the taps by what they are for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.counts: Counter[str] = Counter()
        self.times: Counter[str] = Counter()

    def tap(self, name: str, where: Locator | str) -> None:
        """Tap once."""
        target = self.page.locator(where) if isinstance(where, str) else where
        target.first.click()
        self.counts[name] += 1


def play(table: Table, taps: Taps, seed: int) -> None:
    """Play a whole game by hand on the page, from the start page to the final scoring."""
    page, rng = taps.page, random.Random(seed)
    taps.tap("start", "[data-test=way-hand]")
    taps.tap("start", page.get_by_role("radio", name="3 players"))
    taps.tap("start", "[data-test=known-cards]")
    taps.tap("start", "[data-test=begin]")
    page.locator("[data-test=pick]").wait_for()
    while (state := _state(table)).phase != "over":
        number = page.evaluate("document.body.dataset.number")
        _PARTS[state.phase](state, taps, rng)
        page.wait_for_function("(before) => document.body.dataset.number !== before", arg=number)
        page.wait_for_function("(now) => document.body.dataset.number === now", arg=_number(table))


def score(taps: Taps) -> str:
    """Score three boards by their numbers from the start page on; return the line that the page says."""
    page = taps.page
    page.goto(page.url.split("#")[0] + "#new")
    taps.tap("score", "[data-test=open-scoring]")
    taps.tap("score", "[data-test=players-3]")
    for seat, numbers in enumerate(((6, 5, 2, 1, 2, 3), (4, 3, 4, 2, 1, 7), (5, 4, 3, 1, 1, 9))):
        for what, number in zip(("low", "middle", "high", "great", "small", "impurity"), numbers, strict=True):
            taps.tap("score", f"[data-test=sheet-{seat}-{what}-{number}]")
    page.wait_for_timeout(500)
    return page.locator("[data-test=sheet-line]").inner_text()


def _deal(state: WickedState, taps: Taps, _: random.Random) -> None:
    for seat in range(len(state.players)):
        for kind, cards in (("Great", state.deck.great), ("Small", state.deck.small)):
            for card in cards[2 * seat : 2 * seat + 2]:
                taps.tap("dealing", taps.page.get_by_role("button", name=f"{kind} oracle {card.id}:"))


def _lay(state: WickedState, taps: Taps, rng: random.Random) -> None:
    free = [card.id for card in state.deck.corridors if card.id not in state.used]
    for card in rng.sample(free, 4):
        taps.tap("laying", taps.page.get_by_role("button", name=f"Corridor {card}."))


def _reveal(state: WickedState, taps: Taps, rng: random.Random) -> None:
    taps.times["corridor"] += 1
    if state.corridor == len(state.corridors) - 1:
        taps.tap("corridor", "[data-test=enter]")
        return
    # Whoever is counted in with everybody else is entered without a further tap; zero stands there from the start.
    hands = [hidden_hand(state, seat, rng) for seat in range(len(state.players))]
    zeros = [hand for hand in hands if not hand.search]
    for seat, hand in enumerate(hands):
        row = taps.page.locator(".pad-row").nth(seat)
        for sign in ("witch", "soul"):
            if getattr(hand, sign):
                taps.tap("corridor", row.get_by_role("button", name=f"{sign}'s sign"))
        if hand.search or len(zeros) <= 1:
            taps.tap("corridor", row.get_by_role("button", name=re.compile(rf"shows {hand.search} search")))
    if len(zeros) > 1:
        taps.tap("corridor", "[data-test=enter]")


def _gain(state: WickedState, taps: Taps, rng: random.Random) -> None:
    seat = next(seat for seat, player in enumerate(state.players) if player.pending is not None)
    pending = state.players[seat].pending
    if pending is not None and pending.whites:
        colours = sorted((rng.choice(COLOURS) for _ in range(pending.whites)), key=COLOURS.index)
        # Two are taken by one tap; an odd one comes last.
        for first in range(0, pending.whites, 2):
            test = "-".join(["white", *colours[first : first + 2]])
            # The rows of those who have chosen stay.
            choosing = taps.page.locator(".hand-gain:has([data-test^=white-])").first
            taps.tap("whites", choosing.locator(f"[data-test={test}]"))
        return
    over = state.players[seat].low.total + (pending.gained.total if pending else 0) - 6
    for _ in range(over):
        taps.tap("full rows", ".hand-gain [data-test=goes-back]")


def _soul(state: WickedState, taps: Taps, _: random.Random) -> None:
    page = taps.page
    if "#player" not in page.url:
        taps.tap("souls", "[data-test=souls]")
    page.locator("[data-test=finish]:enabled").wait_for()
    shown = int(page.url.rsplit("/", 1)[1])
    advised = advise(state, shown).moves
    button, together = _pairs_first(state, shown, advised)
    if not advised:
        # Who can do nothing more is done without a tap, a moment after the last move.
        if not page.evaluate(_ENDS, _number_of(page)):
            taps.tap("souls done", "[data-test=finish]")
            if page.evaluate(_CONFIRMS):
                taps.tap("souls done", "[data-test=finish]")
        return
    if button:
        number = int(_number_of(page))
        taps.tap("souls", f"[data-test={button}-rise]")
        page.wait_for_function("(to) => Number(document.body.dataset.number) === to", arg=number + together)
        return
    match advised[0]:
        case CastPromotion(lift=lift) if lift is not None:
            taps.tap("souls", f"[data-test=promotion-{lift.rank}-{lift.colour}]")
        case CastColourChange(swap=swap) if swap is not None:
            taps.tap("souls", f"[data-test=colour_change-{swap.rank}-{swap.old}]")
        case Promote(lift=lift):
            words = f"Two {lift.rank} {lift.colour} can rise"
            taps.tap("souls", page.locator("[data-test=possible]").and_(page.get_by_label(words)))
        case AchieveSmall(card=card) | AchieveGreat(card=card):
            taps.tap("souls", f"[data-test=achieve-{card}]")
    while page.evaluate(_ASKS, _number_of(page)):
        taps.tap("souls", "[data-test=answer]")


def _pairs_first(state: WickedState, seat: int, advised: Sequence[Move]) -> tuple[str, int]:
    """Return the button that lifts the pairs with which the advice begins, and its number of moves."""
    for button, ranks in (("all", ("low", "middle")), ("low", ("low",))):
        player, made = state.players[seat], 0
        while lifts := [move for move in _pairs(state, player, seat) if move.lift.rank in ranks]:
            if lifts[0].lift.displaced is not None:
                made = 0
                break
            player, made = promote(player, lifts[0]), made + 1
        first = advised[:made]
        if (
            made > 1
            and all(isinstance(move, Promote) for move in first)
            and _after(state.players[seat], first) == player
        ):
            return button, made
    return "", 0


def _pairs(state: WickedState, player: WickedPlayer, seat: int) -> list[Promote]:
    return [move for move in soul_moves(player, seat, state.deck) if isinstance(move, Promote)]


def _after(player: WickedPlayer, moves: Sequence[Move]) -> WickedPlayer:
    for move in moves:
        if isinstance(move, Promote):
            player = promote(player, move)
    return player


def _number_of(page: Page) -> str:
    return str(page.evaluate("document.body.dataset.number"))


_ASKS = """async (before) => {
  for (let waited = 0; waited < 40; waited += 1) {
    await new Promise((done) => setTimeout(done, 50));
    if (document.body.dataset.number !== before) return false;
    if (waited > 2 && document.querySelector("[data-test=answer]:enabled")) return true;
  }
  return false;
}"""
# The page needs a moment to learn that nothing more is possible; nobody taps before that.
_ENDS = """async (before) => {
  for (let waited = 0; waited < 60; waited += 1) {
    if (document.body.dataset.number !== before || document.querySelector("[data-test=wait]")) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}"""
_CONFIRMS = """async () => {
  const before = document.body.dataset.number;
  for (let waited = 0; waited < 60; waited += 1) {
    await new Promise((done) => setTimeout(done, 50));
    if (document.body.dataset.number !== before) return false;
    if (document.querySelector("[data-test=go-back]")) return true;
  }
  return false;
}"""


_PARTS: dict[str, Callable[[WickedState, Taps, random.Random], None]] = {
    "deal": _deal,
    "lay": _lay,
    "search": _reveal,
    "gain": _gain,
    "soul": _soul,
}


def _state(table: Table) -> WickedState:
    game = table.view.game
    if game is None:
        raise RuntimeError("No game is running.")
    return game.state


def _number(table: Table) -> str:
    game = table.view.game
    return "" if game is None else str(game.number)


@contextmanager
def _served() -> Iterator[tuple[Table, Page]]:
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        table = Table(SavedGames(Path(folder) / "games"), STANDIN)
        with served(table) as address:
            page = browser.new_page(viewport=_SIZE, locale="en-GB", reduced_motion="reduce")
            page.goto(address)
            yield table, page
        table.close()


if __name__ == "__main__":
    main()
