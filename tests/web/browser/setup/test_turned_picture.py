"""A picture that is upside down is corrected with one tap on the table page, and reading continues."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.enrolment.camera_choice import Cameras
from companion.table.enrolment.service import EnrolmentService
from companion.table.reading.live_camera import LiveCamera
from companion.table.reading.readers_from_profile import readers_for
from companion.table.views import SeatView
from tests.companion.table.enrolment.enrolled import little_profile, renderer
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.looking import PHONE, TABLET, look
from vision.cameras.frame import Camera
from vision.cameras.listing import ListedCamera
from vision.cameras.orientation_correction import Orientation, TurnedCamera
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.simulated.scene import Scene
from vision.cameras.source_factory import CameraSource

pytestmark = pytest.mark.browser

PLAYERS = (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red"))


def hung_upside_down() -> Camera:
    camera = SimulatedCamera(renderer(), fps=5.0)
    camera.show(Scene(seats=4, tile=False))
    return TurnedCamera(camera, Orientation(2))


def listed() -> tuple[ListedCamera, ...]:
    return (ListedCamera(0, "Arm over the table", None),)


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    profile = little_profile()
    profile.save(tmp_path / "profile")
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    cameras = Cameras(
        tmp_path / "profile", "0", lambda name, identity: CameraSource(hung_upside_down), listed=listed
    )
    table.enrolment = EnrolmentService(table, tmp_path / "profile", readers_for, cameras)
    opener, patience = cameras.opener()
    watching = LiveCamera(table, opener, readers_for(profile), patience)
    cameras.on_change = watching.switch_to
    watching.start()
    yield table
    watching.close()
    table.close()


@pytest.mark.timeout(400)
def test_a_picture_that_is_upside_down_is_turned_at_one_tap(table: Table, serve: Serve, visit: Visit) -> None:
    page = visit(serve(table))
    panel = page.locator(".proposal.correction")
    expect(panel).to_contain_text("The picture is upside down", timeout=60_000)
    look(page, "upside-down-start", (TABLET, PHONE, (1280, 800)))
    table.start_game(PLAYERS)
    page.goto(page.url.split("#")[0] + "#table")
    expect(panel).to_be_visible()
    look(page, "upside-down-table", (TABLET, PHONE, (1280, 800)))
    panel.get_by_role("button", name="Turn it").click()
    expect(panel).to_have_count(0, timeout=60_000)
    expect(page.locator(".lamp")).to_have_attribute("data-state", "watching", timeout=60_000)
    assert table.view.camera.correction is None
    assert table.plane == little_profile().plane
