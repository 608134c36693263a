"""A phone's browser as the camera: Chromium with a made camera, by https with the companion's own certificate."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.games.wicked.standin_deck import STANDIN
from companion.table import Loop, SavedGames, Table
from tests.waiting import LONGEST_WAIT, eventually
from tests.web.browser.conftest import Launch
from tests.web.browser.looking import PHONE, TABLET, look
from tests.web.browser.network import SlowNetwork
from vision.cameras.frame import Image
from vision.cameras.grabber import Grabber
from vision.cameras.phone import PhoneLink
from vision.cameras.source_factory import camera_source
from web import create_app
from web.serving.certificate import certificate
from web.serving.server_startup import listen

pytestmark = pytest.mark.browser

WIDTH, HEIGHT = 1280, 720
CORNERS = {
    (0.1, 0.1): (200, 40, 40),
    (0.9, 0.1): (40, 200, 40),
    (0.1, 0.9): (40, 40, 200),
    (0.9, 0.9): (230, 230, 230),
}
"""A patch in each corner of what the made camera sees, by its place in the picture; BGR."""


@pytest.fixture(name="video", scope="session")
def _video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short film of a table with a patch in each corner, in the raw form that Chromium's made camera plays."""
    path = tmp_path_factory.mktemp("camera") / "table.y4m"
    with path.open("wb") as film:
        film.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F15:1 Ip A1:1 C420jpeg\n".encode())
        for number in range(4):
            picture = np.full((HEIGHT, WIDTH, 3), (70, 90, 120), np.uint8)
            for (x, y), colour in CORNERS.items():
                centre = (round(x * WIDTH), round(y * HEIGHT))
                cv2.circle(picture, centre, 60, colour, cv2.FILLED)
            cv2.putText(picture, f"table {number}", (480, 380), cv2.FONT_HERSHEY_SIMPLEX, 3, (220, 220, 220), 6)
            film.write(b"FRAME\n" + cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).tobytes())
    return path


@pytest.fixture(name="phone_browser", scope="module")
def _phone_browser(launch: Launch, video: Path) -> Iterator[Browser]:
    browser = launch(
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={video}",
    )
    yield browser
    browser.close()


@pytest.fixture(name="blind_browser", scope="module")
def _blind_browser(launch: Launch) -> Iterator[Browser]:
    """A browser whose owner does not allow the camera."""
    browser = launch("--deny-permission-prompts", "--use-fake-device-for-media-stream")
    yield browser
    browser.close()


@pytest.fixture(name="three_lenses", scope="module")
def _three_lenses(launch: Launch) -> Iterator[Browser]:
    """A browser of a phone with three cameras."""
    browser = launch("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream=device-count=3")
    yield browser
    browser.close()


class PhoneSession:
    """A companion that waits for a phone, served by https as `companion serve --camera phone --tls` does it."""

    def __init__(self, folder: Path) -> None:
        self.link = PhoneLink()
        self.table = Table(SavedGames(folder / "games"), STANDIN)
        source = camera_source("phone", phone=self.link)
        self.grabber = Grabber(source.open, source.patience)
        self.loop = Loop(self.table, self.grabber)
        self.app = create_app(self.table, phone=self.link)
        self.certificate = certificate(folder / "tls")
        self.port = 0
        self.serve()
        self.link.find_address = lambda: f"{self.address}/camera"
        self.loop.start()

    @property
    def address(self) -> str:
        return f"https://localhost:{self.port}"

    def serve(self) -> None:
        self.server = listen(self.app, "127.0.0.1", self.port, self.certificate)
        self.port = self.server.port
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def newest(self) -> Image:
        picture = self.table.picture
        assert picture is not None
        return picture

    def camera(self) -> str:
        return self.table.view.camera.state

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._thread.join(LONGEST_WAIT)
        self.app.extensions["unsubscribe"]()
        self.loop.close()
        self.table.close()


@pytest.fixture(name="session")
def _session(tmp_path: Path) -> Iterator[PhoneSession]:
    session = PhoneSession(tmp_path)
    yield session
    session.close()


OpenPage = Callable[..., Page]


@pytest.fixture(name="open_page")
def _open_page(phone_browser: Browser) -> Iterator[OpenPage]:
    """Opens a page as a person does who has accepted the certificate; afterwards none may have logged an error."""
    errors: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(address: str, size: tuple[int, int] = PHONE, browser: Browser = phone_browser) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, ignore_https_errors=True)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    # Browsers fetch no service worker where the certificate was only accepted by hand, and say so.
    unexpected = [error for error in errors if "ERR_" not in error and "when fetching the script" not in error]
    assert unexpected == []


@pytest.fixture(name="slow_network")
def _slow_network(session: PhoneSession) -> Iterator[str]:
    """Address of the companion over a network on which a picture takes seconds."""
    with SlowNetwork(session.port, bytes_per_second=50_000) as port:
        yield f"https://localhost:{port}"


