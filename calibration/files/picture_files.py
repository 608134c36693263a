"""Reads picture files from untrusted sources: the header is checked before anything is decoded."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np

from calibration.errors import PictureError
from calibration.plane import Image
from calibration.translatable import say

MOST_BYTES = 64 * 1024 * 1024
"""Largest size of a picture file, bytes."""
MOST_PIXELS = 50_000_000
"""Maximum number of pixels of a picture that is decoded."""
LEAST_SIDE = 64
"""Shortest side of a picture, px."""


def read_picture(path: str | Path) -> Image:
    """Return the picture in a JPEG, PNG, WebP or BMP file as BGR uint8 (height, width, 3).

    Raises PictureError for a file that is missing, no picture, truncated, tiny, or so large that decoding could
    exhaust the memory: more than 50 megapixels by its header.
    """
    path = Path(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise PictureError(
                say(
                    "{name} is larger than {most_bytes} MB: use a smaller picture.",
                    name=path.name,
                    most_bytes=MOST_BYTES >> 20,
                )
            )
        data = path.read_bytes()
    except FileNotFoundError:
        raise PictureError(say("There is no file {path}: check the name.", path=path)) from None
    except OSError as error:
        raise PictureError(
            say("{path} cannot be read: {reason}.", path=path, reason=error.strerror or error)
        ) from error
    return decode_picture(data, path.name)


def decode_picture(data: bytes, name: str = "the picture", most_pixels: int = MOST_PIXELS) -> Image:
    """Return the picture in a file's bytes, as `read_picture` does. name: of the picture, for error messages."""
    width, height = check_picture(data, name, most_pixels)
    if min(width, height) < LEAST_SIDE:
        raise PictureError(
            say(
                "{name} is only {width}×{height} pixels: use the camera's original picture.",
                name=name,
                width=width,
                height=height,
            )
        )
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None or image.ndim != 3:
        raise PictureError(say("{name} is damaged: copy or take the picture again.", name=name))
    decoded = np.asarray(image, np.uint8)
    if _lacks_data(data, decoded):
        raise PictureError(_cut_off(name))
    return decoded


def check_picture(data: bytes, name: str, most_pixels: int = MOST_PIXELS) -> tuple[int, int]:
    """Return the (width, height) in a picture's header, without decoding it.

    name: of the picture, for error messages. Raises PictureError for data that is no picture, truncated, or too
    large to decode.
    """
    try:
        size = _claimed_size(data)
    except (struct.error, IndexError, EOFError):
        raise PictureError(_cut_off(name)) from None
    if size is None:
        raise PictureError(
            say("{name} is not a picture that can be read: use a JPEG, PNG, WebP or BMP file.", name=name)
        )
    width, height = size
    if width * height > most_pixels:
        raise PictureError(
            say(
                "{name} has {width}×{height} pixels, more than {most_pixels} megapixels: use a smaller picture.",
                name=name,
                width=width,
                height=height,
                most_pixels=most_pixels // 1000000,
            )
        )
    return size


def _cut_off(name: str) -> str:
    return say("{name} is cut off: copy or take the picture again.", name=name)


def _claimed_size(data: bytes) -> tuple[int, int] | None:
    """Return the (width, height) in the header of a picture; None for an unknown format.

    Raises struct.error, IndexError or EOFError for truncated data.
    """
    if not data:
        return None
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png_size(data)
    if data.startswith(b"\xff\xd8"):
        return _walk_jpeg(data)[0]
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_size(data)
    if data.startswith(b"BM"):
        length, width, height = struct.unpack_from("<I", data, 2)[0], *struct.unpack_from("<ii", data, 18)
        if len(data) < length:
            raise EOFError
        return width, abs(height)
    return None


def _png_size(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    at = 8
    while True:
        length, kind = struct.unpack_from(">I4s", data, at)
        at += 12 + length
        if at > len(data):
            raise EOFError
        if kind == b"IEND":
            return width, height


def _walk_jpeg(data: bytes) -> tuple[tuple[int, int], int]:
    """Return the (width, height) of a JPEG file, and the position of its end marker, by parsing all its segments.

    Merely searching an end marker would accept a truncated file that contains another JPEG file. Raises IndexError,
    struct.error or EOFError for truncated data.
    """
    at, size, scanned = 2, None, False
    while True:
        if data[at] != 0xFF or data[at + 1] == 0xFF:
            at += 1
            continue
        marker = data[at + 1]
        if marker == _END_OF_IMAGE and scanned and size is not None:
            return size, at
        if marker in (_START_OF_IMAGE, _END_OF_IMAGE):
            raise EOFError
        if marker == 0x01 or marker in _RESTARTS:
            at += 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            size = (width, height)
        at += 2 + length
        if marker == _START_OF_SCAN:
            scanned = True
            at = _scan_end(data, at)


def _scan_end(data: bytes, at: int) -> int:
    """Return the position of the next marker after the entropy-coded data at a position.

    In such data, 0xFF is followed by zero. Raises EOFError if there is no marker.
    """
    while (at := data.find(b"\xff", at)) >= 0:
        if data[at + 1] != 0 and data[at + 1] not in _RESTARTS:
            return at
        at += 2
    raise EOFError


def _lacks_data(data: bytes, image: Image) -> bool:
    """Return whether data is missing from the last scan of a JPEG file although it has an end marker.

    If so, bytes appended to the scan change the decoded picture; a decoder ignores them after a complete scan.
    image: the decoded file.
    """
    if not data.startswith(b"\xff\xd8"):
        return False
    progressive = b"\xff\xc2" in data
    # By its EXIF orientation, any corner may be the last one in the file.
    corners = image[[0, 0, -1, -1], [0, -1, 0, -1]]
    if not progressive and not (corners == _MISSING_LEVEL).all(axis=1).any():
        return False
    _, end = _walk_jpeg(data)
    again = cv2.imdecode(np.frombuffer(data[:end] + _FILLER + data[end:], np.uint8), cv2.IMREAD_COLOR)
    return again is not None and not np.array_equal(again, image)


_START_OF_IMAGE = 0xD8
"""JPEG marker SOI (ITU-T T.81, table B.1)."""
_END_OF_IMAGE = 0xD9
"""JPEG marker EOI."""
_START_OF_SCAN = 0xDA
"""JPEG marker SOS."""
_RESTARTS = range(0xD0, 0xD8)
"""JPEG markers RST0 to RST7."""
_MISSING_LEVEL = 128
"""Grey level with which decoders fill in blocks that the file lacks."""
_FILLER = bytes(range(1, 255))
"""Arbitrary bytes appended to a scan as entropy-coded data; they contain no marker."""


def _webp_size(data: bytes) -> tuple[int, int] | None:
    """Return the (width, height) of a WebP file; None for an unknown variant. Raises EOFError if truncated."""
    if len(data) < struct.unpack_from("<I", data, 4)[0] + 8:
        raise EOFError
    kind = data[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        return width, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None
