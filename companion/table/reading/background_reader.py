"""Reads the whole table in a worker thread, because that takes too long for the thread that processes frames."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from calibration.errors import CalibrationError
from calibration.seats import Seating
from calibration.translatable import say
from companion.referee.finding import Finding
from companion.session import Session, Timeline
from companion.table.adapter import Adapter, WholeTable
from companion.table.pictures.reading_pictures import Pictures
from companion.table.reading.frame_reader import FrameResult, Readers
from companion.table.views import Refused
from vision.cameras.frame import Frame, Image

MIN_STILL_SECONDS = 1.0
"""Seconds without motion before the table is read."""


@dataclass(frozen=True)
class BackgroundResult:
    """A reading of the whole table and what it means in one state of a game."""

    session: str
    """Id of the game."""
    number: int
    """Number of the state that it was interpreted in."""
    period: int
    """Number of the still interval that was read."""
    reading: Any
    """What the whole table was read as."""
    finding: Finding[Any]
    """What that means in the game."""
    pictures: Pictures
    """Pictures that it was read from."""


@dataclass(frozen=True)
class _Job:
    """A picture to read for one state of the game, or an earlier reading to interpret in a new state."""

    session: Session
    """The game."""
    timeline: Timeline
    """The game at that state."""
    period: int
    """Number of the still interval."""
    readers: Readers | None = None
    """What reads the picture; None where `before` is interpreted again."""
    image: Image | None = None
    """The picture, BGR; None where `before` is interpreted again."""
    before: BackgroundResult | None = None
    """The earlier reading."""
    confirms: str = ""
    """Id of a proposal that is about to be entered, to be confirmed by this picture; else ""."""
    held: bool = False
    """A person stopped the countdown of the proposal that `before` had led to."""


class BackgroundReader:
    """Reads the whole table, one picture at a time. Commands come from any thread, frames from one thread.

    adapter: the game's. seating: returns where things lie, for a number of players. lock: the table's.
    found: called under it with each result, or with None where nothing could be read, with the id of the proposal
    that was to be confirmed, and whether its countdown was stopped before. publish: called after the progress
    changed. clock: monotonic seconds. work: executor of the readings, a thread of its own by default.
    """

    def __init__(
        self,
        adapter: Adapter[Any, Any],
        seating: Callable[[int], Seating],
        lock: threading.RLock,
        found: Callable[[BackgroundResult | None, str, bool], None],
        publish: Callable[[], None],
        clock: Callable[[], float],
        work: Executor | None = None,
    ) -> None:
        self._adapter = adapter
        self._seating = seating
        self._lock = lock
        self._found = found
        self._publish = publish
        self._clock = clock
        self._owns_work = work is None
        self._work = work or ThreadPoolExecutor(1, thread_name_prefix="background-reader")
        self._reader: tuple[Readers, Any] | None = None
        self.readable = self.busy = self.asked = False
        self.trouble = ""
        """One line about why the table could not be read, or ""."""
        self._still_since: tuple[int, float] = (-1, 0.0)
        self._started: tuple[str, int, str] | None = None
        self._latest: BackgroundResult | None = None

    # Commands

    def ask(self, on: bool = True) -> None:
        """Request a reading of the next still picture, or withdraw the request."""
        with self._lock:
            if not self.readable:
                raise Refused("not_now", self._unreadable)
            self.asked = on
            self._publish()

    def close(self) -> None:
        """Stop the worker thread, unless the executor is the caller's."""
        if self._owns_work:
            self._work.shutdown(wait=False, cancel_futures=True)

    # Under the lock

    def process_frame(
        self, session: Session | None, frame: Frame, result: FrameResult, readers: Readers, due: str
    ) -> bool:
        """Start a reading where one is due and the frame shows a still table; return whether it is still.

        due: id of a proposal that is to be confirmed by a new picture, else "".
        """
        whole, able = self._adapter.whole_table, readers.whole_table is not None
        if able != self.readable:
            self.readable = able
            self._publish()
        if session is None or whole is None or not able:
            return True
        if not (result.motion.still and result.motion.state == "watching" and result.health.fit):
            return False
        if result.motion.period != self._still_since[0]:
            self._still_since = (result.motion.period, self._clock())
        if self.busy or self._clock() - self._still_since[1] < MIN_STILL_SECONDS:
            return True
        job = _Job(session, session.timeline, result.motion.period, readers, frame.image, confirms=due)
        key = (session.id, result.motion.period, self._adapter.game.stage(session.state).phase)
        automatic = whole.automatic(session.state) and key != self._started and not self._is_known(key)
        if due:
            self._start(job)
        elif automatic or self.asked:
            self._started, self.asked = key, False
            self._start(job)
        return True

    def interpret_again(self, session: Session, *, held: bool = False) -> None:
        """Interpret the latest reading in the new state of the game. held: a person stopped its countdown."""
        latest, whole = self._latest, self._adapter.whole_table
        if latest is None or (latest.session, latest.number) == (session.id, session.number):
            return
        if latest.session != session.id or whole is None or not whole.automatic(session.state):
            self._latest = None
            self.asked = False
        elif not self.busy:
            self._start(_Job(session, session.timeline, latest.period, before=latest, held=held))

    def forget(self) -> None:
        """Discard the latest reading, until the picture changes."""
        self._latest = None

    def is_unchanged(self, period: int) -> bool:
        """Return whether nothing has moved since this still interval was read."""
        return period == self._still_since[0]

    @property
    def _unreadable(self) -> str:
        whole = self._adapter.whole_table
        return say("In this game the camera has nothing to read on request.") if whole is None else whole.unreadable

    def _is_known(self, key: tuple[str, int, str]) -> bool:
        """Return whether this still interval has been read already. key: session id, still interval and phase."""
        latest = self._latest
        return latest is not None and (latest.session, latest.period) == key[:2]

    def _start(self, job: _Job) -> None:
        self.busy = True
        self._work.submit(self._run, job)
        self._publish()

    # In the worker thread

    def _run(self, job: _Job) -> None:
        result, trouble = None, ""
        try:
            if (whole := self._adapter.whole_table) is not None:
                result = self._result_of(whole, job)
        except CalibrationError as error:
            trouble = str(error)
        except Exception:
            # One bad picture must not end the session.
            logging.getLogger(__name__).exception("The whole table could not be read.")
            trouble = "" if whole is None else whole.failed
        with self._lock:
            self.busy, self.trouble = False, trouble
            if result is not None:
                self._latest = result
            self._found(result, job.confirms, job.held)
            self._publish()

    def _result_of(self, whole: WholeTable[Any, Any], job: _Job) -> BackgroundResult:
        """Read and interpret a picture. Raises CalibrationError where it cannot be used."""
        timeline, names, before = job.timeline, job.session.names, job.before
        state, number = timeline.state, len(timeline.entries)
        if before is not None:
            return replace(before, number=number, finding=whole.interpret(timeline, names, before.reading))
        if job.readers is None or job.image is None:
            raise ValueError("A job needs a picture, or an earlier reading.")
        reader = self._reader_of(job.readers)
        reading = whole.read(reader, job.image, state, self._seating(len(names)))
        pictures = whole.draw(job.image, state, reading)
        finding = whole.interpret(timeline, names, reading)
        return BackgroundResult(job.session.id, number, job.period, reading, finding, pictures)

    def _reader_of(self, readers: Readers) -> Any:
        if readers.whole_table is None:
            raise CalibrationError(self._unreadable)
        if self._reader is None or self._reader[0] is not readers:
            self._reader = readers, readers.whole_table()
        return self._reader[1]
