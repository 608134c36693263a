from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import PictureError
from calibration.files.picture_files import decode_picture, read_picture
from tests.oversized_png import png_claiming

SMOOTH = np.tile(np.linspace(20, 235, 320).astype(np.uint8)[None, :, None], (240, 1, 3))
SMOOTH[60:180, 80:240] = (40, 200, 90)
PICTURE = np.random.default_rng(0).integers(0, 255, (120, 160, 3)).astype(np.uint8)


def _coded(suffix: str) -> bytes:
    return cv2.imencode(suffix, PICTURE)[1].tobytes()


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
def test_a_picture_of_each_format_is_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(_coded(suffix))
    assert read_picture(path).shape == PICTURE.shape


def test_a_cut_off_picture_is_refused_at_any_length(subtests: pytest.Subtests) -> None:
    for share in [0.05, 0.5, 0.95]:
        for suffix in [".jpg", ".png", ".webp", ".bmp"]:
            with subtests.test(f"{share!r:.60} {suffix!r:.60}"):
                data = _coded(suffix)
                with pytest.raises(PictureError, match=r"cut off|damaged"):
                    decode_picture(data[: int(len(data) * share)])


def test_a_cut_off_jpeg_is_refused_whatever_trailer_follows(subtests: pytest.Subtests) -> None:
    for share in [0.4, 0.7, 0.97]:
        for progressive in [0, 1]:
            with subtests.test(f"{share!r:.60} {progressive!r:.60}"):
                whole = cv2.imencode(".jpg", SMOOTH, [cv2.IMWRITE_JPEG_PROGRESSIVE, progressive])[1].tobytes()
                cut = whole[: int(len(whole) * share)].rstrip(b"\xff")
                for trailer in (b"\xff\xd9", b"\xff\xd9more\xff\xd9", _coded(".jpg")):
                    with pytest.raises(
                        PictureError, match=r"^a\.jpg is cut off: copy or take the picture again\.$"
                    ):
                        decode_picture(cut + trailer, "a.jpg")
                    assert decode_picture(whole + trailer).shape == SMOOTH.shape


def test_a_cut_off_jpeg_is_refused_however_it_is_turned(subtests: pytest.Subtests) -> None:
    whole = cv2.imencode(".jpg", SMOOTH)[1].tobytes()
    cut = whole[: len(whole) * 6 // 10].rstrip(b"\xff") + b"\xff\xd9"
    for orientation in range(1, 9):
        with subtests.test(f"orientation {orientation}"):
            entry = struct.pack(">HHHIHH", 1, 0x112, 3, 1, orientation, 0)
            exif = b"Exif\0\0MM\0*\0\0\0\x08" + entry + bytes(4)
            segment = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
            size = SMOOTH.shape if orientation < 5 else (SMOOTH.shape[1], SMOOTH.shape[0], 3)
            assert decode_picture(whole[:2] + segment + whole[2:]).shape == size
            with pytest.raises(PictureError, match="cut off"):
                decode_picture(cut[:2] + segment + cut[2:])


def test_a_jpeg_that_ends_in_grey_or_with_restart_markers_is_whole() -> None:
    grey = SMOOTH.copy()
    grey[-40:] = 128
    for options in ([], [cv2.IMWRITE_JPEG_RST_INTERVAL, 3], [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]):
        data = cv2.imencode(".jpg", grey, options)[1].tobytes()
        assert (decode_picture(data)[-1, -1] == 128).all()


def _jpeg_claiming(width: int, height: int) -> bytes:
    data = bytearray(_coded(".jpg"))
    at = data.find(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(data)


@pytest.mark.parametrize("data", [png_claiming(12_000, 9_000), _jpeg_claiming(12_000, 9_000)])
def test_a_hundred_megapixel_bomb_is_refused_by_its_header(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def decode(*_: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr(cv2, "imdecode", decode)
    with pytest.raises(PictureError, match="12000×9000"):
        decode_picture(data)


NO_PICTURES = [
    b"",
    b"hello",
    b"%PDF-1.7",
    b"GIF89a" + b"\0" * 50,
    b"\xff\xd8",
    b"\xff\xd8\xff\xe0",
    b"RIFF\x10\0\0\0WEBPVP8 ",
    b"BM",
    b"\x89PNG\r\n\x1a\n",
    b"\xff" * 400,
    _coded(".png")[:40] + b"\0" * 600 + _coded(".png")[40:],
    cv2.imencode(".png", np.zeros((20, 20, 3), np.uint8))[1].tobytes(),
]


def test_what_is_no_picture_is_refused_with_one_plain_line(subtests: pytest.Subtests) -> None:
    for data in NO_PICTURES:
        with subtests.test(f"{data!r:.60}"):
            with pytest.raises(PictureError) as refusal:
                decode_picture(data, "a.jpg")
            assert str(refusal.value).startswith("a.jpg ")
            assert "\n" not in str(refusal.value)


def test_random_damage_never_gives_anything_but_a_picture_or_a_plain_refusal() -> None:
    rng = np.random.default_rng(1)
    refused = 0
    for suffix in (".jpg", ".png", ".webp", ".bmp"):
        for _ in range(40):
            data = bytearray(_coded(suffix))
            for at in rng.integers(0, min(400, len(data)), 6):
                data[at] = rng.integers(0, 256)
            try:
                decode_picture(bytes(data))
            except PictureError:
                refused += 1
    assert refused > 20


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no file"):
        read_picture(tmp_path / "none.jpg")
    with pytest.raises(PictureError, match="cannot be read"):
        read_picture(tmp_path)
