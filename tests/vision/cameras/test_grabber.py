"""The grab thread: newest frame only, and a camera that fails comes back by itself."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.cameras.grabbing import QUICK, SOON_SILENT, ScriptedCamera, reaches
from tests.waiting import eventually
from vision.cameras.frame import CameraError, EndOfVideoError
from vision.cameras.grabber import Grabber, Patience
from vision.cameras.video_files_and_streams import VideoCamera


def test_only_the_newest_frame_is_kept_and_the_others_are_counted() -> None:
    camera = ScriptedCamera()
    grabber = Grabber(camera.open, QUICK)
    grabber.start()
    camera.allowed.release(5)
    eventually(lambda: grabber.status.frames == 5)
    frame = grabber.newest(1.0)
    assert frame is not None
    assert frame.number == 4
    assert grabber.status.dropped == 4
    assert grabber.newest(0.01) is None
    camera.torn.set()
    grabber.close()
    assert camera.closed == 1


def test_a_camera_torn_off_is_reported_plainly_and_comes_back_by_itself() -> None:
    camera = ScriptedCamera()
    grabber = Grabber(camera.open, QUICK)
    grabber.start()
    camera.allowed.release()
    reaches(grabber, "running")
    camera.torn.set()
    reaches(grabber, "retrying")
    assert "camera" in grabber.status.message
    reaches(grabber, "waiting")
    camera.torn.clear()
    camera.allowed.release()
    reaches(grabber, "running")
    assert grabber.status.message == ""
    assert camera.opened == 2
    camera.torn.set()
    grabber.close()


def test_an_open_camera_that_gives_no_frames_is_reported_as_silent() -> None:
    camera = ScriptedCamera()
    grabber = Grabber(camera.open, SOON_SILENT)
    grabber.start()
    camera.allowed.release()
    eventually(lambda: grabber.status.frames == 1)
    reaches(grabber, "silent")
    assert "no picture" in grabber.status.message
    camera.torn.set()
    grabber.close()


def test_a_camera_that_blocks_before_its_first_frame_is_reported_as_silent() -> None:
    camera, opening = ScriptedCamera(), threading.Event()

    def blocked() -> ScriptedCamera:
        opening.wait()
        return camera.open()

    grabber = Grabber(blocked, SOON_SILENT)
    grabber.start()
    assert grabber.status.state == "starting"
    reaches(grabber, "silent")
    assert "no picture yet" in grabber.status.message
    opening.set()
    camera.allowed.release()
    eventually(lambda: grabber.status.frames == 1)
    camera.torn.set()
    grabber.close()


def test_pauses_double_up_to_the_longest_and_then_become_rare() -> None:
    patience = Patience(first=0.25, longest=1.0, tries=5, rarely=9.0)
    assert [patience.pause(failures) for failures in range(1, 7)] == [0.25, 0.5, 1.0, 1.0, 9.0, 9.0]


def test_a_video_file_plays_to_its_end_and_then_says_that_it_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "short.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 100.0, (64, 48))
    for shade in (40, 120, 200):
        writer.write(np.full((48, 64, 3), shade, np.uint8))
    writer.release()
    camera = VideoCamera(str(path))
    shades = [int(camera.grab().image.mean()) for _ in range(3)]
    assert shades == sorted(shades)
    with pytest.raises(EndOfVideoError, match=r"has ended.*short\.avi"):
        camera.grab()
    camera.close()
    grabber = Grabber(lambda: VideoCamera(str(path)), QUICK)
    grabber.start()
    reaches(grabber, "over")
    grabber.close()


def test_a_video_that_is_not_there_is_reported_in_one_plain_line(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no video file"):
        VideoCamera(str(tmp_path / "nothing.mp4"))
