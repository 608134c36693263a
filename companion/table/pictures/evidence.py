"""Makes the pictures stored with a move: one with the reading drawn over it, and the unchanged frames."""

from __future__ import annotations

import cv2

from companion.table.pictures.overlay import evidence_picture, hand_pictures, jpeg
from companion.table.pictures.pictures_of_reading import Pictures
from companion.table.reading.frame_reader import FrameReader, RequestKind
from vision.cameras.frame import Image

FRAME = "frame-1"
"""Name of the frame that was read."""
BACKGROUND = "background"
"""Name of the picture of the table without hands, as the reader used it."""
LARGEST = 1_000_000
"""Size limit of one frame, bytes; a frame that is larger at every quality is not stored."""
_QUALITIES = (85, 70, 50)
"""JPEG qualities, tried in order."""


def pictures_to_store(image: Image, reader: FrameReader, kind: RequestKind) -> Pictures:
    """Return the JPEGs to store with a move: the frame with its readings drawn over it, and the unchanged frames.

    image: the frame that was read, BGR. reader: has the latest readings. kind: what was read.
    """
    hands = kind == "hands"
    read = evidence_picture(
        image, reader.last_hands, None if hands else reader.last_at_rest, reader.readers.draw_at_rest
    )
    seats = hand_pictures(image, reader.last_hands) if hands and reader.last_hands is not None else {}
    return Pictures(jpeg(read), _unchanged_frames(image, reader, kind), seats)


def _unchanged_frames(image: Image, reader: FrameReader, kind: RequestKind) -> dict[str, bytes]:
    """Return JPEGs by name: the frame that was read and, for hands, the picture of the table without hands."""
    kept = {FRAME: _jpeg_within_limit(image)}
    background = reader.readers.background if reader.watcher.background is None else reader.watcher.background
    if kind == "hands" and background is not None:
        kept[BACKGROUND] = _jpeg_within_limit(background)
    return {name: data for name, data in kept.items() if data is not None}


def _jpeg_within_limit(image: Image) -> bytes | None:
    """Return a picture as JPEG of the best quality within the size limit; None if it is larger at each quality."""
    for quality in _QUALITIES:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if data.size <= LARGEST:
            return bytes(data)
    return None
