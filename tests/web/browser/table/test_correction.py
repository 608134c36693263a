"""Wrong counts corrected on the page: in two taps before they count, and much later with all that follows."""

from __future__ import annotations

import random
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import Hand, Reveal
from companion.table import Table
from companion.table.views import SeatDoubt
from tests.companion.table.playing import SEATS, game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.looking import look
from tests.web.browser.playing import play_until, show
from tests.web.small_table import SmallTable

pytestmark = pytest.mark.browser

FIRST_REVEAL = ".chapter:has(h3:text-is('Round 1 · corridor 1')) li.reveal"


def doubted() -> SmallTable:
    """A table at which the camera is not sure whether Bruno shows two or three."""
    table = SmallTable(simulated=True, seed=4)
    table.start_game(SEATS)
    sure, likely = Hand(1), [Hand(2), Hand(3), Hand(2, witch=1)]
    doubts = (SeatDoubt(1, "Bruno: 2 or 3?"),)
    table.propose(*(Reveal((sure, hand, Hand(4))) for hand in likely), certain=False, doubts=doubts)
    return table


def test_a_doubtful_count_is_right_in_two_taps(serve: Serve, visit: Visit) -> None:
    table = doubted()
    page = visit(serve(table))
    page.locator(".row-seat.doubted button.tally").click()
    look(page, "two-taps")
    page.locator("[data-test=likely]").nth(1).click()
    expect(page.locator(".row-seat .number")).to_have_text(["1", "3", "4"])
    assert table.states[-1].outcome is not None
    assert table.states[-1].outcome.hands == (Hand(1), Hand(3), Hand(4))


def test_a_question_is_answered_by_one_tap(serve: Serve, visit: Visit) -> None:
    table = doubted()
    page = visit(serve(table))
    look(page, "asked")
    page.locator("[data-test=alternative]").nth(1).click()
    expect(page.locator(".proposal")).to_have_count(0)
    assert table.states[-1].outcome is not None
    assert table.states[-1].outcome.hands == (Hand(1), Hand(3), Hand(4))


def test_a_count_that_nobody_offered_is_tapped_on_the_pad(serve: Serve, visit: Visit) -> None:
    table = doubted()
    page = visit(serve(table), (390, 844))
    page.locator("[data-test=correct]").click()
    show(page, "Bruno", 0)
    page.locator("[data-test=enter]").click()
    expect(page.locator(".row-seat .number")).to_have_text(["1", "0", "4"])


def test_a_searched_corridor_on_the_table_opens_its_correction(table: Table, serve: Serve, visit: Visit) -> None:
    table.start_game(SEATS)
    rng = random.Random(3)
    while (state := game_of(table).state).round < 2 or state.phase != "search" or state.corridor < 2:
        table.play(random_move(state, rng), game_of(table).number)
    page = visit(serve(table))
    page.get_by_role("button", name="Corridor 2: correct it").click()
    expect(page.locator("dialog")).to_contain_text("Corridor 2 of round 2")
    expect(page.get_by_role("button", name="Corridor 3: correct it")).to_have_count(0)


@pytest.mark.journey
def test_a_correction_two_rounds_back_is_shown_before_it_is_accepted(
    table: Table, serve: Serve, visit: Visit
) -> None:
    table.start_game(SEATS)
    rng = random.Random(3)
    while game_of(table).state.round < 3:
        table.play(random_move(game_of(table).state, rng), game_of(table).number)
    before = game_of(table)
    page = visit(f"{serve(table)}#history")
    other = visit(page.url)
    open_first_reveal(page)
    difference = page.locator("[data-test=difference]")
    expect(difference).to_contain_text("follows by the rules")
    page.locator("[data-test=leave]").click()
    assert game_of(table) is before

    open_first_reveal(page)
    asked = page.locator("[data-test=asked]")
    accept = page.locator("[data-test=accept]")
    expect(asked.or_(difference.locator(".standings"))).to_be_visible()
    while asked.count():
        expect(accept).to_be_disabled()
        chosen = difference.locator(".changed-lines li", has_text="new")
        so_far = chosen.count()
        asked.locator("[data-test=option]").first.click()
        expect(chosen).to_have_count(so_far + 1)
    look(page, "correction")
    standings = difference.locator(".standings li").all_inner_texts()
    accept.click()
    expect(page.locator(".toast")).to_contain_text("Corrected")
    now = game_of(table)
    assert now.state.round == 3
    assert now.state != before.state
    for standing, score in zip(standings, now.scores, strict=True):
        assert f"{score.total} point".replace("-", "−") in standing
    for screen in (page, other):
        expect(screen.locator(FIRST_REVEAL).locator("span")).to_have_text(first_reveal(table))
    # The latest round comes first, and each is listed in the order of play.
    titles = page.locator(".chapter h3").all_inner_texts()
    corridors = [[title for title in titles if title.startswith(f"Round {number} ·")] for number in (2, 1)]
    assert all(one == sorted(one) and len(one) == 4 for one in corridors)
    assert titles.index("Round 2, souls") < titles.index("Round 1")
    assert titles[-1] == "Preparation"
    page.locator("[data-test=undo]").click()
    expect(page.locator(".toast")).to_contain_text("The correction was undone. These moves count again: Corridor 1")
    assert game_of(table).state == before.state


