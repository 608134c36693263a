"""A camera of this machine is identified by what it is, and why it does not open is reported."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from vision.cameras.frame import CameraError, Frame
from vision.cameras.listing import ListedCamera
from vision.cameras.permission import denied, why_not_opened
from vision.cameras.source_factory import NumberedCamera

BY_ID = "/dev/v4l/by-id/usb-046d_C920_7F-video-index0"


class Opened:
    def __init__(self, number: int) -> None:
        self.number = number

    def grab(self) -> Frame:
        raise CameraError("Unplugged.")

    def close(self) -> None:
        pass


class Machine:
    """The cameras that are plugged in, and those that were opened, by their numbers."""

    def __init__(self, *cameras: ListedCamera) -> None:
        self.cameras = cameras
        self.opened: list[int] = []

    def list(self) -> tuple[ListedCamera, ...]:
        return self.cameras

    def open(self, number: int) -> Opened:
        if number not in {camera.number for camera in self.cameras}:
            raise CameraError("There is no such camera.")
        self.opened.append(number)
        return Opened(number)


@pytest.mark.parametrize("by_id", [None, BY_ID])
def test_a_camera_that_comes_back_under_another_number_is_opened_there(by_id: str | None) -> None:
    machine = Machine(ListedCamera(0, "C920", "/dev/video0", by_id))
    camera = NumberedCamera(0, "", machine.open, machine.list)
    camera.open()
    machine.cameras = (ListedCamera(0, "Lid", None), ListedCamera(2, "C920", "/dev/video2", by_id))
    camera.open()
    assert machine.opened == [0, 2]


def test_another_camera_under_the_old_number_is_never_taken_for_it() -> None:
    machine = Machine(ListedCamera(0, "Lid", None))
    camera = NumberedCamera(0, BY_ID, machine.open, machine.list)
    with pytest.raises(CameraError, match="usb-046d_C920_7F-video-index0 is not plugged in"):
        camera.open()
    assert machine.opened == []


def test_of_two_alike_the_one_with_the_number_is_opened() -> None:
    machine = Machine(ListedCamera(0, "C920", None), ListedCamera(1, "C920", None))
    NumberedCamera(1, "C920", machine.open, machine.list).open()
    assert machine.opened == [1]


def test_where_cameras_cannot_be_listed_the_number_is_opened() -> None:
    def silent() -> tuple[ListedCamera, ...]:
        raise CameraError("This system does not tell its cameras.")

    machine = Machine(ListedCamera(3, "C920", None))
    NumberedCamera(3, BY_ID, machine.open, silent).open()
    assert machine.opened == [3]


@pytest.mark.skipif(sys.platform != "linux", reason="device files are Linux's")
def test_a_device_that_may_not_be_opened_names_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = tmp_path / "video0"
    device.touch()
    assert not denied(str(device))
    assert "is there but does not open" in why_not_opened(str(device), "C920")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert denied(str(device))
    line = why_not_opened(str(device), "C920")
    assert line.startswith("This user may not use camera C920. Run `sudo usermod -aG ")
    assert device.group() in line
    assert why_not_opened(str(tmp_path / "video9"), "9").startswith("There is no camera 9.")


def test_macos_sends_people_to_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    class AVCaptureDevice:
        @staticmethod
        def authorizationStatusForMediaType_(_: str) -> int:
            return 2

    class AVFoundation:
        AVMediaTypeVideo = "vide"

    AVFoundation.AVCaptureDevice = AVCaptureDevice  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "AVFoundation", AVFoundation)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "Privacy & Security, Camera" in why_not_opened(0, "number 0")
    assert denied(None)
