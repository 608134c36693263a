"""Pictures stored with a move: one for people with the reading drawn over it, and the unchanged frames."""

from __future__ import annotations

import cv2

from companion.games.wicked.state import Phase
from companion.table.pictures.overlay import evidence_picture, hand_pictures, jpeg
from companion.table.reading.frame_reader import FrameReader
from vision.cameras.frame import Image

FRAME = "frame-1"
"""Name of the frame that was read."""
BACKGROUND = "background"
"""Name of the picture of the table without hands, as the reader used it."""
LARGEST = 1_000_000
"""Size limit of one frame, bytes; a larger one is compressed more, and left out where that is not enough."""
_QUALITIES = (85, 70, 50)
"""JPEG qualities, tried in order."""


def evidence(image: Image, reader: FrameReader, phase: Phase) -> bytes:
    """Return the picture with what was read in this phase drawn over it, as JPEG."""
    return jpeg(evidence_picture(image, reader.last_reveal, None if phase == "search" else reader.last_cards))


def hands(image: Image, reader: FrameReader, phase: Phase) -> dict[int, bytes]:
    """Return every open hand enlarged with its counted pieces, by seat, as JPEG; none where no hands were read."""
    return hand_pictures(image, reader.last_reveal) if phase == "search" and reader.last_reveal is not None else {}


def stills(image: Image, reader: FrameReader, phase: Phase) -> dict[str, bytes]:
    """Return the frame in its own size and the background of the hands, as JPEG by name."""
    kept = {FRAME: _compressed(image)}
    background = reader.readers.background if reader.watcher.background is None else reader.watcher.background
    if phase == "search" and background is not None:
        kept[BACKGROUND] = _compressed(background)
    return {name: data for name, data in kept.items() if data is not None}


def _compressed(image: Image) -> bytes | None:
    for quality in _QUALITIES:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if data.size <= LARGEST:
            return bytes(data)
    return None
