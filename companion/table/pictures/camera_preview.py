"""The newest picture with the readings drawn over it, for screens."""

from __future__ import annotations

from companion.table.pictures.overlay import annotated, jpeg
from companion.table.reading.frame_reader import FrameReader
from vision.cameras.frame import Frame


class Preview:
    """Draws the readings over each frame once, for any number of screens. Callable from any thread."""

    def __init__(self) -> None:
        self._made: tuple[int, FrameReader | None, bytes] | None = None

    def of(self, frame: Frame, reader: FrameReader | None) -> bytes:
        """Return a frame as JPEG with the reader's latest readings drawn over it; plain where there is none."""
        cached = self._made
        if cached is not None and cached[0] == frame.number and cached[1] is reader:
            return cached[2]
        picture = frame.image
        if reader is not None:
            picture = annotated(picture, reader.last_hands, reader.last_at_rest, reader.readers.draw_at_rest)
        data = jpeg(picture)
        self._made = (frame.number, reader, data)
        return data
