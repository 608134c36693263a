"""The table is set up on the page, in the middle of a game, with fingers and with keys."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from calibration.profile import TableProfile
from companion.director.setup_scenes import sheet_scene, specimens_scene
from companion.table import Loop
from companion.table.views import SeatView
from tests.companion.table.enrolment.enrolled import EnrolmentTable, little_profile, renderer
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.looking import look
from vision.cameras.grabber import Grabber
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.simulated.scene import Scene

pytestmark = pytest.mark.browser

PLAYERS = (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red"))
EMPTY = Scene(seats=4, tile=False)


class Watched(EnrolmentTable):
    """An enrolled table with a live camera."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.camera = SimulatedCamera(renderer(), fps=4.0)
        self.camera.show(EMPTY)
        self.grabber = Grabber(lambda: self.camera)
        self.loop = Loop(self.table, self.grabber)
        self.loop.start()

    def lay(self, scene: Scene) -> None:
        """Lay this on the table, and wait until it has been seen."""
        seen = threading.Event()
        self.camera.show(scene)
        # One frame may be rendered by now and another one may wait to be read: the third shows the new scene.
        wanted = self.grabber.status.frames + 3
        unsubscribe = self.table.subscribe(lambda view: seen.set() if view.camera.frames >= wanted else None)
        assert seen.wait(30)
        unsubscribe()


@pytest.fixture(name="watched")
def _watched(tmp_path: Path) -> Iterator[Watched]:
    watched = Watched(tmp_path, little_profile())
    yield watched
    watched.loop.close()
    watched.table.close()


def middle(node: Locator) -> tuple[float, float]:
    box = node.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, corner: Locator, by: tuple[float, float]) -> None:
    x, y = middle(corner)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=3)
    page.mouse.up()


@pytest.mark.timeout(400)
def test_the_sheets_corners_are_dragged_in_mid_game_and_the_game_stays(
    watched: Watched, serve: Serve, visit: Visit
) -> None:
    watched.table.start_game(PLAYERS)
    game = watched.table.view.game
    before = watched.table.plane
    page = visit(f"{serve(watched.table)}#camera/sheet")
    expect(page.get_by_text("Good enough to count pieces of 15 mm.")).to_be_visible()
    look(page, "camera-and-table")
    watched.lay(sheet_scene())
    page.locator("[data-test=by-corners]").click()
    keep = page.locator("[data-test=keep]")
    expect(keep).to_be_enabled()
    look(page, "corners")
    assert watched.table.view.camera.state == "teaching"

    first = page.locator(".corner").first
    drag(page, first, (70, -60))
    expect(page.locator(".refusal")).to_contain_text("seat 1")
    expect(keep).to_be_disabled()
    look(page, "corners-refused")
    first.blur()
    expect(page.locator(".loupe")).to_be_hidden()
    page.get_by_role("button", name="New picture").click()
    expect(keep).to_be_enabled()
    first.focus()
    x, y = middle(first)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    expect(page.locator(".loupe")).to_be_visible()
    assert middle(first)[1] > y + 3
    assert middle(first)[0] > x
    page.keyboard.press("Shift+ArrowUp")
    expect(keep).to_be_enabled()
    keep.click()
    expect(page.get_by_role("heading", name="The table is found")).to_be_visible()
    look(page, "corners-kept")

    plane = TableProfile.load(watched.profile).plane
    assert watched.table.plane == plane != before
    assert watched.table.view.game == game
    page.locator("[data-test=finish]").click()
    expect(page.locator(".lamp")).not_to_have_attribute("data-state", "teaching")
    page.get_by_role("link", name="Table", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Oracles are dealt")


@pytest.mark.timeout(400)
def test_pieces_are_looked_at_on_the_page_and_kept_less_one(watched: Watched, serve: Serve, visit: Visit) -> None:
    page = visit(f"{serve(watched.table)}#camera/pieces")
    page.get_by_role("radio", name="eagles: not known yet").click()
    page.locator("[data-test=find-pieces]").click()
    expect(page.get_by_role("heading", name="No eagles found")).to_be_visible()
    look(page, "no-pieces")
    page.locator("[data-test=empty-table]").click()
    expect(page.locator("[data-test=empty-table]")).to_have_count(0)
    page.locator("[data-test=find-pieces]").click()
    expect(page.get_by_role("heading", name="No eagles found")).to_be_visible()
    watched.lay(specimens_scene("search:red", 1))
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="8 eagles?")).to_be_visible()
    page.locator(".crop").nth(3).click()
    expect(page.locator("[data-test=keep]")).to_have_text("Keep 7")
    look(page, "pieces-found")
    page.locator("[data-test=keep]").click()
    expect(page.get_by_role("radio", name="eagles: 7 known")).to_be_visible()
    look(page, "pieces-kept")
    page.get_by_role("link", name="Games").click()
    expect(page.locator(".lamp[data-state=teaching]")).to_have_count(0)