def start(page: Page) -> None:
    page.locator("[data-test=start]").click()


def check_corners(image: cv2.typing.MatLike | None) -> None:
    assert image is not None
    assert image.shape == (HEIGHT, WIDTH, 3)
    for (x, y), colour in CORNERS.items():
        seen = image[round(y * HEIGHT), round(x * WIDTH)].astype(int)
        assert np.abs(seen - colour).max() < 30, f"{seen} instead of {colour} at {x}, {y}"


def test_a_phone_shows_the_table_and_what_it_sends_is_what_it_sees(
    session: PhoneSession, open_page: OpenPage
) -> None:
    eventually(lambda: session.camera() == "no_camera")
    assert f"Open {session.address}/camera on the phone" in session.table.view.camera.message
    page = open_page(f"{session.address}/camera")
    look(page, "phone-off")
    start(page)
    expect(page.locator("#figures")).to_contain_text("1280×720")
    eventually(lambda: session.grabber.status.frames >= 3, 60.0)
    check_corners(session.newest())
    assert session.camera() != "no_camera"
    assert session.link.figures.unusable == 0
    look(page, "phone-sending")
    page.locator("#sight").evaluate("(sight) => sight.pause()")  # as a call does: the last picture stands still
    expect(page.locator("#line")).to_contain_text("no new picture")
    eventually(lambda: session.camera() == "no_camera")
    page.locator("#sight").evaluate("(sight) => sight.play()")
    expect(page.locator("#line")).to_contain_text("Sending pictures")
    page.locator("summary").click()
    look(page, "phone-another")


def test_the_phone_that_goes_away_is_reported_on_the_tablet_and_comes_back(
    session: PhoneSession, open_page: OpenPage
) -> None:
    tablet = open_page(session.address, TABLET)
    code, unexpected = tablet.locator("img.code"), tablet.locator(".without-camera")
    expect(unexpected).to_contain_text(f"Open {session.address}/camera on the phone")
    expect(code).to_be_visible()
    look(tablet, "start-without-phone")
    page = open_page(f"{session.address}/camera")
    start(page)
    expect(code).to_have_count(0)
    eventually(lambda: session.grabber.status.frames >= 2, 60.0)
    assert tablet.evaluate("fetch('/preview.jpg').then((answer) => answer.status)") == 200
    page.close()
    expect(unexpected).to_contain_text("has stopped sending pictures")
    expect(unexpected).to_contain_text("The game goes on by hand meanwhile.")
    frames = session.grabber.status.frames
    start(open_page(f"{session.address}/camera"))
    expect(unexpected).to_have_count(0)
    eventually(lambda: session.grabber.status.frames > frames, 60.0)


def test_the_phone_finds_the_companion_again_after_the_network_was_gone(
    session: PhoneSession, open_page: OpenPage
) -> None:
    page = open_page(f"{session.address}/camera")
    start(page)
    eventually(lambda: session.grabber.status.frames >= 2, 60.0)
    page.context.set_offline(True)
    expect(page.locator("#line")).to_contain_text("keeps trying", timeout=20_000)
    page.context.set_offline(False)
    frames = session.grabber.status.frames
    eventually(lambda: session.grabber.status.frames > frames + 2, 60.0)
    expect(page.locator("#line")).to_contain_text("Sending pictures")


def test_a_slow_network_means_fewer_pictures_and_no_lost_phone(
    session: PhoneSession, open_page: OpenPage, slow_network: str
) -> None:
    states: set[str] = set()
    session.table.subscribe(lambda view: states.add(view.camera.state))
    page = open_page(f"{slow_network}/camera")
    page.evaluate(  # pictures of 100 KB
        """() => {
          const encode = HTMLCanvasElement.prototype.toBlob;
          HTMLCanvasElement.prototype.toBlob = function (done) {
            const filled = (blob) => new Blob([blob, new Uint8Array(100_000 - blob.size)], { type: blob.type });
            encode.call(this, (blob) => done(filled(blob)), "image/jpeg", 0.5);
          };
        }"""
    )
    start(page)
    eventually(lambda: session.grabber.status.frames >= 1, 60.0)
    states.clear()
    eventually(lambda: session.grabber.status.frames >= 5, 60.0)
    assert "no_camera" not in states
    assert session.link.figures.late == 0
    expect(page.locator("#line")).to_contain_text("Sending pictures")
    check_corners(session.newest())


