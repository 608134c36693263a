"""The first set-up on the page: from no profile to a game, with a camera on what is laid out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from calibration.games.wicked.kit import KIT
from calibration.pieces.enrolment import enrol
from calibration.profile import TableProfile
from calibration.seats import Seating
from companion.adapters.wicked.bots.card_faces import card_faces
from companion.director.setup_scenes import SPECIMENS, box_scene, sheet_scene, specimens_scene
from companion.games.wicked.components import Deck
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.enrolment.camera_choice import Cameras
from companion.table.enrolment.service import EnrolmentService
from companion.table.reading.live_camera import LiveCamera
from companion.table.reading.readers_from_profile import readers_for
from companion.table.views import SeatView
from tests.waiting import eventually
from tests.web.browser.conftest import Launch, Serve, Visit
from tests.web.browser.looking import DRAWN, look
from vision.cameras.frame import Camera, Image
from vision.cameras.listing import ListedCamera
from vision.cameras.phone import PhoneLink
from vision.cameras.simulated import Look, Renderer, SimulatedCamera
from vision.cameras.simulated.scene import CardOnTable, Pose, Scene
from vision.cameras.source_factory import CameraSource, camera_source

pytestmark = pytest.mark.browser

KINDS = ["search:purple", "search:green", "search:red", "search:black", "search:yellow", "sign:witch", "sign:soul"]
SHOWN = ("search:purple", "sign:soul")
"""Kinds that are enrolled on the page; the others are enrolled from their pictures meanwhile."""
COLOURS = ("purple", "green", "red")
EMPTY = Scene(seats=4, tile=False)
CARD = Scene(seats=4, tile=False, cards=(CardOnTable(Pose(4.0, -3.0, 6.0), "C21"),))


@cache
def renderer() -> Renderer:
    return Renderer(Look(), card_faces(Deck("one", STANDIN.corridors[20:21], (), ())))


class CameraFile:
    """What a browser's made camera sees: it reads this file over and over, and what is laid down is put into it."""

    HEADER = b"YUV4MPEG2 W1280 H720 F4:1 Ip A1:1 C420jpeg\nFRAME\n"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._laid = 0
        self._picture = renderer().render(EMPTY)
        self.lay(EMPTY)

    def lay(self, scene: Scene) -> None:
        """Lay this on the table. The file stays the same one, for the browser has it open."""
        self._picture = renderer().render(scene, self._laid)
        self._laid += 1
        with self.path.open("r+b" if self.path.exists() else "xb") as film:
            film.write(self.HEADER + cv2.cvtColor(self._picture, cv2.COLOR_BGR2YUV_I420).tobytes())

    def is_seen_in(self, image: Image | None) -> bool:
        """Return whether a picture, corrected by half a turn, shows what was laid last."""
        if image is None or image.shape != self._picture.shape:
            return False
        there = cv2.absdiff(cv2.rotate(image, cv2.ROTATE_180), self._picture)
        return float(np.percentile(cv2.blur(there, (9, 9)), 99.9)) < 12.0


class FirstSetup:
    """A companion as `companion serve --camera 0 --profile NEW` makes it, where a phone may be the camera, too."""

    def __init__(self, folder: Path) -> None:
        self.profile = folder / "profile"
        self.link = PhoneLink("https://192.0.2.1:8000/camera")
        self.film = CameraFile(folder / "camera.y4m")
        self.table = Table(SavedGames(folder / "games"), STANDIN)
        cameras = Cameras(self.profile, "0", self.source, phone=self.link, listed=listed)
        self.table.enrolment = EnrolmentService(self.table, self.profile, readers_for, cameras)
        opener, patience = cameras.opener()
        self.watching = LiveCamera(self.table, opener, None, patience)
        cameras.on_change = self.watching.switch_to
        self.watching.start()

    def source(self, name: str, identity: str) -> CameraSource:
        """Only the phone looks at the table: the laptop's own camera sees a bare one, whatever is laid there."""
        return camera_source("phone", phone=self.link) if name == "phone" else CameraSource(bare_table)

    def close(self) -> None:
        self.watching.close()
        self.table.close()


def bare_table() -> Camera:
    camera = SimulatedCamera(renderer(), fps=2.0)
    camera.show(EMPTY)
    return camera


