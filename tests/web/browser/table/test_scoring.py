"""Just score us: boards photographed with a phone and corrected, or filled in by hand, until somebody has won."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from companion.table import Table
from companion.table.enrolment.service import EnrolmentService
from companion.table.reading.readers_from_profile import readers_for
from tests.companion.adapters.wicked import scored
from tests.companion.cli.laid import TABLE, truth
from tests.vision.boards import enrolled
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.looking import PHONE, SMALL_TARGETS, look

pytestmark = pytest.mark.browser

SIZES = ((1280, 800), PHONE)
_TAPS = """async (button) => {
  for (let tap = 0; tap < 3; tap += 1) {
    button.click();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }
}"""


def settle_all(page: Page) -> None:
    """Look at one open thing after the other and say that it is right."""
    while page.locator("[data-test=right]").count():
        left = page.locator("[data-test=right]").count()
        page.locator("[data-test=right]").first.click()
        expect(page.locator("[data-test=right]")).to_have_count(left - 1)


def test_boards_are_photographed_put_right_and_scored(
    table: Table, serve: Serve, visit: Visit, tmp_path: Path
) -> None:
    enrolled.profile().save(tmp_path / "home")
    table.enrolment = EnrolmentService(table, tmp_path / "home", readers_for)
    strange, whole = tmp_path / "strange.jpg", tmp_path / "whole.jpg"
    cv2.imwrite(str(strange), scored.with_a_strange_token())
    cv2.imwrite(str(whole), scored.whole_table())
    page = visit(f"{serve(table)}#new", PHONE, touch=True)

    page.locator("[data-test=open-scoring]").click()
    page.locator("[data-test=players-3]").click()
    assert page.locator("[data-test=photograph]").get_attribute("capture") == "environment"
    page.locator("[data-test=photograph]").set_input_files(strange)
    expect(page.locator("[data-part='middle:3'].doubted")).to_be_visible(timeout=30_000)
    expect(page.locator("[data-test=said]")).to_contain_text("The purple board was read.")
    look(page, "scoring-board", SIZES)
    assert page.evaluate(SMALL_TARGETS) == []

    # Whether a token lies on that spot cannot change who wins, once nothing lies beside it.
    page.locator("[data-about='board:0'] [data-test=right]").click()
    points = truth(TABLE)["purple"].total
    page.locator("[data-test=photograph-next]").set_input_files(whole)
    expect(page.locator("[data-test=winner]")).to_be_visible(timeout=30_000)
    expect(page.locator("[data-test=said]")).to_contain_text("purple board is already added")
    text = f"Wolf wins with {points} to {points + 2} points. What is still uncertain cannot change that."
    expect(page.locator("[data-test=lead]")).to_have_text(text)
    page.locator("[data-test=winner]").click()
    expect(page.locator("[data-test=hero] h2")).to_have_text("Wolf wins the labyrinth")
    expect(page.locator(".place-total").first).to_have_text(f"{points}–{points + 2}")
    expect(page.locator("[data-test=picture]")).to_have_count(0)
    look(page, "scoring-winner-open", SIZES)

    page.get_by_role("link", name="Back to the boards").click()
    page.locator("[data-test=next]").click()
    page.locator("[data-test=token-empty]").click()
    expect(page.locator("[data-part='middle:3'].doubted")).to_have_count(0)
    settle_all(page)
    expect(page.locator("[data-test=points]")).to_have_text(str(points))
    page.locator("[data-test=winner]").click()
    expect(page.locator(".place-total").first).to_have_text(str(points))
    expect(page.locator(".ledger")).to_have_count(3)
    look(page, "scoring-winner", SIZES)
    with page.expect_download() as download:
        page.locator("[data-test=picture]").click()
    kept = tmp_path / "kept.png"
    download.value.save_as(kept)
    assert kept.read_bytes().startswith(b"\x89PNG")
    assert kept.stat().st_size > 20_000  # something is drawn on it

    # Whoever had not counted everybody says so then, and nobody has won any more.
    page.get_by_role("link", name="Back to the boards").click()
    page.locator("[data-test=add]").click()
    page.get_by_role("radio", name="4 players").click()
    expect(page.locator("[data-test=winner]")).to_have_count(0)
    page.get_by_role("radio", name="3 players").click()
    page.locator("[data-test=winner]").click()
    expect(page.locator("[data-test=hero] h2")).to_have_text("Wolf wins the labyrinth")

    # What is corrected afterwards counts at once.
    page.get_by_role("link", name="Back to the boards").click()
    page.locator("button.person").nth(1).click()
    page.locator("[data-part='high:1']").click()
    page.locator("[data-test=token-blue]").click()
    expect(page.locator("[data-test=points]")).to_have_text(str(truth(TABLE)["red"].total + 5))


def test_each_of_two_hosts_sees_the_board_that_was_asked_for_there(
    table: Table, serve: Serve, visit: Visit, tmp_path: Path
) -> None:
    enrolled.profile().save(tmp_path / "home")
    table.enrolment = EnrolmentService(table, tmp_path / "home", readers_for)
    whole = tmp_path / "whole.jpg"
    cv2.imwrite(str(whole), scored.whole_table())
    address = f"{serve(table)}#scoring"
    tablet, phone = visit(address), visit(address, PHONE, touch=True)
    tablet.locator("[data-test=players-3]").click()
    tablet.locator("[data-test=by-hand-yellow]").click()
    expect(tablet.locator("[data-part='low:0'].picked")).to_be_visible()
    expect(phone.locator("button.person")).to_have_count(2)
    expect(phone.locator("[data-test=scored-board]")).to_have_count(0)
    phone.locator("[data-test=by-hand-green]").click()
    expect(phone.locator("[data-test=scored-board] h2")).to_have_text("Rabbit")
    expect(tablet.locator("button.person")).to_have_count(3)
    tablet.locator("[data-test=token-red]").click()
    expect(tablet.locator("[data-part='low:1'].picked")).to_be_visible()
    expect(tablet.locator("[data-test=scored-board] h2")).to_have_text("Sheep")
    expect(phone.locator("button.person").first).to_contain_text("1")
    for _ in range(2):
        phone.locator("[data-test=remove]").click()

    # Which three of four boards play is unknown, so none of them is added.
    phone.locator("[data-test=photograph]").set_input_files(whole)
    expect(phone.locator("[data-test=said]")).to_contain_text("there are 4 boards, but 3 play", timeout=30_000)
    phone.get_by_role("radio", name="4 players").click()
    expect(phone.locator("[data-test=said]")).to_have_count(0)
    phone.locator("[data-test=photograph]").set_input_files(whole)
    expect(phone.locator("[data-test=scored-board] h2")).to_have_text("Wolf", timeout=30_000)
    expect(tablet.locator("button.person")).to_have_count(5)
    expect(tablet.locator("[data-test=scored-board] h2")).to_have_text("Sheep")
    expect(tablet.locator("[data-part='low:1'].picked")).to_be_visible()


@pytest.mark.journey
def test_boards_are_filled_in_by_hand_without_any_camera(table: Table, serve: Serve, visit: Visit) -> None:
    page = visit(f"{serve(table)}#more", PHONE, touch=True)
    page.get_by_role("link", name="Just score us").click()
    page.locator("[data-test=players-3]").click()
    # Without an enrolled board the numbers are enough: everybody's at one tap each, added up at once.
    for seat, numbers in enumerate(((6, 5, 2, 1), (4, 3, 4, 2), (5, 4, 3, 1))):
        for what, number in zip(("low", "middle", "high", "impurity"), numbers, strict=True):
            page.locator(f"[data-test=sheet-{seat}-{what}-{number}]").click()
    expect(page.locator("[data-test=total-1]")).to_have_text("28")
    expect(page.locator("[data-test=sheet-line]")).to_contain_text("Rabbit wins with 28 points")
    look(page, "scoring-numbers", SIZES)
    # Whoever was left out by mistake comes back with all numbers.
    page.get_by_role("radio", name="4 players").click()
    page.locator("[data-test=sheet-3-low-6]").click()
    expect(page.locator("[data-test=total-3]")).to_have_text("6")
    page.get_by_role("radio", name="3 players").click()
    expect(page.locator("[data-test=total-3]")).to_have_count(0)
    expect(page.locator("[data-test=sheet-line]")).to_contain_text("Rabbit wins with 28 points")
    page.get_by_role("radio", name="4 players").click()
    expect(page.locator("[data-test=total-3]")).to_have_text("6")
    page.get_by_role("radio", name="3 players").click()
    expect(page.locator("[data-test=total-3]")).to_have_count(0)
    page.get_by_role("link", name="Board by board").click()
    expect(page.get_by_text("Boards can be filled in by hand.")).to_be_visible()
    look(page, "scoring-begun", SIZES)
    for colour in ("purple", "green", "red"):
        page.locator(f"[data-test=by-hand-{colour}]").click()
        expect(page.locator("[data-part='low:0'].picked")).to_be_visible()
        for number, token in enumerate(("red", "blue"), 1):
            page.locator(f"[data-test=token-{token}]").click()
            expect(page.locator(f"[data-part='low:{number}'].picked")).to_be_visible()
        if colour == "green":
            page.locator("[data-test=great-1]").click()
            expect(page.locator("[data-test=points]")).to_have_text("17")
            more = page.get_by_role("button", name="Impurity: one more")
            more.evaluate(_TAPS)  # faster than they can be answered
            expect(page.locator("[data-part=impurity] b")).to_have_text("3")
            page.get_by_role("button", name="Impurity: one less").dblclick()
            expect(page.locator("[data-part=impurity] b")).to_have_text("1")
            look(page, "scoring-by-hand", SIZES)
        page.locator("[data-test=done]").click()
        expect(page.locator("[data-test=done]")).to_have_count(0)
    page.locator("[data-test=winner]").click()
    expect(page.locator("[data-test=hero] h2")).to_have_text("Rabbit wins the labyrinth")
    expect(page.locator(".place-total").first).to_have_text("17")
    expect(page.get_by_role("row", name="impurity given back 1").first).to_be_visible()

    page.reload()
    expect(page.locator("[data-test=hero] h2")).to_have_text("Rabbit wins the labyrinth")
    page.locator("[data-test=clear]").click()
    page.locator("[data-test=clear]").click()
    expect(page.locator("[data-test=players-4]")).to_be_visible()