def test_the_camera_is_opened_once_at_a_time_however_the_lens_is_chosen(
    session: PhoneSession, open_page: OpenPage, three_lenses: Browser
) -> None:
    page = open_page(f"{session.address}/camera", PHONE, three_lenses)
    page.evaluate(
        """() => {
          const { mediaDevices } = navigator;
          const open = mediaDevices.getUserMedia.bind(mediaDevices);
          globalThis.atOnce = globalThis.opening = globalThis.live = 0;
          const tracks = [];
          globalThis.liveTracks = () => tracks.filter(({ readyState }) => readyState === "live").length;
          mediaDevices.getUserMedia = async (what) => {
            globalThis.atOnce = Math.max(globalThis.atOnce, ++globalThis.opening);
            try {
              await new Promise((done) => setTimeout(done, 400));
              const stream = await open(what);
              tracks.push(...stream.getTracks());
              return stream;
            } finally {
              globalThis.opening -= 1;
            }
          };
        }"""
    )
    start(page)
    lenses = page.locator("[data-test=lens]")
    expect(lenses).to_be_visible()
    names = lenses.locator("option").all_text_contents()
    for name in (names[1], names[2], names[1]):
        lenses.select_option(label=name)
        page.evaluate("new Promise((done) => setTimeout(done, 150))")
    eventually(lambda: session.link.lens == names[1])
    expect(page.locator("#line")).to_contain_text("Sending pictures")
    expect(lenses.locator("option:checked")).to_have_text(names[1])
    assert page.evaluate("[globalThis.atOnce, globalThis.liveTracks()]") == [1, 1]


def test_a_phone_that_was_refused_says_so_only_until_something_else_is_the_matter(
    session: PhoneSession, open_page: OpenPage
) -> None:
    first = open_page(f"{session.address}/camera")
    start(first)
    eventually(lambda: session.grabber.status.frames >= 1, 60.0)
    second = open_page(f"{session.address}/camera")
    start(second)
    line = second.locator("#line")
    expect(line).to_contain_text("Another phone is the camera now")
    second.context.set_offline(True)
    expect(line).to_contain_text("keeps trying", timeout=30_000)


def test_snap_keeps_the_phones_picture(tmp_path: Path, open_page: OpenPage) -> None:
    taken = tmp_path / "table.png"
    command = [sys.executable, "-c", "from companion.cli import main; main()", "snap", "--camera", "phone"]
    environment = os.environ | {"COMPANION_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*command, "-o", str(taken), "--host", "127.0.0.1", "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as snap:
        assert snap.stdout is not None
        address = next(filter(None, (re.search(r"https://\S+/camera", line) for line in snap.stdout)))
        start(open_page(address.group()))
        assert snap.wait(30) == 0
    check_corners(cv2.imread(str(taken)))


def test_a_camera_that_may_not_be_used_is_reported_plainly(
    session: PhoneSession, open_page: OpenPage, blind_browser: Browser
) -> None:
    page = open_page(f"{session.address}/camera", PHONE, blind_browser)
    start(page)
    expect(page.locator("#line")).to_contain_text("not allowed to use the camera")
    look(page, "phone-refused")
    assert session.grabber.status.frames == 0


def test_the_lens_is_chosen_on_the_phone_and_kept_there(
    session: PhoneSession, open_page: OpenPage, three_lenses: Browser
) -> None:
    page = open_page(f"{session.address}/camera", PHONE, three_lenses)
    lenses = page.locator("[data-test=lens]")
    expect(lenses).to_be_hidden()
    start(page)
    expect(lenses).to_be_visible()
    names = lenses.locator("option").all_text_contents()
    assert len(names) == 3
    eventually(lambda: session.link.lens == lenses.locator("option:checked").text_content())
    other = next(name for name in names if name != session.link.lens)
    lenses.select_option(label=other)
    eventually(lambda: session.link.lens == other)
    frames = session.grabber.status.frames
    eventually(lambda: session.grabber.status.frames > frames + 1, 60.0)
    look(page, "phone-lenses")
    page.reload()
    start(page)
    expect(lenses.locator("option:checked")).to_have_text(other)
    eventually(lambda: session.link.lens == other)


def test_back_cameras_come_first_and_the_plain_ones_of_them(session: PhoneSession, open_page: OpenPage) -> None:
    page = open_page(f"{session.address}/camera")
    names = page.evaluate(
        """async () => {
          const labels = ["Front Camera", "Back Ultra Wide Camera", "camera2 0, facing back", "Back Camera"];
          navigator.mediaDevices.enumerateDevices = async () => [
            { kind: "audioinput", deviceId: "m", label: "Microphone" },
            ...labels.map((label) => ({ kind: "videoinput", deviceId: label, label })),
          ];
          const script = [...document.scripts].find(({ src }) => src.includes("phone")).src;
          const { listLenses } = await import(script.replace("phone_camera.js", "lenses.js"));
          return (await listLenses()).map(({ name }) => name);
        }"""
    )
    assert names == ["camera2 0, facing back", "Back Camera", "Back Ultra Wide Camera", "Front Camera"]
