"""The camera is chosen and corrected on the page; a table calibrated with another one is not read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from calibration.files.crash_safe_files import digest
from companion.director.setup_scenes import sheet_scene
from companion.table import FrameReader
from companion.table.enrolment.camera_choice import Cameras
from companion.table.enrolment.sheet_and_pieces import KeepOptions
from companion.table.reading.readers_from_profile import readers_for
from companion.table.views import CameraView, Refused
from tests.companion.table.enrolment.enrolled import EnrolmentTable, little_profile, renderer
from vision.cameras.frame import Camera, CameraError, Frame
from vision.cameras.grabber import GrabStatus, Patience
from vision.cameras.listing import ListedCamera
from vision.cameras.orientation_correction import Orientation
from vision.cameras.phone import PhoneLink
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.simulated.scene import Scene
from vision.cameras.source_factory import CameraSource

EMPTY = Scene(seats=4, tile=False)
ADDRESS = "rtsp://ada:secret@192.168.1.20/table"


@dataclass
class Shelf:
    """Cameras that lie about, and what looks at the table: it takes one picture of each camera that it is given."""

    looks: list[Frame] = field(default_factory=list)

    def source(self, name: str, identity: str) -> CameraSource:
        return CameraSource(self.open)

    def open(self) -> Camera:
        camera = SimulatedCamera(renderer())
        camera.show(sheet_scene())
        return camera

    def look_with(self, opener: Callable[[], Camera], patience: Patience) -> None:
        self.looks.append(opener().grab())


def listed() -> tuple[ListedCamera, ...]:
    return ListedCamera(0, "Lid", None), ListedCamera(2, "Arm", "/dev/video2")


@pytest.fixture(name="shelf")
def _shelf() -> Shelf:
    return Shelf()


def cameras(folder: Path, shelf: Shelf, named: str = "0", *, phone: PhoneLink | None = None) -> Cameras:
    chosen = Cameras(folder, named, shelf.source, phone=phone, listed=listed)
    chosen.on_change = shelf.look_with
    return chosen


def test_the_machines_cameras_are_offered_and_the_choice_is_kept(tmp_path: Path, shelf: Shelf) -> None:
    chosen = cameras(tmp_path, shelf)
    assert [camera.name for camera in chosen.view().offered] == ["0", "2"]
    chosen.choose("2")
    chosen.set_orientation(Orientation(1, mirrored=True))
    assert len(shelf.looks) == 2
    assert shelf.looks[1].image.shape == (1280, 720, 3)
    again = cameras(tmp_path, shelf).view()
    assert (again.current, again.title, again.quarters, again.mirrored) == ("2", "Arm", 1, True)


def test_another_camera_on_the_command_line_takes_the_place_of_the_choice(tmp_path: Path, shelf: Shelf) -> None:
    cameras(tmp_path, shelf).choose("2")
    assert cameras(tmp_path, shelf, "0").view().current == "2"
    assert cameras(tmp_path, shelf, "film.mp4").view().title == "film.mp4"


def test_an_address_is_offered_without_its_password_and_no_other_is_taken(tmp_path: Path, shelf: Shelf) -> None:
    chosen = cameras(tmp_path, shelf, ADDRESS)
    offered = chosen.view().offered
    assert [camera.title for camera in offered] == ["rtsp://192.168.1.20/table", "Lid", "Arm"]
    assert "secret" not in repr(chosen.view())
    for name in ("1", "phone", "rtsp://elsewhere/", "/etc/passwd", ADDRESS):
        with pytest.raises(Refused, match="no longer available"):
            chosen.choose(name)
    chosen.choose("2")
    assert "secret" not in (tmp_path / "camera.json").read_text()
    chosen.choose("command")
    assert chosen.view().current == "command"


def test_a_phone_is_offered_only_where_one_can_be_taken(tmp_path: Path, shelf: Shelf) -> None:
    chosen = cameras(tmp_path, shelf, phone=PhoneLink())
    chosen.choose("phone")
    assert cameras(tmp_path, shelf, phone=PhoneLink()).view().current == "phone"
    assert cameras(tmp_path, shelf).view().current == "0"


def test_a_camera_that_comes_back_under_another_number_is_the_same_one(tmp_path: Path, shelf: Shelf) -> None:
    machine = [ListedCamera(0, "C920", "/dev/video0", "/dev/v4l/by-id/usb-C920-7"), ListedCamera(2, "Lid", None)]

    def begin(named: str = "0") -> Cameras:
        chosen = Cameras(tmp_path, named, shelf.source, listed=lambda: machine)
        chosen.on_change = shelf.look_with
        return chosen

    plane = little_profile().plane
    assert plane is not None
    begin().record_calibration(plane)
    machine[:] = [ListedCamera(0, "Lid", None), ListedCamera(4, "C920", "/dev/video4", "/dev/v4l/by-id/usb-C920-7")]
    again = begin()
    assert (again.view().current, again.view().title) == ("4", "C920")
    assert again.fits(plane)
    machine.pop()
    assert again.view().title == "usb-C920-7, not connected"
    again.choose(again.view().current)
    assert again.fits(plane)
    again.choose("0")
    assert again.view().title == "Lid"
    assert not again.fits(plane)
    assert begin().view().title == "Lid"
    assert begin("2").view().title == "camera 2"


def test_a_choice_of_an_older_version_still_fits_its_plane(tmp_path: Path, shelf: Shelf) -> None:
    plane = little_profile().plane
    assert plane is not None
    old = {
        "version": 1,
        "started": digest(b"0"),
        "camera": "2",
        "quarters": 2,
        "plane": digest(repr(plane).encode()),
        "found": ["2", 2, False],
    }
    (tmp_path / "camera.json").write_text(json.dumps(old))
    chosen = cameras(tmp_path, shelf)
    assert chosen.fits(plane)
    assert (chosen.view().current, chosen.view().quarters) == ("2", 2)


def test_a_damaged_file_is_no_choice(tmp_path: Path, shelf: Shelf) -> None:
    for text in ("{", '{"camera": "/etc/passwd"}', '{"quarters": 7}', "[" * 5000):
        (tmp_path / "camera.json").write_text(text)
        assert cameras(tmp_path, shelf).view().current == "0"


def test_a_system_that_does_not_tell_its_cameras_says_so(tmp_path: Path, shelf: Shelf) -> None:
    def silent() -> tuple[ListedCamera, ...]:
        raise CameraError("This system does not tell its cameras.")

    view = Cameras(tmp_path, "0", shelf.source, listed=silent).view()
    assert view.message == "This system does not tell its cameras."
    assert [(camera.name, camera.title) for camera in view.offered] == [("0", "camera 0")]


@pytest.fixture(name="setup")
def _setup(tmp_path: Path, shelf: Shelf) -> Iterator[EnrolmentTable]:
    setup = EnrolmentTable(tmp_path, little_profile(), cameras=lambda folder: cameras(folder, shelf))
    yield setup
    setup.table.close()


@pytest.mark.slow
def test_a_table_calibrated_with_another_camera_is_neither_read_nor_enrolled_until_the_sheet_is_shown(
    setup: EnrolmentTable,
) -> None:
    setup.see(sheet_scene())
    before = setup.enrolment.known()
    assert before.calibrated
    kept = setup.enrolment.turn_picture(Orientation(2))
    assert "calibrated with another camera" in kept.unread
    assert not kept.known.calibrated
    assert setup.table.plane is None
    setup.see(sheet_scene())
    with pytest.raises(Refused, match="another camera"):
        setup.enrolment.find_pieces("search:red")
    back = setup.enrolment.turn_picture(Orientation())
    assert back.unread == ""
    assert back.known == before
    assert setup.table.plane is not None
    setup.enrolment.choose_camera("2")
    setup.see(sheet_scene())
    assert setup.enrolment.keep(setup.enrolment.find_sheet().draft, KeepOptions()).unread == ""
    assert setup.enrolment.known().calibrated
    assert not setup.enrolment.choose_camera("0").known.calibrated


def sees_turned(setup: EnrolmentTable, turn: Orientation) -> CameraView:
    """Feed turned pictures of the table at rest for one and a half seconds."""
    for number in range(8):
        image = np.ascontiguousarray(turn.apply(renderer().render(EMPTY, number)))
        setup.table.update_camera_status(GrabStatus("running", frames=number))
        setup.table.process_frame(Frame(image, number, setup.clock() + 0.2 * number))
    return setup.table.view.camera


@pytest.mark.first_is_quick
@pytest.mark.parametrize(
    ("turn", "says"),
    [
        (Orientation(2), "upside down"),
        (Orientation(0, mirrored=True), "mirrored"),
        (Orientation(3), "on its side"),
    ],
)
def test_a_turned_picture_is_put_right_at_one_tap_and_kept(
    turn: Orientation, says: str, setup: EnrolmentTable, shelf: Shelf
) -> None:
    camera = sees_turned(setup, turn)
    assert camera.state == "hindered"
    assert says in camera.message
    assert camera.correction is not None
    assert turn.then(camera.correction) == Orientation()
    kept = setup.enrolment.correct_picture()
    assert kept.unread == ""
    assert kept.known.calibrated
    again = cameras(setup.folder / "profile", shelf).view()
    assert Orientation(again.quarters, again.mirrored) == camera.correction
    right = sees_turned(setup, turn.then(camera.correction))
    assert (right.state, right.correction) == ("watching", None)
    with pytest.raises(Refused, match="already has the right orientation"):
        setup.enrolment.correct_picture()


@pytest.mark.first_is_quick
@pytest.mark.parametrize("named", ["phone", "0"])
def test_another_lens_of_the_phone_is_not_read_with_until_the_old_one_is_back(
    named: str, tmp_path: Path, shelf: Shelf
) -> None:
    link = PhoneLink()
    setup = EnrolmentTable(
        tmp_path, little_profile(), cameras=lambda folder: cameras(folder, shelf, named, phone=link)
    )
    link.lens_changed = setup.enrolment.lens_changed
    link.report_lens("p1", "Back Camera")
    link.offer("p1", b"\xff\xd8\xff")
    if named != "phone":
        setup.enrolment.choose_camera("phone")
        setup.see(sheet_scene())
        setup.enrolment.keep(setup.enrolment.find_sheet().draft, KeepOptions())
    assert setup.table.plane is not None
    assert setup.enrolment.cameras_view().lens == "Back Camera"
    link.report_lens("p1", "Back Ultra Wide Camera")
    setup.see(sheet_scene())
    assert setup.table.plane is None
    status = setup.table.view.camera
    assert status.state == "hindered"
    assert "lens “Back Ultra Wide Camera”, but the table was calibrated with “Back Camera”" in status.message
    assert not setup.enrolment.known().calibrated
    link.report_lens("p1", "Back Camera")
    assert setup.table.plane is not None
    link.report_lens("p1", "Front Camera")
    setup.see(sheet_scene())
    assert setup.enrolment.keep(setup.enrolment.find_sheet().draft, KeepOptions()).unread == ""
    assert setup.table.plane is not None
    setup.table.close()


@pytest.mark.slow
def test_a_sheet_found_with_one_lens_of_the_phone_is_not_kept_as_that_of_another(
    tmp_path: Path, shelf: Shelf
) -> None:
    link = PhoneLink()
    setup = EnrolmentTable(
        tmp_path, little_profile(), cameras=lambda folder: cameras(folder, shelf, "phone", phone=link)
    )
    link.lens_changed = setup.enrolment.lens_changed
    link.report_lens("p1", "Back Camera")
    link.offer("p1", b"\xff\xd8\xff")
    setup.see(sheet_scene())
    draft = setup.enrolment.find_sheet().draft
    link.report_lens("p1", "Front Camera")
    with pytest.raises(Refused, match="replaced by a newer one"):
        setup.enrolment.keep(draft, KeepOptions())
    assert setup.table.plane is None
    link.report_lens("p1", "Back Camera")
    assert setup.table.plane is not None
    setup.table.close()


@pytest.mark.slow
def test_a_moved_cameras_new_pose_is_still_that_of_the_chosen_camera_after_a_restart(
    setup: EnrolmentTable, shelf: Shelf
) -> None:
    setup.enrolment.choose_camera("2")
    setup.see(sheet_scene())
    setup.enrolment.keep(setup.enrolment.find_sheet().draft, KeepOptions())
    profile = setup.enrolment.saved_profile()
    assert profile.plane is not None
    assert profile.deck is not None
    moved = replace(profile.plane, translation=(3.0, 0.0, profile.plane.translation[2]))
    setup.table.set_reader(FrameReader(readers_for(replace(profile, plane=moved, views=()))))
    assert setup.enrolment.delete_card(next(iter(profile.deck.cards))).known.calibrated
    assert setup.enrolment.saved_profile().plane == moved
    assert cameras(setup.profile, shelf).fits(moved)


def test_the_simulated_table_has_a_camera_of_its_own(tmp_path: Path) -> None:
    setup = EnrolmentTable(tmp_path, little_profile())
    with pytest.raises(Refused, match="its own camera"):
        setup.enrolment.choose_camera("0")
    setup.table.close()
