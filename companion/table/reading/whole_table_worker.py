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
from companion.table.game_adapter import Adapter, WholeTable
from companion.table.pictures.pictures_of_reading import Pictures
from companion.table.reading.frame_reader import FrameResult, Readers
from companion.table.views import Refused
from vision.cameras.frame import Frame, Image

MIN_STILL_SECONDS = 1.0
"""Seconds without motion before the table is read."""


@dataclass(frozen=True)
class WholeTableResult:
    """A reading of the whole table and what it means in one state of a game."""

    session: str
    """Id of the game."""
    number: int
    """Number of the game state in which it was interpreted: the count of journal entries."""
    period: int
    """Number of the still interval that was read."""
    reading: Any
    """What the whole table was read as."""
    finding: Finding[Any]
    """What the reading means in that state."""
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
    """Readers for the picture; None where `before` is interpreted again."""
    image: Image | None = None
    """The picture, BGR; None where `before` is interpreted again."""
    before: WholeTableResult | None = None
    """The earlier reading to interpret again; None where a picture is read."""
    confirms: str = ""
    """Id of a proposal that is about to be entered, to be confirmed by this picture; "" for none."""
    held: bool = False
    """A person stopped the countdown of the proposal that `before` had led to."""


class WholeTableWorker:
    """Reads pictures of the whole table in a worker thread, one at a time, and interprets them in the game's state.

    Commands come from any thread, frames from one thread.

    adapter: of the game that is played.
    seating: returns, for a number of players, the seating by which cards and boards lie.
    lock: the table's.
    found: called under the lock after each reading with three values: the result, None where nothing could be read;
    the id of the proposal that it was to confirm, "" for none; whether a person had stopped the countdown of the
    earlier reading that was interpreted again.
    publish: called after `busy`, `requested`, `readable` or `trouble` changed.
    clock: monotonic seconds.
    work: executor of the readings; None creates a thread for them.
    """

    def __init__(
        self,
        adapter: Adapter[Any, Any],
        seating: Callable[[int], Seating],
        lock: threading.RLock,
        found: Callable[[WholeTableResult | None, str, bool], None],
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
        self._work = work or ThreadPoolExecutor(1, thread_name_prefix="whole-table")
        self._reader: tuple[Readers, Any] | None = None
        self.readable = self.busy = self.requested = False
        self.trouble = ""
        """One line about why the table could not be read, or ""."""
        self._still_since: tuple[int, float] = (-1, 0.0)
        self._started: tuple[str, int, str] | None = None
        self._latest: WholeTableResult | None = None
        self._job: _Job | None = None

    # Commands

    def request_reading(self, on: bool = True) -> None:
        """Request a reading of the next still picture; on=False withdraws the request. Raises `Refused`."""
        with self._lock:
            if not self.readable:
                raise Refused("not_now", self._unreadable)
            self.requested = on
            self._publish()

    def close(self) -> None:
        """Stop the worker thread, unless the executor is the caller's."""
        if self._owns_work:
            self._work.shutdown(wait=False, cancel_futures=True)

    # Under the lock

    def restart(self, readers: Readers | None) -> None:
        """Discard all readings and requests, and the job that runs, so that the table is read from the beginning.

        readers: of the frames from now on; None while nothing is read.
        """
        self._latest = self._started = self._job = None
        # Other readers number their still intervals anew.
        self._still_since = (-1, 0.0)
        self.requested, self.trouble = False, ""
        self.readable = readers is not None and readers.whole_table is not None

    def process_frame(
        self, session: Session | None, frame: Frame, result: FrameResult, readers: Readers, due: str
    ) -> bool:
        """Start a reading of the frame if one is due; return False if motion, hands or a hindered view prevent it.

        Return True as well where nothing can be read at all. due: id of a proposal whose countdown has ended and
        that a new picture has to confirm; "" for none.
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
        automatic = whole.automatic(session.state) and key != self._started and not self._is_read_already(key)
        if due:
            self._start(job)
        elif automatic or self.requested:
            self._started, self.requested = key, False
            self._start(job)
        return True

    def interpret_again(self, session: Session, *, held: bool = False) -> None:
        """Interpret the latest reading again after the game has changed its state; discard one of another game.

        held: a person had stopped the countdown of the proposal that the reading led to.
        """
        latest, whole = self._latest, self._adapter.whole_table
        if latest is None or (latest.session, latest.number) == (session.id, session.number):
            return
        if latest.session != session.id or whole is None or not whole.automatic(session.state):
            self._latest = None
            self.requested = False
        elif not self.busy:
            self._start(_Job(session, session.timeline, latest.period, before=latest, held=held))

    def discard_latest(self) -> None:
        """Discard the latest reading, so that it is not interpreted again when the game changes."""
        self._latest = None

    def is_unchanged(self, period: int) -> bool:
        """Return whether nothing has moved since the still interval with this number began."""
        return period == self._still_since[0]

    @property
    def _unreadable(self) -> str:
        """Line for people about why the whole table cannot be read."""
        whole = self._adapter.whole_table
        return say("In this game the camera has nothing to read on request.") if whole is None else whole.unreadable

    def _is_read_already(self, key: tuple[str, int, str]) -> bool:
        """Return whether the latest reading is of this game and still interval.

        key: session id, still interval, phase.
        """
        latest = self._latest
        return latest is not None and (latest.session, latest.period) == key[:2]

    def _start(self, job: _Job) -> None:
        """Submit a job to the worker thread, and publish that it is busy."""
        self.busy, self._job = True, job
        self._work.submit(self._run, job)
        self._publish()

    # In the worker thread

    def _run(self, job: _Job) -> None:
        """Execute a job, store its result as the latest, and report it to `found`."""
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
            self.busy = False
            if job is self._job:
                self.trouble = trouble
                self._latest = result or self._latest
                self._found(result, job.confirms, job.held)
            self._publish()

    def _result_of(self, whole: WholeTable[Any, Any], job: _Job) -> WholeTableResult:
        """Return the reading of a job's picture, or its earlier reading, interpreted in its state of the game.

        Raises CalibrationError for a picture that cannot be used.
        """
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
        return WholeTableResult(job.session.id, number, job.period, reading, finding, pictures)

    def _reader_of(self, readers: Readers) -> Any:
        """Return the reader of the whole table, cached per `readers`. Raises CalibrationError without one."""
        if readers.whole_table is None:
            raise CalibrationError(self._unreadable)
        if self._reader is None or self._reader[0] is not readers:
            self._reader = readers, readers.whole_table()
        return self._reader[1]
