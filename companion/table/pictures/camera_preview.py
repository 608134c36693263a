"""The camera's newest picture with the readings drawn over it, for screens."""

from __future__ import annotations

from companion.table.pictures.overlay import annotated_picture, jpeg
from companion.table.reading.frame_reader import FrameReader
from vision.cameras.frame import Frame


class Preview:
    """Draws readings over a frame and caches the result for further screens. Callable from any thread."""

    def __init__(self) -> None:
        self._made: tuple[int, FrameReader | None, bytes] | None = None

    def jpeg_of(self, frame: Frame, reader: FrameReader | None) -> bytes:
        """Return a frame as JPEG with the reader's latest readings drawn over it; without a reader, unchanged."""
        cached = self._made
        if cached is not None and cached[0] == frame.number and cached[1] is reader:
            return cached[2]
        picture = frame.image
        if reader is not None:
            picture = annotated_picture(
                picture, reader.last_hands, reader.last_at_rest, reader.readers.draw_at_rest
            )
        data = jpeg(picture)
        self._made = (frame.number, reader, data)
        return data
