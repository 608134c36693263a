"""The state of a running table's camera: newest frame, frame reader, latest result, reasons to pause."""

from __future__ import annotations

from calibration.plane import TablePlane
from calibration.translatable import say
from companion.table.camera_status_view import LOST, camera_view, visible_parts
from companion.table.pictures.camera_preview import Preview
from companion.table.reading.frame_reader import FrameReader, FrameResult
from companion.table.reading.pause_reasons import ReadingPause
from companion.table.reading.reading_durations import Timings
from companion.table.views import CameraView
from vision.cameras.frame import Frame, Image
from vision.cameras.grabber import GrabStatus

_MAX_PICTURE_AGE = 3.0
"""Maximum age of the picture that a person takes of the table, s."""


class TableCamera:
    """The state of a table's camera. Used under the table's lock, except `preview_of`."""

    def __init__(self) -> None:
        self.reader: FrameReader | None = None
        self.result: FrameResult | None = None
        self.frame: Frame | None = None
        self.pause = ReadingPause()
        self.read_from = float("-inf")
        """Frames that were taken before this time are not read: they arrived late, as over a slow network."""
        self.timings = Timings()
        self._why_not = self._failure = ""
        self._status = GrabStatus("starting", say("The camera is being prepared."))
        self._milliseconds = 0.0
        self._preview = Preview()

    @property
    def picture(self) -> Image | None:
        """The newest picture, BGR; None while the camera does not run, or if it is old."""
        if self.frame is None or self._status.state != "running" or self._status.age > _MAX_PICTURE_AGE:
            return None
        return self.frame.image

    def reader_of(self, frame: Frame) -> FrameReader | None:
        """Return the reader of a frame; None if it is not to be read."""
        return None if self.pause or frame.taken_at < self.read_from else self.reader

    @property
    def plane(self) -> TablePlane | None:
        """The table plane that the frame reader uses; None without a frame reader or calibration."""
        return None if self.reader is None else self.reader.readers.plane

    def set_reader(self, reader: FrameReader | None, why_not: str) -> None:
        """Set the frame reader and discard the latest result. why_not: line about why there is none, for people."""
        self.reader, self.result, self._why_not, self._failure = reader, None, why_not, ""

    def update(self, status: GrabStatus) -> tuple[bool, bool]:
        """Store the grabber's status; return (whether it changed, whether the camera is back after a failure).

        While a camera is being opened, the newest frame is discarded, because it is of the previous camera.
        """
        changed = (status.state, status.message) != (self._status.state, self._status.message)
        back = changed and status.state == "running" and self._status.state in LOST
        self._status = status
        if status.state == "starting":
            self.frame = None
        return changed, back

    def record(self, result: FrameResult, milliseconds: float) -> bool:
        """Store a frame's result and processing time; return whether screens have to be updated for it."""
        before, self.result = self.result, result
        failed, self._failure = self._failure, ""
        if result.reading:
            self._milliseconds = milliseconds
            self.timings.add(milliseconds)
        return before is None or bool(failed) or visible_parts(before) != visible_parts(result)

    def record_failure(self, line: str) -> bool:
        """Store why a frame could not be read; return whether screens have to be updated for it."""
        before, self._failure = self._failure, line
        return before != line

    def view(self, *, asking: bool, unread: str, where: tuple[int, ...] = ()) -> CameraView:
        """Return the camera's status for screens.

        asking: whether a proposal waits for a person. unread: line about why readings gave no proposal, or "".
        where: places on the game's board that `unread` concerns.
        """
        return camera_view(
            self._status,
            self.result,
            equipped=self.reader is not None,
            why_not=self._why_not,
            failure=self._failure,
            pause=self.pause,
            asking=asking,
            unread=unread,
            where=where,
            milliseconds=self._milliseconds,
        )

    def preview_of(self, frame: Frame, reader: FrameReader | None) -> bytes:
        """Return a frame as JPEG with the reader's latest readings drawn over it. Callable from any thread."""
        return self._preview.jpeg_of(frame, reader)
