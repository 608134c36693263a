"""The first evening on the page: from no profile to a game, with a camera that sees what is laid before it."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from calibration.profile import TableProfile
from companion.director.furnishing import card_faces
from companion.director.lessons import box_scene, sheet_scene, specimens_scene
from companion.games.wicked.components import Deck
from companion.games.wicked.standin import STANDIN
from companion.table import Library, Table
from companion.table.cameras import Cameras
from companion.table.teacher import Teacher
from companion.table.watching import Watching, readers_for
from tests.vision.cameras.test_grabber import eventually
from tests.web.browser.conftest import Launch, Serve, Visit
from tests.web.browser.looking import look
from vision.cameras.frame import Camera
from vision.cameras.grabber import Patience
from vision.cameras.listing import ListedCamera
from vision.cameras.phone import PhoneLink
from vision.cameras.simulated import Look, Renderer, SimulatedCamera
from vision.cameras.simulated.scene import CardOnTable, Pose, Scene
from vision.cameras.sources import CameraSource, camera_source
from web import create_app
from web.certificate import certificate
from web.server import listen

pytestmark = pytest.mark.browser

KINDS = ["search:purple", "search:green", "search:red", "search:black", "search:yellow", "sign:witch", "sign:soul"]
COLOURS = ("purple", "green", "red")
EMPTY = Scene(seats=4, tile=False)
CARD = Scene(seats=4, tile=False, cards=(CardOnTable(Pose(4.0, -3.0, 6.0), "C21"),))


@cache
def renderer() -> Renderer:
    return Renderer(Look(), card_faces(Deck("one", STANDIN.corridors[20:21], (), ())))


class Evening:
    """A companion as `companion serve --camera 0 --profile NEW` makes it, with one scene for all its cameras."""

    def __init__(self, folder: Path) -> None:
        self.profile = folder / "profile"
        renderer()  # its own preparing is no part of what a camera does
        self.scene = EMPTY
        self.opened: list[SimulatedCamera] = []
        self.table = Table(Library(folder / "games"), STANDIN)
        cameras = Cameras(self.profile, "0", lambda name: CameraSource(self.open), listed=listed)
        self.table.teacher = Teacher(self.table, self.profile, readers_for, cameras)
        opener, patience = cameras.opened()
        cameras.retina = self.watching = Watching(self.table, opener, None, patience)
        self.watching.start()

    def open(self) -> Camera:
        self.opened.append(SimulatedCamera(renderer(), fps=6.0))
        self.opened[-1].show(self.scene)
        return self.opened[-1]

    def lay(self, scene: Scene) -> None:
        """Lay this on the table."""
        self.scene = scene
        self.opened[-1].show(scene)

    def close(self) -> None:
        self.watching.close()
        self.table.close()


def listed() -> tuple[ListedCamera, ...]:
    return ListedCamera(0, "Lid of the laptop", None), ListedCamera(2, "Arm over the table", None)


@pytest.fixture(name="evening")
def _evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path)
    yield evening
    evening.close()


@pytest.mark.timeout(400)
def test_a_table_is_taught_from_nothing_and_its_box_is_checked(
    evening: Evening, serve: Serve, visit: Visit
) -> None:
    eventually(lambda: evening.table.picture is not None, 60.0)
    page = visit(serve(evening.table))
    page.locator("[data-test=set-up]").click()
    choose_the_camera(page)
    show_the_sheet(page, evening)
    show_the_pieces(page, evening)
    show_the_cards(page, evening)
    page.locator("[data-test=next]").click()
    expect(page.get_by_text("Everything is taught.")).to_be_visible()
    look(page, "wizard-boards")
    page.locator("[data-test=to-game]").click()
    check_the_box(page, evening)
    profile = TableProfile.load(evening.profile)
    assert set(profile.pieces) == set(KINDS)
    assert evening.table.plane == profile.plane is not None
    page.locator("[data-test=begin]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Oracles are dealt")


def choose_the_camera(page: Page) -> None:
    """Take the other camera, and put its picture right."""
    page.get_by_role("radio", name="Arm over the table").click()
    expect(page.get_by_role("radio", name="Arm over the table")).to_be_checked()
    page.locator("[data-test=turn-picture]").click()
    expect(page.get_by_text("Turned by 90°.")).to_be_visible()
    page.locator("[data-test=turn-picture]").click()
    expect(page.get_by_text("Turned by 180°.")).to_be_visible()
    look(page, "wizard-camera")
    page.locator("[data-test=next]").click()


def show_the_sheet(page: Page, evening: Evening) -> None:
    """The sheet is told live, then taken and kept."""
    expect(page.locator("[data-test=find-sheet]")).to_be_disabled()
    evening.lay(sheet_scene())
    expect(page.get_by_text("The sheet is seen; this is how it would do.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"A piece of 15 mm is \d+ pixels wide"))).to_be_visible()
    look(page, "wizard-sheet")
    page.locator("[data-test=find-sheet]").click()
    page.locator("[data-test=keep]").click()
    expect(page.get_by_role("heading", name="The table is found")).to_be_visible()
    page.locator("[data-test=next]").click()


def show_the_pieces(page: Page, evening: Evening) -> None:
    """One kind after the other is laid out; nobody presses anything but that they are the right ones."""
    page.locator("[data-test=by-itself]").click()
    for number, kind in enumerate(KINDS):
        evening.lay(specimens_scene(kind, number))
        keep = page.locator("[data-test=keep]")
        expect(keep).to_have_text(re.compile(r"Keep all [678]"), timeout=60_000)
        if number == 0:
            look(page, "wizard-pieces")
        keep.click()
        expect(keep).to_have_count(0)
    expect(page.get_by_text("All that are known can be told apart under this light.")).to_be_visible()
    look(page, "wizard-report")
    page.locator("[data-test=next]").click()


def show_the_cards(page: Page, evening: Evening) -> None:
    """One card is photographed and put right by a tap; the rest comes with the printed deck."""
    page.locator("[data-test=by-itself]").click()
    evening.lay(CARD)
    keep = page.locator("[data-test=keep-card]")
    expect(keep).to_be_visible()
    upper = page.get_by_role("group", name="Upper half")
    for element in ("blue fragment", "yellow fragment"):
        chosen = upper.get_by_role("button", name=element)
        if chosen.get_attribute("aria-pressed") == "false":
            chosen.click()
        expect(chosen).to_have_attribute("aria-pressed", "true")
    page.locator("[data-test=card-name]").fill("C21")
    look(page, "wizard-card")
    keep.click()
    expect(page.get_by_role("heading", name="1 card is known")).to_be_visible()
    page.locator("[data-test=stand-in]").click()
    page.locator("[data-test=sure]").click()
    expect(page.get_by_role("heading", name="52 cards are known")).to_be_visible(timeout=120_000)


def check_the_box(page: Page, evening: Evening) -> None:
    """One piece is still in the box."""
    page.get_by_role("radio", name="3 players").click()
    page.get_by_role("textbox", name="Name of seat 1").fill("Ada")
    evening.lay(box_scene(COLOURS, missing=1))
    eventually(lambda: evening.table.view.camera.state != "teaching", 20.0)
    time.sleep(0.5)
    page.locator("[data-test=count-box]").click()
    expect(page.get_by_text("Ada: 5 of 6 search pieces seen. 1 missing.")).to_be_visible()
    expect(page.get_by_text("Rabbit: 6 of 6 search pieces seen.")).to_be_visible()
    look(page, "wizard-box")


@pytest.fixture(name="film", scope="module")
def _film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a phone's camera sees, in the raw form that Chromium's made camera plays over and over: the sheet."""
    path = tmp_path_factory.mktemp("camera") / "sheet.y4m"
    with path.open("wb") as film:
        film.write(b"YUV4MPEG2 W1280 H720 F5:1 Ip A1:1 C420jpeg\n")
        for number in range(2):
            picture = cv2.cvtColor(renderer().render(sheet_scene(), number), cv2.COLOR_BGR2YUV_I420)
            film.write(b"FRAME\n" + picture.tobytes())
    return path


