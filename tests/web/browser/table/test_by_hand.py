"""A game entered by hand on the page, at a table without a camera."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from companion.games.wicked.components import GreatOracle
from companion.games.wicked.moves import Hand, NameOracle, Reveal
from companion.table import Table
from tests.companion.adapters.wicked.services import services_of
from tests.companion.table.playing import SEATS, game_of, to_souls
from tests.web.browser.conftest import Serve, Visit, over_web_sockets
from tests.web.browser.looking import PHONE, look
from tests.web.browser.network import Network
from tests.web.browser.playing import enter, play_until, show

pytestmark = pytest.mark.browser

SHOWN = "() => `${document.body.dataset.number} ${document.body.innerText}`"
"""The number of the latest entry, and all text on the page."""
ENDINGS = """() => {
  window.endings = [];
  new MutationObserver(() => {
    const wait = document.querySelector("[data-test=wait]");
    if (wait) endings.push(wait.closest(".dock").querySelector(".dock-title").textContent);
  }).observe(document.body, { subtree: true, childList: true });
}"""
"""Collects what a player's place says while the souls are about to end without a tap."""


def more(page: Page, label: str, times: int = 1) -> None:
    """Tap a stepper's plus."""
    for _ in range(times):
        page.get_by_role("button", name=f"{label}: one more", exact=True).click()


def pad(page: Page, name: str, number: int, *, soul: bool = False) -> None:
    """Count somebody's hand on the pad that stands open for all."""
    row = page.locator(".pad-row").filter(has=page.get_by_role("img", name=re.compile(f"^{name}:")))
    if soul:
        row.get_by_role("button", name="soul's sign").click()
    row.get_by_role("button", name=re.compile(f"shows {number} search piece")).click()


def begin_by_hand(page: Page, cards: str) -> None:
    page.locator("[data-test=way-hand]").click()
    page.get_by_role("radio", name="3 players").click()
    for number, name in enumerate(("Ada", "Bruno", "Chie"), 1):
        page.get_by_label(f"Name of seat {number}").fill(name)
    page.locator(f"[data-test={cards}]").click()
    look(page, "start-by-hand")
    page.locator("[data-test=begin]").click()


@pytest.mark.journey
def test_three_people_play_a_corridor_by_hand_and_take_it_back(table: Table, serve: Serve, visit: Visit) -> None:
    page = visit(serve(table))
    look(page, "start")
    expect(page.locator("[data-test=show-me]")).to_have_count(0)
    begin_by_hand(page, "known-cards")
    expect(page.locator(".lamp[data-state=by_hand]")).to_be_visible()

    for seat in range(3):
        for card in (2 * seat + 1, 2 * seat + 2):
            page.get_by_role("button", name=f"Great oracle G{card:02}:").click()
            page.get_by_role("button", name=f"Small oracle S{card:02}:").click()
    expect(page.get_by_role("button", name="Great oracle")).to_have_count(0)
    for card in (7, 3, 20, 11):
        page.get_by_role("button", name=f"Corridor C{card:02}.").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1 · corridor 1 of 4")
    assert game_of(table).state.corridors == ("C07", "C03", "C20", "C11")
    assert game_of(table).state.players[2].great == ("G05", "G06")

    expect(page.locator("[data-test=enter]")).to_be_disabled()
    pad(page, "Ada", 3)
    pad(page, "Bruno", 2, soul=True)
    look(page, "entering")
    expect(page.locator("[data-test=enter]")).to_be_enabled()
    assert game_of(table).state.outcome is None, "nothing is entered before everybody is counted"
    # Whoever is counted last completes the reveal: it is entered by itself.
    pad(page, "Chie", 2)
    expect(page.locator(".row-seat .place-won")).to_have_text(["1st", "2nd", "2nd"])
    expect(page.locator(".row-seat .number")).to_have_text(["3", "2", "2"])
    page.locator(".row-seat .place-won").nth(1).click()
    expect(page.locator(".row-seat .reason")).to_have_text("2nd: second-most search pieces")
    look(page, "entered")

    page.locator("[data-test=undo]").click()
    expect(page.locator(".toast")).to_contain_text("Undone")
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1 · corridor 1 of 4")
    assert game_of(table).state.outcome is None
    # What was entered stands on the pad again, to be corrected.
    pressed = page.locator(".pad-row .pad-keys:nth-child(3) [aria-pressed=true]")
    expect(pressed).to_have_text(["3", "2", "2"])


