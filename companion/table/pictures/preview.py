"""The newest picture as screens see it, with what was read drawn over it."""

from __future__ import annotations

from companion.table.pictures.overlay import annotated, jpeg
from companion.table.reading.frame_reader import FrameReader
from vision.cameras.frame import Frame


class Preview:
    """Draws each frame once, however many screens watch. Callable from any thread."""

    def __init__(self) -> None:
        self._made: tuple[int, FrameReader | None, bytes] | None = None

    def of(self, frame: Frame, eyes: FrameReader | None) -> bytes:
        """Give a frame as JPEG. eyes: what it is read with, None where nothing shall be drawn over it."""
        made = self._made
        if made is not None and made[0] == frame.number and made[1] is eyes:
            return made[2]
        picture = frame.image if eyes is None else annotated(frame.image, eyes.last_reveal, eyes.last_cards)
        data = jpeg(picture)
        self._made = (frame.number, eyes, data)
        return data
