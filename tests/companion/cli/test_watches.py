import os
import sys
from pathlib import Path

import pytest

from companion.cli.frame_source import camera_feed
from vision.cameras import permission


def test_a_camera_that_this_user_may_not_open_is_named_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    device = tmp_path / "video0"
    device.touch()
    monkeypatch.setattr(permission, "device_path", lambda _: device)
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(sys, "platform", "linux")
    camera_feed("0", "home", "wicked", (1280, 720), True, None)
    assert "This user may not use camera 0. Run `sudo usermod -aG" in capsys.readouterr().out
