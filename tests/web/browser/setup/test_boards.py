"""Tokens and boards on the setup pages: asked about, found, pointed out by taps, and skipped at one tap."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from calibration.games.wicked.standin_boards import standin_layout
from calibration.profile import TableProfile
from companion.director.setup_scenes import specimens_scene
from tests.companion.table.enrolment.enrolled import EnrolmentTable, little_profile
from tests.companion.table.enrolment.enrolled_boards import lying, true_shape
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.looking import PHONE, look
from vision.cameras.simulated.scene import Scene

pytestmark = pytest.mark.browser

SIZES = ((1280, 800), PHONE)


@pytest.fixture(name="setup")
def _setup(tmp_path: Path) -> Iterator[EnrolmentTable]:
    setup = EnrolmentTable(tmp_path, little_profile())
    setup.see(Scene(seats=4, tile=False))
    yield setup
    setup.table.close()


def drag(page: Page, corner: str, to: tuple[float, float]) -> None:
    """Drag a corner to a place in the camera's picture, px."""
    ring = page.get_by_role("button", name=f"{corner} corner of the board").bounding_box()
    assert ring is not None
    page.mouse.move(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
    page.mouse.down()
    page.mouse.move(*on_screen(page, to), steps=3)
    page.mouse.up()


def on_screen(page: Page, place: tuple[float, float]) -> tuple[float, float]:
    """Return where a point of the camera's picture, px, is on the screen while all of the picture is shown."""
    box = page.locator(".sight-frame canvas").first.bounding_box()
    assert box is not None
    scale = box["width"] / 1280
    return box["x"] + place[0] * scale, box["y"] + place[1] * scale


def test_tokens_that_look_like_search_pieces_are_asked_about_once(
    setup: EnrolmentTable, serve: Serve, visit: Visit
) -> None:
    page = visit(f"{serve(setup.table)}#camera/tokens", PHONE)
    page.get_by_role("radio", name="green tokens: not known yet").click()
    setup.see(specimens_scene("search:green", 3))
    page.locator("[data-test=find-pieces]").click()
    expect(page.get_by_role("alert")).to_have_text(
        "They look like the rabbits that are known already. Are these really green tokens?"
    )
    look(page, "wizard-really", SIZES)
    page.get_by_role("button", name="Yes, 8 green tokens").click()
    expect(page.get_by_role("radio", name="green tokens: 8 known")).to_be_visible()
    look(page, "wizard-tokens", SIZES)
    page.get_by_role("link", name="Continue without them").click()
    expect(
        page.get_by_text("Boards and scores are entered by hand: the camera has not learned the boards yet.")
    ).to_be_visible()


def test_boards_are_found_pointed_out_and_forgotten(setup: EnrolmentTable, serve: Serve, visit: Visit) -> None:
    page = visit(f"{serve(setup.table)}#camera/boards", (1280, 800))
    setup.see(lying("red"))
    page.locator("[data-test=find-board]").click()
    expect(page.locator("[data-test=whose-red]")).to_be_checked()
    look(page, "wizard-board", SIZES)
    page.locator("[data-test=keep-board]").click()
    known = page.get_by_role("list", name="Known boards")
    expect(known).to_contain_text("eagle")

    setup.see(lying("green"))
    page.locator("[data-test=point-board]").click()
    shape = true_shape()
    corners = ("Upper left", "Upper right", "Lower right", "Lower left")
    for name, place in zip(corners, shape.corners, strict=True):
        drag(page, name, place)
    look(page, "wizard-board-corners", SIZES)
    page.locator("[data-test=to-spots]").click()
    page.get_by_role("button", name="Whole picture").click()
    taps = (*shape.spots, *shape.spaces["promotion"], *shape.spaces["colour_change"])
    prompt = page.locator("[data-test=tap-next]")
    for number, place in enumerate(taps):
        if number == 6:
            expect(prompt).to_have_text("Tap the middle row from left to right: spot 1 of 5.")
            look(page, "wizard-board-spots", SIZES)
        page.mouse.click(*on_screen(page, place))
    expect(page.get_by_role("heading", name="Is it this board?")).to_be_visible()
    page.locator("[data-test=whose-green]").click()
    page.locator("[data-test=keep-board]").click()
    expect(known).to_contain_text("rabbit")
    learned = TableProfile.load(setup.profile).personal_boards["green"].layout
    for rank in ("low", "middle", "high"):
        assert np.abs(np.array(learned.rows[rank]) - np.array(standin_layout().rows[rank])).max() < 4.0
    page.get_by_role("button", name="Forget the board: eagle").click()
    expect(known).not_to_contain_text("eagle")


def test_the_printed_boards_are_known_at_one_tap(setup: EnrolmentTable, serve: Serve, visit: Visit) -> None:
    page = visit(f"{serve(setup.table)}#camera/boards", PHONE)
    expect(page.get_by_text("has not learned the boards yet.")).to_be_visible()
    look(page, "wizard-no-boards", SIZES)
    page.locator("[data-test=printed-boards]").click()
    expect(page.get_by_role("list", name="Known boards").get_by_role("listitem")).to_have_count(5)
    expect(
        page.get_by_text("Boards and scores are entered by hand: the camera has not learned the tokens yet.")
    ).to_be_visible()
    expect(page.get_by_role("link", name="Boards: done")).to_be_visible()