@pytest.mark.timeout(300)
def test_the_sheet_is_found_in_what_a_phone_sees(tmp_path: Path, launch: Launch, film: Path) -> None:
    link = PhoneLink()
    table = Table(Library(tmp_path / "games"), STANDIN)
    cameras = Cameras(tmp_path / "profile", "phone", lambda _: camera_source("phone", phone=link), phone=True)
    table.teacher = Teacher(table, tmp_path / "profile", readers_for, cameras)
    cameras.retina = watching = Watching(table, *without(cameras.opened()))
    app = create_app(table, phone=link)
    server = listen(app, "127.0.0.1", 0, certificate(tmp_path / "tls"))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    watching.start()
    browser = launch(
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )
    try:
        context = browser.new_context(ignore_https_errors=True)
        phone, tablet = context.new_page(), browser.new_context(ignore_https_errors=True).new_page()
        phone.goto(f"https://localhost:{server.port}/camera")
        phone.locator("[data-test=start]").click()
        eventually(lambda: table.picture is not None, 60.0)
        tablet.goto(f"https://localhost:{server.port}/#camera/sheet")
        expect(tablet.get_by_text("The sheet is seen; this is how it would do.")).to_be_visible(timeout=60_000)
        tablet.locator("[data-test=find-sheet]").click()
        tablet.locator("[data-test=keep]").click()
        expect(tablet.get_by_role("heading", name="The table is found")).to_be_visible()
        plane = TableProfile.load(tmp_path / "profile").plane
        assert plane is not None
        assert plane.image_size == (1280, 720)
    finally:
        browser.close()
        server.shutdown()
        server.server_close()
        thread.join(5)
        app.extensions["unsubscribe"]()
        watching.close()
        table.close()


def without(opened: tuple[Callable[[], Camera], Patience]) -> tuple[Callable[[], Camera], None, Patience]:
    """Add that nothing is read with yet."""
    return opened[0], None, opened[1]


def test_players_are_dragged_round_the_table_and_moved_with_keys(table: Table, serve: Serve, visit: Visit) -> None:
    page = visit(serve(table))
    page.get_by_role("textbox", name="Name of seat 1").fill("Ada")
    first, third = page.locator("[data-test=seat-1]"), page.locator("[data-test=seat-3]")
    expect(first).to_contain_text("Ada")
    start, end = first.bounding_box(), third.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + 24, steps=4)
    page.mouse.up()
    expect(third).to_contain_text("Ada")
    expect(first).to_contain_text("eagle")
    third.press("ArrowRight")
    fourth = page.locator("[data-test=seat-4]")
    expect(fourth).to_contain_text("Ada")
    expect(fourth).to_be_focused()
    look(page, "seats")
    page.locator("[data-test=begin]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Oracles are dealt")
    game = table.view.game
    assert game is not None
    assert [(seat.name, seat.colour) for seat in game.seats] == [
        ("Eagle", "red"),
        ("Rabbit", "green"),
        ("Cat", "black"),
        ("Ada", "purple"),
    ]