def open_first_reveal(page: Page) -> None:
    """Open the first reveal of the game and take one piece out of its fullest hand."""
    page.locator(FIRST_REVEAL).locator("[data-test=correct]").click()
    hands = page.locator("dialog .hand")
    expect(hands).to_have_count(3)
    counts = [int(text) for text in hands.locator(".number").all_inner_texts()]
    fullest = counts.index(max(counts))
    show(page, SEATS[fullest].name, max(counts) - 1)


def first_reveal(table: Table) -> str:
    return next(line.text for line in game_of(table).history if line.type == "reveal")


_HEARD = """window.heard = [];
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (when) {
  heard.push(Math.round(this.frequency.value));
  return start.call(this, when);
};
const { speak } = SpeechSynthesis.prototype;
SpeechSynthesis.prototype.speak = function (speech) {
  heard.push(`${speech.lang}: ${speech.text}`);
  return speak.call(this, speech);
};
window.beats = [];
new MutationObserver(() => {
  const beat = document.querySelector(".countin b")?.textContent;
  if (beat && beat !== beats.at(-1)) beats.push(beat);
}).observe(document, { subtree: true, childList: true, characterData: true });"""


def test_somebody_counts_in_with_a_bell_and_a_voice_only_where_they_are_switched_on(
    serve: Serve, visit: Visit
) -> None:
    table = SmallTable(simulated=True, seed=4)
    table.start_game(SEATS)
    page = visit(serve(table), before=lambda page: page.add_init_script(_HEARD))
    bell, voice = (page.get_by_role("button", name=name) for name in ("Bell", "Voice"))

    def counted() -> list[object]:
        """Count in once, and give what was to be heard of it."""
        page.evaluate("beats.length = heard.length = 0")
        page.locator("[data-test=countin]").click()
        page.wait_for_function("() => beats.at(-1) === 'Open' && !document.querySelector('.countin')")
        assert page.evaluate("beats") == ["3", "2", "1", "Open"]
        heard: list[object] = page.evaluate("heard")
        return heard

    assert counted() == []
    bell.click()
    page.reload()
    expect(bell).to_have_attribute("aria-pressed", "true")
    assert counted() == [392, 1082, 440, 1214, 494, 1363, 784, 2164]  # each tone with a partial above it
    bell.click()
    voice.click()
    page.reload()
    expect(voice).to_have_attribute("aria-pressed", "true")
    expect(bell).to_have_attribute("aria-pressed", "false")
    assert counted() == ["en: three", "en: two", "en: one", "en: open"]


_REMEMBERED = """const move = Element.prototype.animate;
window.moved = [];
Element.prototype.animate = function (frames, options) {
  window.moved.push([this.className, JSON.stringify(frames), options.duration]);
  return move.call(this, frames, options);
};"""


@pytest.mark.parametrize("reduced", ["no-preference", "reduce"])
def test_pieces_and_gains_move_only_while_nobody_has_to_decide(
    serve: Serve, visit: Visit, reduced: Literal["no-preference", "reduce"]
) -> None:
    def remember(page: Page) -> None:
        page.emulate_media(reduced_motion=reduced)
        page.add_init_script(_REMEMBERED)

    table = doubted()
    page = visit(serve(table), before=remember)
    expect(page.locator(".row-seat.doubted")).to_have_count(1)
    page.wait_for_function("() => performance.now() > 1300")  # nothing moves before 1200 ms
    table.propose(Reveal((Hand(2), Hand(3), Hand(2))), certain=False, doubts=(SeatDoubt(0, "Ada: 2 or 3?"),))
    expect(page.locator(".row-seat .number").first).to_have_text("2?")
    assert page.evaluate("moved") == []

    table.propose(Reveal((Hand(1), Hand(3), Hand(2))))
    expect(page.locator(".proposal.certain")).to_be_visible()
    assert [name.split()[0] for name, *_ in page.evaluate("moved")] == ["piece"] * 6
    page.locator("[data-test=take]").click()
    expect(page.locator(".proposal")).to_have_count(0)
    moved = page.evaluate("moved")[6:]
    assert moved
    assert {name for name, *_ in moved} == {"gain"}
    assert all(200 <= milliseconds <= 400 for *_, milliseconds in moved)
    assert all(("translate" in frames) == (reduced != "reduce") for _, frames, _ in moved)


def test_the_keyboard_returns_from_a_sheet_to_what_opened_it(table: Table, serve: Serve, visit: Visit) -> None:
    play_until(table, "soul")
    page = visit(f"{serve(table)}#history")
    correct = page.locator("[data-test=correct]").first
    correct.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog [data-test=difference]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(correct).to_be_focused()