def listed() -> tuple[ListedCamera, ...]:
    return ListedCamera(0, "Lid of the laptop", None), ListedCamera(2, "Arm over the table", None)


@pytest.fixture(name="setup")
def _setup(tmp_path: Path) -> Iterator[FirstSetup]:
    setup = FirstSetup(tmp_path)
    yield setup
    setup.close()


@pytest.mark.timeout(400)
def test_a_table_is_set_up_from_scratch_through_one_camera_file_and_its_box_is_checked(
    setup: FirstSetup, serve: Serve, visit: Visit, launch: Launch
) -> None:
    address = serve(setup.table, setup.link)
    eventually(lambda: setup.table.picture is not None, 60.0)
    page = visit(address)
    page.locator("[data-test=way-camera]").click()
    with phone(address, setup.film, launch):
        choose_the_camera(page)
        eventually(lambda: setup.link.figures.kept > 0)
        show_the_sheet(page, setup)
        show_the_pieces(page, setup)
        show_the_cards(page, setup)
        page.locator("[data-test=next]").click()
        take_the_boards(page)
        page.locator("[data-test=to-game]").click()
        check_the_box(page, setup)
    profile = TableProfile.load(setup.profile)
    assert set(profile.pieces) == set(KINDS)
    assert len(profile.personal_boards) == 5
    assert {len(known.specimens) for known in profile.pieces.values()} == {SPECIMENS}
    assert setup.table.plane == profile.plane is not None
    page.locator("[data-test=begin]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Oracles are dealt")


@contextmanager
def phone(address: str, film: CameraFile, launch: Launch) -> Iterator[None]:
    """Make a phone whose camera films the scene the companion's camera."""
    browser = launch(
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film.path}",
    )
    try:
        page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        page.goto(f"{address}camera")
        page.locator("[data-test=start]").click()
        yield
    finally:
        browser.close()


def choose_the_camera(page: Page) -> None:
    """Take the phone, and put its picture right."""
    page.get_by_role("radio", name="a phone").click()
    expect(page.get_by_role("radio", name="a phone")).to_be_checked()
    page.locator("[data-test=turn-picture]").click()
    expect(page.get_by_text("Turned by 90°.")).to_be_visible()
    page.locator("[data-test=turn-picture]").click()
    expect(page.get_by_text("Turned by 180°.")).to_be_visible()
    look(page, "wizard-camera")
    page.locator("[data-test=next]").click()


def show_the_sheet(page: Page, setup: FirstSetup) -> None:
    """The sheet is detected live, then captured and saved."""
    expect(page.locator("[data-test=find-sheet]")).to_be_disabled()
    setup.film.lay(sheet_scene())
    expect(page.get_by_text("The sheet is seen. It waits for your tap")).to_be_visible()
    findings = page.locator("[data-test=sheet-findings] .good")
    expect(findings).to_have_text(
        [re.compile(r"The camera looks \d+° off"), re.compile(r"15 mm is \d+ pixels wide")]
    )
    look(page, "wizard-sheet")
    measure_the_screen(page)
    page.locator("[data-test=find-sheet]").click()
    page.locator("[data-test=keep]").click()
    expect(page.get_by_role("heading", name="The table is found")).to_be_visible()
    setup.film.lay(EMPTY)
    expect(page.get_by_text("The empty table is saved")).to_be_visible(timeout=20_000)
    look(page, "wizard-empty-table")
    page.locator("[data-test=next]").click()


