"""Streams and the names of cameras: what is opened, what is refused, and what nobody at the table may read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.vision.cameras.grabbing import QUICK, reaches
from tests.vision.cameras.rtsp import RtspCamera
from tests.vision.cameras.streaming import StreamingCamera
from tests.waiting import eventually
from vision.cameras.frame import CameraError
from vision.cameras.grabber import Grabber
from vision.cameras.source_factory import camera_source
from vision.cameras.video_files_and_streams import VideoCamera, without_secrets


@pytest.fixture(name="stream")
def _stream() -> Iterator[StreamingCamera]:
    stream = StreamingCamera()
    stream.put_up()
    yield stream
    stream.tear_off()


def test_a_stream_gives_its_pictures_in_order(stream: StreamingCamera) -> None:
    camera = VideoCamera(stream.address)
    frames = [camera.grab() for _ in range(5)]
    camera.close()
    assert [frame.number for frame in frames] == [0, 1, 2, 3, 4]
    assert frames[0].image.shape == (120, 160, 3)
    shades = [round(float(frame.image.mean()), -1) for frame in frames]
    assert shades == [20, 30, 40, 50, 60]


def test_a_camera_that_speaks_rtsp_gives_its_pictures() -> None:
    shown = RtspCamera(150)
    camera = VideoCamera(shown.address)
    frames = [camera.grab() for _ in range(3)]
    camera.close()
    shown.close()
    assert frames[2].image.shape == (240, 320, 3)
    assert abs(float(frames[2].image.mean()) - 150) < 4


def test_a_stream_that_breaks_off_is_reported_without_its_password_and_comes_back(stream: StreamingCamera) -> None:
    grabber = Grabber(camera_source(stream.address).open, QUICK)
    grabber.start()
    reaches(grabber, "running")
    stream.tear_off()
    eventually(lambda: grabber.status.state in ("retrying", "waiting"))
    assert f"http://127.0.0.1:{stream.port}/video" in grabber.status.message
    assert "secret" not in grabber.status.message
    stream.put_up()
    reaches(grabber, "running")
    grabber.close()
    assert stream.connections == 2


def test_nobody_reading_slowly_gets_old_pictures(stream: StreamingCamera) -> None:
    grabber = Grabber(camera_source(stream.address).open, QUICK)
    grabber.start()
    eventually(lambda: grabber.status.frames >= 10)
    frame, status = grabber.newest(1.0), grabber.status
    grabber.close()
    assert frame is not None
    assert frame.number >= status.frames - 2
    assert status.dropped >= 8


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://admin:12345@10.0.0.7:554/live?token=1", "rtsp://10.0.0.7:554/live"),
        ("http://[fd00::7]:8080/video", "http://fd00::7:8080/video"),
        ("http://host:99999/", "the address given"),
    ],
)
def test_an_address_is_shown_without_what_opens_it(address: str, shown: str) -> None:
    assert without_secrets(address) == shown


NO_NAMES = [
    "file:///etc/passwd",
    "concat://a|b",
    "gopher://host/x",
    "http://",
    "http://host:port/",
    "http://[::1/",
    "nowhere.mp4",
    "a\0b",
    "x" * 5000,
    "",
    "-1",
    "123456",
    "²",
]


def test_a_name_that_no_camera_can_have_is_refused_at_once(subtests: pytest.Subtests) -> None:
    for name in NO_NAMES:
        with subtests.test(f"{name!r:.60}"):
            with pytest.raises(CameraError) as refused:
                camera_source(name)
            assert "\n" not in str(refused.value)


def test_a_camera_that_is_not_plugged_in_is_tried_again_and_reported() -> None:
    grabber = Grabber(camera_source("63").open, QUICK)
    grabber.start()
    reaches(grabber, "waiting")
    assert "There is no camera number 63" in grabber.status.message
    grabber.close()
