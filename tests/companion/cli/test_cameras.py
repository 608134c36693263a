"""The commands about cameras, and serving by https: what they print, and one plain line for what cannot be."""

from __future__ import annotations

import ssl
import threading
import urllib.request
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from flask import Flask

from companion.cli import main
from companion.cli.web_listener import start_listening
from tests.vision.cameras.streaming import StreamingCamera
from vision.cameras.phone import PhoneLink


@pytest.fixture(name="home", autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def film(path: Path, shades: tuple[int, ...]) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50.0, (320, 240))
    for shade in shades:
        writer.write(np.full((240, 320, 3), shade, np.uint8))
    writer.release()
    return path


def test_cameras_lists_what_there_is_or_says_what_to_do() -> None:
    result = CliRunner().invoke(main, ["cameras"])
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines
    assert lines[0][0].isdecimal() or "No camera was found. Plug one in" in lines[0]


def test_without_a_camera_the_command_that_is_named_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cameras.listing.listed_cameras", list)
    line = CliRunner().invoke(main, ["cameras"]).output
    assert line.endswith("companion serve --camera phone --tls --profile NAME\n")


def test_snap_into_a_folder_that_cannot_exist_is_refused_in_one_line() -> None:
    result = CliRunner().invoke(main, ["snap", "-o", f"{300 * 'x'}/a.jpg"])
    assert (result.exit_code, result.stderr) == (3, f"There is no folder {300 * 'x'}: create it first.\n")
    assert CliRunner().invoke(main, ["snap", "-o", "a.jpg", "--wait", "nan"]).exit_code == 2


def test_snap_takes_the_last_picture_of_a_short_video(tmp_path: Path) -> None:
    video = film(tmp_path / "short.avi", (20, 90, 200))
    result = CliRunner().invoke(main, ["snap", "--camera", str(video), "-o", str(tmp_path / "taken.png")])
    assert result.exit_code == 0, result.output
    assert "320×240" in result.output
    taken = cv2.imread(str(tmp_path / "taken.png"))
    assert taken is not None
    assert abs(float(taken.mean()) - 200) < 4


@pytest.mark.slow
def test_snap_waits_until_a_stream_has_settled(tmp_path: Path) -> None:
    stream = StreamingCamera()
    stream.put_up()
    result = CliRunner().invoke(main, ["snap", "--camera", stream.address, "-o", str(tmp_path / "taken.jpg")])
    stream.tear_off()
    assert result.exit_code == 0, result.output
    assert (tmp_path / "taken.jpg").read_bytes().startswith(b"\xff\xd8")


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--camera", "nowhere.mp4", "-o", "{tmp}/a.jpg"], 3, "no video file nowhere.mp4"),
        (["--camera", "file:///etc/passwd", "-o", "{tmp}/a.jpg"], 3, "is not the address of a stream"),
        (["--camera", "63", "--wait", "1", "-o", "{tmp}/a.jpg"], 3, "no camera number 63"),
        (["--camera", "http://u:secret@127.0.0.1:9/", "--wait", "1", "-o", "{tmp}/a.jpg"], 3, "does not answer"),
        (["--camera", "0", "-o", "{tmp}/missing/a.jpg"], 3, "no folder"),
        (["--camera", "0", "-o", "{tmp}/a.txt"], 2, ".jpg"),
        (["--camera", "0", "-o", "{tmp}/a.jpg", "--size", "12"], 2, "not a size"),
        (["--camera", "0", "-o", "{tmp}/a.jpg", "--size", "99999x1"], 2, "not a possible picture size"),
    ],
)  # fmt: skip # a table of cases
def test_what_cannot_be_photographed_is_reported_in_plain_words(
    tmp_path: Path, options: list[str], code: int, words: str
) -> None:
    result = CliRunner().invoke(main, ["snap", *(option.format(tmp=tmp_path) for option in options)])
    assert result.exit_code == code, result.output
    assert words in result.output
    assert "secret" not in result.output
    assert code == 2 or len(result.output.strip().splitlines()) == 1
    assert list(tmp_path.glob("a.*")) == []


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--camera", "phone", "--profile", "x"], 2, "needs --tls"),
        (["--camera", "nowhere.mp4", "--profile", "x"], 3, "no video file"),
        (["--camera", "gopher://camera/", "--profile", "x"], 3, "is not the address of a stream"),
    ],
)
def test_serve_refuses_a_camera_that_cannot_be_before_anything_starts(
    options: list[str], code: int, words: str
) -> None:
    result = CliRunner().invoke(main, ["serve", *options])
    assert result.exit_code == code
    assert words in result.output


def test_a_folder_that_cannot_hold_the_certificate_is_reported_in_one_line(home: Path) -> None:
    home.mkdir()
    (home / "tls").write_text("in the way")
    result = CliRunner().invoke(main, ["serve", "--tls", "--host", "127.0.0.1", "--port", "0"])
    assert result.exit_code == 3
    assert "The certificate cannot be saved" in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_by_https_the_addresses_and_how_to_accept_the_certificate_are_printed(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = Flask(__name__)
    app.get("/")(lambda: "here")
    link = PhoneLink()
    listener = start_listening(app, "0.0.0.0", 0, tls=True)
    threading.Thread(target=listener.server.serve_forever, args=(0.05,), daemon=True).start()
    listener.announce(link)
    output = capsys.readouterr().out
    trusting = ssl.create_default_context(cafile=str(home / "tls" / "certificate.pem"))
    for address in (listener.local, *listener.addresses()):
        assert address.startswith("https://")
        assert address in output
        with urllib.request.urlopen(address, context=trusting) as answer:
            assert answer.read() == b"here"
    assert link.address in output
    assert link.address.endswith("/camera")
    assert listener.certificate is not None
    assert listener.certificate.fingerprint[:23] in output
    assert "Advanced" in output
    listener.server.shutdown()
    listener.server.server_close()


def test_without_tls_nothing_is_said_of_certificates(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listener = start_listening(Flask(__name__), "127.0.0.1", 0, tls=False)
    listener.announce()
    assert capsys.readouterr().out == f"The table page: http://localhost:{listener.server.port}\n"
    assert not home.exists()
    listener.server.server_close()
