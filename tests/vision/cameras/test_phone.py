"""A phone's pictures: one phone, the newest one, and nothing that claims to be a picture is believed."""

from __future__ import annotations

import struct
import time

import pytest

from tests.vision.cameras.grabbing import reaches
from tests.vision.cameras.phone_pictures import Clock, jpeg
from tests.waiting import eventually
from vision.cameras.frame import CameraError, NoFrameYetError
from vision.cameras.grabber import Grabber
from vision.cameras.phone import (
    LARGEST_PICTURE,
    LONGEST_GAP_S,
    PhoneCamera,
    PhoneFigures,
    PhoneLink,
    PhoneRefused,
)
from vision.cameras.source_factory import PHONE, camera_source


def bomb() -> bytes:
    """A small file that claims 60000×60000 pixels."""
    data = jpeg()
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + struct.pack(">HH", 60000, 60000) + data[at + 9 :]


def test_only_the_newest_picture_is_decoded() -> None:
    clock = Clock()
    link = PhoneLink(clock=clock)
    for shade in (30, 90, 200):
        clock.now += 0.2
        assert link.offer("a", jpeg(shade))
    frame = PhoneCamera(link).grab()
    assert frame.image.shape == (90, 160, 3)
    assert abs(float(frame.image.mean()) - 200) < 3
    with pytest.raises(NoFrameYetError):
        PhoneCamera(link, patience=0.02).grab()
    clock.now += LONGEST_GAP_S
    with pytest.raises(CameraError, match="has stopped sending pictures"):
        PhoneCamera(link, patience=0.02).grab()


def test_pictures_that_come_too_fast_are_thrown_away_unread() -> None:
    clock = Clock()
    link = PhoneLink(clock=clock)
    kept = []
    for _ in range(100):
        clock.now += 0.01
        kept.append(link.offer("a", jpeg()))
    assert 12 <= sum(kept) <= 15
    assert link.figures == PhoneFigures(sum(kept), 100 - sum(kept), 0)


def test_a_second_phone_has_to_wait_until_the_first_is_gone_or_silent() -> None:
    clock = Clock()
    link = PhoneLink(clock=clock)
    assert link.offer("a", jpeg())
    clock.now += 1.0
    with pytest.raises(PhoneRefused, match="Another phone"):
        link.offer("b", jpeg())
    link.leave("b")
    with pytest.raises(PhoneRefused, match="Another phone"):
        link.offer("b", jpeg())
    clock.now += 3.5
    with pytest.raises(PhoneRefused, match="Another phone"):
        link.offer("b", jpeg())
    clock.now += 0.5
    assert link.offer("b", jpeg())
    clock.now += 1.0
    link.leave("b")
    link.join("a")
    assert link.offer("a", jpeg())
    clock.now += 1.0
    link.pause("a")
    assert link.offer("b", jpeg())


def test_a_picture_is_as_old_as_the_answer_after_which_it_was_taken() -> None:
    clock = Clock()
    link = PhoneLink(clock=clock)
    link.join("a")
    clock.now += 3.0
    assert link.offer("a", jpeg())
    assert PhoneCamera(link).grab().taken_at == clock.now - 3.0
    clock.now += 4.0
    assert link.offer("a", jpeg())
    assert PhoneCamera(link).grab().taken_at == clock.now - 4.0


def test_a_picture_that_may_be_too_old_is_not_kept_and_the_slow_network_is_named() -> None:
    clock = Clock()
    link = PhoneLink(clock=clock)
    link.join("a")
    clock.now += LONGEST_GAP_S + 0.1
    with pytest.raises(PhoneRefused, match="arrive too late"):
        link.offer("a", jpeg())
    assert link.figures == PhoneFigures(late=1)
    with pytest.raises(CameraError, match="arrive too late"):
        PhoneCamera(link, patience=0.02).grab()
    clock.now += LONGEST_GAP_S - 0.1
    assert link.offer("a", jpeg())
    clock.now += LONGEST_GAP_S * 3  # the page was hidden, and has said so
    link.pause("a")
    clock.now += 0.2
    assert link.offer("a", jpeg())