def measure_the_screen(page: Page) -> None:
    """A screen shows the sheet only where it is large enough; its measured size is kept."""
    page.locator("[data-test=screen-sheet]").click()
    page.locator("[data-test=screen-size]").fill("6")
    expect(page.locator("[data-test=screen-fits]")).to_contain_text("the sheet needs 260 × 188 mm")
    expect(page.locator("[data-test=screen-show]")).to_be_disabled()
    look(page, "wizard-screen")
    page.locator("[data-test=screen-size]").fill("3.9")
    page.locator("[data-test=screen-show]").click()
    drawn = page.get_by_role("img", name="Calibration sheet").bounding_box()
    assert drawn is not None
    assert drawn["width"] == pytest.approx(297 * 3.9, abs=1)
    page.get_by_role("button", name="Leave the sheet").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def show_the_pieces(page: Page, setup: FirstSetup) -> None:
    """One kind after the other is laid out; nobody presses anything but that they are the right ones."""
    enrol_the_others(setup.profile)
    page.locator("[data-test=by-itself]").click()
    for number, kind in enumerate(SHOWN):
        setup.film.lay(specimens_scene(kind, KINDS.index(kind)))
        keep = page.locator("[data-test=keep]")
        expect(keep).to_have_text("Keep all 8", timeout=45_000)
        if number == 0:
            look(page, "wizard-pieces")
        keep.click()
        expect(keep).to_have_count(0)
    expect(page.get_by_text("All known kinds can be distinguished under this light.")).to_be_visible()
    look(page, "wizard-report")
    page.locator("[data-test=next]").click()


def enrol_the_others(folder: Path) -> None:
    """Enrol every kind that is not shown on the page, as the camera would see it."""
    profile = TableProfile.load(folder)
    for number, kind in enumerate(KINDS):
        if kind not in SHOWN:
            picture = cv2.rotate(renderer().render(specimens_scene(kind, number), number), cv2.ROTATE_180)
            profile = enrol(profile, kind, [np.asarray(picture, np.uint8)])
    profile.save(folder)


def show_the_cards(page: Page, setup: FirstSetup) -> None:
    """One card is photographed and corrected by a tap; the rest comes with the printed deck."""
    page.locator("[data-test=by-itself]").click()
    setup.film.lay(CARD)
    keep = page.locator("[data-test=keep-card]")
    expect(keep).to_be_visible()
    upper = page.get_by_role("group", name="Upper half")
    for element in ("blue fragment", "yellow fragment"):
        chosen = upper.get_by_role("button", name=element)
        proposed = chosen.get_attribute("aria-pressed") == "true"
        for pressed in ("false", "true") if proposed else ("true",):
            chosen.click()
            page.evaluate(DRAWN)
            assert chosen.get_attribute("aria-pressed") == pressed  # at once, not with the next message
    page.locator("[data-test=card-name]").fill("C21")
    look(page, "wizard-card")
    keep.click()
    expect(page.get_by_role("heading", name="1 card is known")).to_be_visible()
    page.locator("[data-test=stand-in]").click()
    page.locator("[data-test=sure]").click()
    expect(page.get_by_role("heading", name="52 cards are known")).to_be_visible(timeout=120_000)


