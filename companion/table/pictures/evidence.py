"""The pictures that are kept with a move: what was read drawn over one for people, and the frames as they were."""

from __future__ import annotations

import cv2

from companion.games.wicked.state import Phase
from companion.table.pictures.overlay import evidence_picture, hand_pictures, jpeg
from companion.table.reading.frame_reader import FrameReader
from vision.cameras.frame import Image

FRAME = "frame-1"
BACKGROUND = "background"
"""The table without hands, as the reader had it."""
LARGEST = 1_000_000
"""Bytes of one frame; a larger one is squeezed harder, and left out where that does not help."""
_QUALITIES = (85, 70, 50)


def evidence(image: Image, eyes: FrameReader, phase: Phase) -> bytes:
    """Draw what was read in this phase for people to look it up later, as JPEG."""
    return jpeg(evidence_picture(image, eyes.last_reveal, None if phase == "search" else eyes.last_cards))


def hands(image: Image, eyes: FrameReader, phase: Phase) -> dict[int, bytes]:
    """Enlarge every open hand with what was counted in it, by seat, as JPEG; none where no hands were read."""
    return hand_pictures(image, eyes.last_reveal) if phase == "search" and eyes.last_reveal is not None else {}


def stills(image: Image, eyes: FrameReader, phase: Phase) -> dict[str, bytes]:
    """Give the frame as the camera saw it, in its own size, and what hands were told from, as JPEG by name."""
    kept = {FRAME: _squeezed(image)}
    background = eyes.readers.background if eyes.watcher.background is None else eyes.watcher.background
    if phase == "search" and background is not None:
        kept[BACKGROUND] = _squeezed(background)
    return {name: data for name, data in kept.items() if data is not None}


def _squeezed(image: Image) -> bytes | None:
    for quality in _QUALITIES:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if data.size <= LARGEST:
            return bytes(data)
    return None