def test_a_slow_phone_stays_the_camera_and_one_that_has_left_does_not() -> None:
    link = PhoneLink()
    opened: list[PhoneCamera] = []

    def opener() -> PhoneCamera:
        opened.append(PhoneCamera(link, patience=0.02))
        return opened[-1]

    grabber = Grabber(opener, camera_source(PHONE, phone=link).patience)
    link.offer("a", jpeg())
    grabber.start()
    reaches(grabber, "running")
    assert grabber.newest(1.0) is not None
    for _ in range(20):
        assert grabber.newest(0.02) is None
        assert grabber.status.state == "running"
    assert len(opened) == 1
    link.offer("a", jpeg())
    eventually(lambda: grabber.status.frames == 2)
    link.pause("a")
    reaches(grabber, "waiting")
    assert "has stopped sending pictures" in grabber.status.message
    grabber.close()


NO_JPEGS: list[object] = [
    None,
    "text",
    7,
    [],
    b"",
    b"\xff\xd8",
    b"GIF89a",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff" + bytes(LARGEST_PICTURE),
]


def test_what_is_no_jpeg_or_too_large_is_refused_at_the_door(subtests: pytest.Subtests) -> None:
    for data in NO_JPEGS:
        with subtests.test(f"{data!r:.60}"):
            link = PhoneLink()
            with pytest.raises(PhoneRefused):
                link.offer("a", data)
            assert link.figures == PhoneFigures()


@pytest.mark.parametrize(
    "data", [bomb(), jpeg()[:-40], b"\xff\xd8\xff" + bytes(2000), jpeg(size=(20, 20))], ids=range(4)
)
def test_a_picture_that_cannot_be_decoded_is_reported_and_the_next_one_is_read(data: bytes) -> None:
    clock = Clock()
    link = PhoneLink(clock=clock)
    link.offer("a", data)
    with pytest.raises(CameraError, match="The phone's picture"):
        PhoneCamera(link, patience=0.05).grab()
    assert link.figures.unusable == 1
    clock.now += 0.08
    assert link.offer("a", jpeg())
    assert PhoneCamera(link).grab().image.shape == (90, 160, 3)


@pytest.mark.slow
def test_a_phone_that_goes_away_is_an_unplugged_camera_and_comes_back_by_itself() -> None:
    link = PhoneLink("https://192.168.1.5:8000/camera")
    source = camera_source(PHONE, phone=link)
    grabber = Grabber(source.open, source.patience)
    grabber.start()
    reaches(grabber, "waiting")
    assert grabber.status.message == (
        "No phone is the camera yet. Open https://192.168.1.5:8000/camera on the phone."
    )
    link.offer("a", jpeg())
    reaches(grabber, "running")
    link.leave("a")
    reaches(grabber, "waiting")
    assert "has stopped sending pictures" in grabber.status.message
    before = time.monotonic()
    link.offer("b", jpeg())
    eventually(lambda: grabber.status.frames == 2)
    assert time.monotonic() - before < 1.0
    grabber.close()


def test_the_lens_is_that_of_the_phone_that_is_the_camera() -> None:
    link = PhoneLink(clock=Clock())
    changes: list[str] = []
    link.lens_changed = lambda: changes.append(link.lens)
    link.report_lens("two", "Front Camera")
    assert link.lens == ""
    link.report_lens("one", "Back\x1b Camera" + "!" * 200)
    link.offer("one", jpeg())
    assert link.lens.startswith("Back Camera!!")
    assert len(link.lens) < 90
    for nonsense in (None, 7, {"name": "x"}, b"Back", ""):
        link.report_lens("one", nonsense)
    assert len(changes) == 1
    link.leave("one")
    link.offer("two", jpeg())
    assert changes[1:] == ["Front Camera"]
    for number in range(100):
        link.report_lens(f"stranger {number}", "Back Camera")
    assert link.lens == "Front Camera"