def take_the_boards(page: Page) -> None:
    """Tokens are left out, the boards are the printed ones: scores are entered by hand."""
    look(page, "wizard-no-tokens")
    page.get_by_role("link", name="Continue without them").click()
    page.locator("[data-test=printed-boards]").click()
    expect(page.get_by_role("link", name="Boards: done")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Still open, only for reading boards: Tokens.")).to_be_visible()
    expect(page.get_by_text("the camera has not learned the tokens yet.")).to_be_visible()
    look(page, "wizard-boards")


def check_the_box(page: Page, setup: FirstSetup) -> None:
    """One piece is still in the box."""
    page.get_by_role("radio", name="3 players").click()
    page.get_by_role("textbox", name="Name of seat 1").fill("Ada")
    setup.film.lay(box_scene(KIT, COLOURS, missing=1))
    eventually(lambda: setup.film.is_seen_in(setup.table.picture))
    page.locator("[data-test=count-box]").click()
    expect(page.get_by_text("Ada: 5 of 6 pieces seen.")).to_be_visible()
    expect(page.get_by_text("Rabbit: 6 of 6 pieces seen.")).to_be_visible()
    look(page, "wizard-box")


def drag_to(page: Page, what: Locator, right: float, down: float) -> None:
    """Drag somebody's crest to a place of the drawn table, given as shares of its room."""
    room, start = page.locator(".round-table").bounding_box(), what.bounding_box()
    assert room is not None
    assert start is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(room["x"] + right * room["width"], room["y"] + down * room["height"], steps=4)
    page.mouse.up()


def test_players_are_dragged_round_the_table_and_moved_with_keys(table: Table, serve: Serve, visit: Visit) -> None:
    page = visit(f"{serve(table)}#new/camera")
    page.get_by_role("textbox", name="Name of seat 1").fill("Ada")
    first, third = page.locator("[data-test=seat-1]"), page.locator("[data-test=seat-3]")
    expect(first).to_contain_text("Ada")
    # Where somebody sits already, the two change places.
    drag_to(page, first, 0.5, 0.09)
    expect(third).to_contain_text("Ada")
    expect(first).to_contain_text("eagle")
    third.press("Shift+ArrowRight")
    fourth = page.locator("[data-test=seat-4]")
    expect(fourth).to_contain_text("Ada")
    expect(fourth).to_be_focused()
    # Two and two: along the near and the far side.
    for seat, (right, down) in enumerate(((0.25, 0.8), (0.25, 0.12), (0.75, 0.12), (0.75, 0.8)), start=1):
        drag_to(page, page.locator(f"[data-test=seat-{seat}]"), right, down)
    expect(fourth).to_contain_text("Ada")
    two_and_two = [[5, 13, 23, 31]]
    eventually(lambda: [[round(angle / 10) for angle in one.angles] for one in table.seating.known] == two_and_two)
    before = table.seating.known[0].angles[3]
    fourth.press("ArrowRight")
    eventually(lambda: table.seating.known[0].angles[3] == round(before) + 5)
    # Past a neighbour the order is another one.
    drag_to(page, fourth, 0.06, 0.45)
    second = page.locator("[data-test=seat-2]")
    expect(second).to_contain_text("Ada")
    expect(second).to_have_attribute("data-angle", re.compile("^(8[5-9]|9[0-5])$"))
    drag_to(page, second, 0.75, 0.8)
    expect(fourth).to_contain_text("Ada")
    look(page, "seats")
    page.locator("[data-test=begin]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Oracles are dealt")
    game = table.view.game
    assert game is not None
    assert [(seat.name, seat.figure) for seat in game.seats] == [
        ("Eagle", "red"),
        ("Rabbit", "green"),
        ("Cat", "black"),
        ("Ada", "purple"),
    ]


def test_seats_are_moved_in_mid_game_and_keep_their_order(table: Table, serve: Serve, visit: Visit) -> None:
    table.start_game(
        tuple(SeatView(name, colour) for name, colour in zip(("Ada", "Bo", "Cy"), COLOURS, strict=True))
    )
    page = visit(serve(table))
    page.locator("[data-test=where-they-sit]").click()
    dialog = page.get_by_role("dialog", name="Where everybody sits")
    expect(dialog.locator("[data-test=evenly]")).to_be_disabled()
    second = dialog.locator("[data-test=seat-2]")
    # Beyond Cy there is nobody's place: Bo stops beside Cy.
    drag_to(page, second, 0.9, 0.7)
    expect(second).to_contain_text("Bo")
    eventually(lambda: table.seating.known != ())
    assert table.seating.known[0].angles == (0.0, 220.0, 240.0)
    look(page, "seats-in-game")
    second.press("ArrowLeft")
    eventually(lambda: table.seating.known[0].angles == (0.0, 215.0, 240.0))
    dialog.locator("[data-test=evenly]").click()
    eventually(lambda: table.seating.known == ())
    expect(second).to_have_attribute("data-angle", "120")
    dialog.get_by_role("button", name="Done").click()
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (390, 844)])
def test_seats_two_and_two_fit_every_screen(
    table: Table, serve: Serve, visit: Visit, size: tuple[int, int]
) -> None:
    table.start_game(
        tuple(
            SeatView(f"{name} Montgomery", colour)
            for name, colour in zip(("Ada", "Bo", "Cy", "Dolores"), (*COLOURS, "yellow"), strict=True)
        )
    )
    table.seating.set_seating(Seating((50.0, 130.0, 230.0, 310.0)))
    page = visit(serve(table), size)
    look(page, "two-and-two", [size])
    page.locator("[data-test=where-they-sit]").click()
    seats = page.get_by_role("dialog").locator(".round-seat")
    expect(seats).to_have_count(4)
    for index in range(4):
        box = seats.nth(index).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
    look(page, "two-and-two-seats", [size])
    page.goto(page.url.split("#")[0] + "#new/camera")
    expect(page.locator(".round-table")).to_be_visible()
    look(page, "two-and-two-start", [size])
