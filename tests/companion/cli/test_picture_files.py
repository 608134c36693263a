from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import PictureError
from calibration.files import picture_files
from companion.cli.picture_files import read_picture

PICTURE = np.random.default_rng(0).integers(0, 255, (120, 160, 3)).astype(np.uint8)


def _coded(suffix: str, *options: int) -> bytes:
    return cv2.imencode(suffix, PICTURE, options)[1].tobytes()


def test_a_sound_progressive_jpeg_is_read_without_a_message(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(_coded(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1))
    picture_files.read_picture(path)
    assert capfd.readouterr().err != "", "the decoder prints a message, which the command discards"
    assert read_picture(path).shape == PICTURE.shape
    assert capfd.readouterr().err == ""


def test_a_damaged_picture_is_refused_without_a_message_of_the_decoder(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(_coded(".png"))
    middle = len(data) // 2
    data[middle : middle + 40] = bytes(40)
    path = tmp_path / "a.png"
    path.write_bytes(data)
    with pytest.raises(PictureError, match="damaged"):
        read_picture(path)
    os.write(2, b"afterwards\n")
    assert capfd.readouterr().err == "afterwards\n"