def test_a_game_that_began_without_an_acknowledgement_is_shown(table: Table, serve: Serve, visit: Visit) -> None:
    begun: list[str] = []

    def without_acknowledgements(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def to_server(message: str | bytes) -> None:
            if isinstance(message, str) and '"start_game"' in message:
                begun.append(message)
            server.send(message)

        def from_server(message: str | bytes) -> None:
            if not (isinstance(message, str) and message.startswith("43")):
                route.send(message)

        route.on_message(to_server)
        server.on_message(from_server)

    page = visit(serve(table), before=lambda page: over_web_sockets(page, without_acknowledgements))
    begin_by_hand(page, "known-cards")
    expect(page.get_by_role("heading", name="Which oracles lie in front of whom?")).to_be_visible()
    expect(page.locator(".toast.wrong")).to_have_count(0)
    assert len(begun) == 1, "the page went on waiting although the game was there"
    assert [seat.name for seat in game_of(table).seats] == ["Ada", "Bruno", "Chie"]


def test_a_game_whose_beginning_is_lost_on_the_way_says_that_it_is_sent_again(
    table: Table, serve: Serve, visit: Visit
) -> None:
    lost: list[str] = []

    def losing_the_first(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def to_server(message: str | bytes) -> None:
            if isinstance(message, str) and '"start_game"' in message and len(lost) < 2:
                lost.append(message)
            else:
                server.send(message)

        route.on_message(to_server)
        server.on_message(route.send)

    page = visit(serve(table), before=lambda page: over_web_sockets(page, losing_the_first))
    begin_by_hand(page, "known-cards")
    expect(page.locator("[data-test=begin]")).to_have_text("Still trying…")
    expect(page.get_by_role("heading", name="Which oracles lie in front of whom?")).to_be_visible()
    assert [seat.name for seat in game_of(table).seats] == ["Ada", "Bruno", "Chie"]


def test_a_card_that_was_described_wrongly_is_described_again(table: Table, serve: Serve, visit: Visit) -> None:
    page = visit(serve(table))
    begin_by_hand(page, "own-cards")
    for element in ("upper-0-red", "lower-0-blue"):
        page.locator(f"[data-test={element}]").click()
    enter(page)
    pad(page, "Ada", 3)
    pad(page, "Bruno", 2)
    enter(page)
    expect(page.locator(".row-seat .place-won")).to_have_text(["1st", "2nd", "—"])

    page.goto(f"{page.url.split('#')[0]}#history")
    page.locator("li.lay [data-test=correct]").click()
    sheet = page.locator("dialog")
    for element in ("lower-0-blue", "lower-0-blue", "lower-0-yellow"):  # twice, not at all, another
        sheet.locator(f"[data-test={element}]").click()
    expect(page.locator("[data-test=difference]").get_by_role("img", name="low yellow")).to_have_count(2)
    look(page, "described-again")
    page.locator("[data-test=accept]").click()
    expect(page.locator(".toast")).to_contain_text("Corrected")
    state = game_of(table).state
    assert (state.deck.corridors[0].upper, state.deck.corridors[0].lower) == (("red",), ("yellow",))
    assert state.players[0].low.colours == ("red", "yellow")


def test_cards_of_the_box_are_described_or_skipped_and_oracles_named_later(
    table: Table, serve: Serve, visit: Visit
) -> None:
    page = visit(serve(table))
    begin_by_hand(page, "own-cards")
    for element in ("upper-0-red", "upper-0-red", "lower-0-blue", "upper-1-white", "lower-1-yellow"):
        page.locator(f"[data-test={element}]").click()
    look(page, "describing")
    enter(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1 · corridor 1 of 4")
    deck = game_of(table).state.deck
    assert [(card.upper, card.lower) for card in deck.corridors] == [
        (("red", "red"), ("blue",)), (("white",), ("yellow",)), ((), ()), ((), ()),
    ]  # fmt: skip # a row per card
    pad(page, "Ada", 3)
    pad(page, "Bruno", 2)
    enter(page)
    expect(page.locator(".row-seat .place-won")).to_have_text(["1st", "2nd", "—"])
    assert game_of(table).state.players[0].low.colours == ("red", "red", "blue")

    page.goto(f"{page.url.split('#')[0]}#player/0")
    page.locator("[data-test=name-oracle]").click()
    page.locator("[data-test=great-red]").click()
    page.locator("[data-test=great-blue]").click()
    expect(page.get_by_role("img", name=re.compile("^Great oracle O1: high red and high blue"))).to_be_visible()
    page.locator("[data-test=name-oracle]").click()
    page.get_by_role("radio", name="Small oracle").click()
    page.locator("[data-test=need-low-red]").click()
    table.play(NameOracle(1, "O2", GreatOracle("O2", ("red", "green"))), game_of(table).number)
    expect(page.locator("body")).to_have_attribute("data-number", str(game_of(table).number))
    page.locator("[data-test=reward-white]").click()
    look(page, "naming-an-oracle")
    enter(page)
    small = page.get_by_role("img", name=re.compile("^Small oracle O3: low red"))
    expect(small).to_be_visible()
    page.locator("[data-test=undo-own]").click()
    expect(small).to_have_count(0)
    assert game_of(table).state.players[0].great == ("O1",)


def test_a_count_is_corrected_after_it_was_entered(table: Table, serve: Serve, visit: Visit) -> None:
    play_until(table, "search")
    table.play(Reveal((Hand(3), Hand(1), Hand(1))), game_of(table).number)
    assert game_of(table).state.phase in ("search", "gain")
    page = visit(serve(table), PHONE)
    last = page.locator(".row-seat.green [data-test=last-result]")
    last.evaluate("(node) => node.scrollIntoView({ block: 'nearest' })")  # from below what has to be done now
    last.click()
    page.get_by_role("dialog").get_by_role("button", name="Bruno shows 5 search pieces").click()
    page.locator("[data-test=accept]").click()
    expect(page.locator(".row-seat .number")).to_have_text(["3", "5", "1"])
    expect(page.locator(".row-seat .place-won").nth(1)).to_have_text("1st")


def test_an_illegal_correction_tells_its_reason_and_the_game_stays(
    table: Table, serve: Serve, visit: Visit
) -> None:
    play_until(table, "soul")
    before = game_of(table)
    assert before.state.outcome is not None
    left = next(seat for seat, hand in enumerate(before.state.outcome.hands) if hand.search)
    page = visit(f"{serve(table)}#history")
    page.locator("li.reveal [data-test=correct]").last.click()
    show(page, SEATS[left].name, before.state.outcome.hands[left].search - 1)
    expect(page.locator("[data-test=difference]")).to_contain_text("last corridor")
    expect(page.locator("[data-test=accept]")).to_be_disabled()
    look(page, "refused")
    assert game_of(table).number == before.number
    assert game_of(table).state == before.state


def test_a_stale_tap_from_a_second_tablet_is_refused_and_its_page_refreshed(
    table: Table, serve: Serve, visit: Visit
) -> None:
    play_until(table, "search", corridor=2)
    address = serve(table)
    late = {"on": False}

    def hold_back(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def from_server(message: str | bytes) -> None:
            text = message if isinstance(message, str) else ""
            if text.startswith("43"):
                late["on"] = False
            if not (late["on"] and text.startswith('42["table"')):
                route.send(message)

        route.on_message(server.send)
        server.on_message(from_server)

    page = visit(address, before=lambda page: over_web_sockets(page, hold_back))
    expect(page.locator("[data-test=undo]")).to_be_enabled()
    late["on"] = True
    table.play(Reveal(tuple(Hand(0) for _ in SEATS)), game_of(table).number)
    number = game_of(table).number
    page.locator("[data-test=undo]").click()
    expect(page.locator(".toast.wrong")).to_contain_text("The table has moved on")
    expect(page.get_by_role("heading", level=1)).to_contain_text("corridor 4")
    assert game_of(table).number == number


def test_gains_and_souls_are_chosen_on_the_players_own_screen(table: Table, serve: Serve, visit: Visit) -> None:
    play_until(table, "soul", seed=8)
    page = visit(serve(table))
    look(page, "souls")
    for seat in range(len(SEATS)):
        page.get_by_role("link", name="Souls").first.click()
        finish = page.locator("[data-test=finish]")
        expect(finish).to_have_text("Done with my souls")
        if seat == 0:
            look(page, "soul-phase")
        number = game_of(table).number
        open_ = services_of(table).advice.forgotten(seat).moves
        finish.click()
        if open_ or game_of(table).state.players[seat].promotion + game_of(table).state.players[seat].colour_change:
            expect(finish).to_contain_text("Finish anyway" if open_ else "Yes, lose")
            finish.click()
        page.wait_for_function("(before) => document.body.dataset.number !== before", arg=str(number))
        page.get_by_role("link", name="Table").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Round 2")


def test_souls_by_hand_lead_from_player_to_player_and_end_with_the_ranking(
    table: Table, serve: Serve, visit: Visit
) -> None:
    table.start_game(SEATS, "hand")
    to_souls(table, 5)
    page = visit(serve(table))
    page.evaluate(ENDINGS)
    page.locator("[data-test=souls]").click()
    act = page.locator("[data-test=all-rise], [data-test=possible], [data-test=finish]:enabled")
    waiting, summary = page.locator("[data-test=wait]"), page.locator("[data-test=round-summary]")
    for _ in range(80):
        # A player who can do nothing more is done without a tap, and the next one who can is shown.
        act.or_(waiting).or_(summary).first.wait_for()
        if summary.count():
            break
        before = page.evaluate(SHOWN)
        if waiting.count() == 0:
            with suppress(PlaywrightTimeout):  # by then the player may be done
                act.first.click(timeout=2000)
        with suppress(PlaywrightTimeout):  # a tap may only have opened a question
            page.wait_for_function(f"(before) => ({SHOWN})() !== before", arg=before, timeout=3000)
    assert game_of(table).state.phase == "lay"
    endings = page.evaluate("endings")
    assert endings
    assert all(title.endswith("has done all that is possible: the souls end by themselves.") for title in endings)
    summary = page.get_by_role("dialog").locator("[data-test=round-summary] li")
    ranking = sorted(game_of(table).scores, key=lambda score: (score.place, score.player))
    expect(summary).to_have_text([re.compile(f"{score.place}\\..*{SEATS[score.player].name}") for score in ranking])
    look(page, "round-summary")
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".quiet-title")).to_have_text("Round 1 is over")
    expect(page.locator(".row-seat .standing")).to_have_text([f"{score.place}." for score in game_of(table).scores])


def test_white_fragments_are_chosen_by_counting(table: Table, serve: Serve, visit: Visit) -> None:
    for seed in range(60):
        play_until(table, "gain", seed=seed)
        seat = game_of(table).waiting_for[0]
        pending = game_of(table).state.players[seat].pending
        if pending is not None and pending.whites > 1:
            break
    else:
        pytest.fail("no seed leads to two white fragments at once")
    page = visit(f"{serve(table)}#player/{seat}")
    take = page.locator("[data-test=option]")
    expect(take).to_be_disabled()
    more(page, "blue", pending.whites)
    look(page, "white")
    number = game_of(table).number
    take.click()
    page.wait_for_function("(before) => document.body.dataset.number !== before", arg=str(number))
    assert game_of(table).history[-1].type == "choose_colours"


def test_the_final_scoring_shows_its_arithmetic(table: Table, serve: Serve, visit: Visit) -> None:
    play_until(table, "over")
    page = visit(serve(table))
    look(page, "final")
    scores = game_of(table).scores
    for score in scores:
        ledger = page.locator(".ledger").filter(has_text=SEATS[score.player].name)
        parts = [cell.inner_text() for cell in ledger.locator("tbody td:last-child").all()]
        assert sum(int(part.replace("−", "-")) for part in parts) == score.total
        expect(ledger.locator(".total")).to_have_text(str(score.total).replace("-", "−"))
    winner = next(score.player for score in scores if score.place == 1)
    expect(page.locator(".scoring h2")).to_contain_text(SEATS[winner].name)
    for screen in ("player/1", "history", "new"):
        page.goto(f"{page.url.split('#')[0]}#{screen}")
        look(page, f"after-{screen.replace('/', '-')}")


def test_a_lost_connection_is_reported_and_the_page_comes_back_by_itself(
    table: Table, serve: Serve, visit: Visit
) -> None:
    play_until(table, "search")
    network = Network()
    page = visit(serve(table), before=network.over)
    expect(page.locator("body[data-live=on] [data-test=undo]")).to_be_visible()
    network.gone()
    expect(page.locator(".band.lost")).to_contain_text("Connection lost")
    page.locator("[data-test=undo]").click()
    expect(page.locator(".toast.wrong")).to_contain_text("nothing was sent")
    look(page, "lost")
    table.play(Reveal((Hand(4), Hand(1), Hand(0))), game_of(table).number)
    network.back()
    expect(page.locator(".band.lost")).to_have_count(0)
    expect(page.locator(".toast")).to_contain_text("Connected again")
    expect(page.locator(".row-seat .number")).to_have_text(["4", "1", "0"])


def test_a_screen_that_is_one_too_many_says_so_and_connects_when_there_is_room(
    table: Table, serve: Serve, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_until(table, "search")
    with monkeypatch.context() as full:
        full.setattr("web.people.access_control.MAX_SCREENS", 0)
        page = visit(serve(table))
        expect(page.locator(".band.lost")).to_have_text("Too many screens are connected. Close some of them.")
    expect(page.locator("body")).to_have_attribute("data-live", "on")
    expect(page.locator(".band.lost")).to_have_count(0)


def test_the_keyboard_shows_where_it_is(table: Table, serve: Serve, visit: Visit) -> None:
    play_until(table, "search")
    page = visit(serve(table))
    expect(page.locator("[data-test=by-hand]")).to_be_visible()
    reached = set()
    for _ in range(18):
        page.keyboard.press("Tab")
        style = "() => [document.activeElement.textContent, getComputedStyle(document.activeElement).outlineWidth]"
        text, outline = page.evaluate(style)
        assert outline == "3px"
        reached.add(text)
    assert {"Table", "Boards", "Enter the reveal by hand"} <= reached
