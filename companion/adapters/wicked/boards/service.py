"""Reads the personal boards in a worker thread and compares the reading with the game."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace

from calibration.errors import TeachError
from calibration.seats import Seating
from calibration.wording import say
from companion.adapters.wicked.boards.comparison import (
    BoardsComparison,
    compared_boards,
    correction_views,
    difference_views,
    points_views,
    soul_views,
)
from companion.adapters.wicked.boards.interpretations import boards_by_seat
from companion.adapters.wicked.boards.phase_correction import PhaseCorrection
from companion.adapters.wicked.boards.pictures import board_picture, boards_picture
from companion.adapters.wicked.boards.views import BoardsView
from companion.adapters.wicked.soul_proposals import board_expectation
from companion.games.wicked import apply
from companion.games.wicked.moves import Move
from companion.games.wicked.state import Phase
from companion.session import Session, Timeline, Undone
from companion.table.reading.frame_reader import BoardsReader, FrameResult, Readers
from companion.table.refusals import STALE, refusals
from companion.table.views import Refused
from vision.cameras.frame import Frame, Image
from vision.games.wicked.readings import BoardsReading

MIN_STILL_SECONDS = 1.0
"""Seconds without motion before boards are read."""
_COUNTDOWN_INTERVAL = 0.5
"""Seconds between publications of a countdown alone."""
_AUTOMATIC_PHASES: tuple[Phase, ...] = ("soul", "over")
"""Phases in which each still interval is read once; in the others, boards are read on demand only."""


@dataclass(frozen=True)
class BoardsResult:
    """A reading of the boards and its comparison with one state of the game."""

    id: str
    session: str
    """Id of the game."""
    number: int
    """Number of the state that the reading is compared with."""
    period: int
    """Number of the still interval that was read."""
    reading: BoardsReading
    picture: bytes
    """The whole table, JPEG."""
    boards: Mapping[int, bytes]
    """Each board by seat, JPEG."""
    comparison: BoardsComparison
    due: float | None = None
    """When its moves are entered without a person, once a new picture confirms them; the table's clock, seconds."""
    held: bool = False
    """A person stopped the countdown."""


@dataclass(frozen=True)
class _ReadingJob:
    """A picture to read for one state of the game, or an earlier reading to compare with a new state."""

    session: Session
    timeline: Timeline
    period: int
    """Number of the still interval."""
    readers: Readers | None = None
    image: Image | None = None
    """The picture, BGR; None where `before` is compared again."""
    before: BoardsResult | None = None
    """The earlier reading."""
    confirms: BoardsResult | None = None
    """A reading that is about to be entered, to be confirmed by this picture."""


class BoardService:
    """The boards of one table. Commands come from any thread and raise `Refused`; frames and ticks from one thread.

    lock: the table's. playing: returns the session, None while no game is played. entered, publish: called after
    moves were entered, and after the view changed. clock: monotonic seconds. delay: seconds for which a certain
    reading can be held. work: executor of the readings, a thread of its own by default.
    """

    def __init__(
        self,
        lock: threading.RLock,
        playing: Callable[[], Session | None],
        entered: Callable[[Session], None],
        publish: Callable[[], None],
        clock: Callable[[], float],
        delay: float,
        work: Executor | None = None,
    ) -> None:
        self._lock = lock
        self.seating: Callable[[int], Seating] = Seating.even
        """Returns the seating by which boards belong to seats, for a number of players."""
        self._playing = playing
        self._entered = entered
        self._publish = publish
        self._clock = clock
        self._delay = delay
        self._work = work or ThreadPoolExecutor(1, thread_name_prefix="boards")
        self._reader: tuple[Readers, BoardsReader] | None = None
        self._readable = self._busy = self._asked = False
        self._still_since: tuple[int, float] = (-1, 0.0)
        self._read: tuple[str, int, Phase] | None = None
        self._found: BoardsResult | None = None
        self._readings = 0
        self._published_at = 0.0
        self._trouble = ""

    # Queries and commands

    def view(self) -> BoardsView | None:
        """Return the view for screens; None while boards cannot be read, or no game is played."""
        with self._lock:
            session, found = self._playing(), self._found
            if session is None or not self._readable:
                return None
            view = BoardsView(number=session.number, reading=self._busy, asked=self._asked, trouble=self._trouble)
            if found is None or found.number != session.number:
                return view
            souls, final = found.comparison.souls, found.comparison.final
            return replace(
                view,
                id=found.id,
                souls=soul_views(souls),
                certain=souls is not None and souls.certain,
                held=found.held,
                due=found.due is not None,
                seconds_left=0.0 if found.due is None else max(0.0, found.due - self._clock()),
                differences=difference_views(found.comparison),
                problems=(*found.reading.problems, *(() if final is None else final.doubts)),
                points=points_views(final),
                verdict="" if final is None else final.verdict,
                redo=found.comparison.redo is not None,
                corrections=correction_views(found.comparison),
                milliseconds=round(found.reading.milliseconds, 1),
            )

    def picture(self, id: str, seat: int | None = None) -> bytes | None:
        """Return the picture of a reading, or one player's board in it, as JPEG with the reading drawn over it.

        None for another reading, or for a board that was not found.
        """
        with self._lock:
            found = self._found
        if found is None or found.id != id:
            return None
        return found.picture if seat is None else found.boards.get(seat)

    def ask(self, on: bool = True) -> None:
        """Request a reading of the next still picture, or withdraw the request."""
        with self._lock:
            if not self._readable:
                raise Refused(
                    "not_now", say("The boards cannot be read yet: teach the table its boards and tokens first.")
                )
            self._asked = on
            self._publish()

    def take(self, id: str, choices: Sequence[int | None], at: int) -> None:
        """Enter the chosen moves of all players at once, by seat; None leaves a player's journal as it is.

        After the soul phase: replace the moves of that phase by the offered correction; choices are ignored then.
        """
        with self._lock:
            session, found = self._at(id, at)
            souls, redo = found.comparison.souls, found.comparison.redo
            if redo is not None:
                self._enter_correction(session, found, redo)
                return
            if souls is None:
                raise Refused("not_now", say("There is nothing to take here: the soul phase is over."))
            if len(choices) != len(souls.seats):
                raise Refused("bad_request", say("Choose one answer for every player."))
            try:
                moves = souls.moves(choices)
            except IndexError:
                raise Refused("bad_request", say("That answer was not among those offered.")) from None
            if not moves:
                raise Refused("not_now", say("There is nothing to take: no move was chosen."))
            self._enter(session, found, moves)

    def put_right(self, id: str, correction: int, at: int) -> None:
        """Apply one of the offered corrections, by its index, which give the journal the impurity that was read."""
        with self._lock:
            session, found = self._at(id, at)
            signs = found.comparison.signs
            if not 0 <= correction < len(signs):
                raise Refused("bad_request", say("That correction was not among those offered."))
            with refusals(session):
                session.correct(signs[correction].revision, at)
            self._entered(session)

    def keep(self, id: str, at: int) -> None:
        """Discard the reading and keep the journal, until the picture changes."""
        with self._lock:
            self._at(id, at)
            self._found = None
            self._publish()

    def hold(self, id: str, at: int) -> None:
        """Stop the countdown of a certain reading."""
        with self._lock:
            _, found = self._at(id, at)
            self._found = replace(found, due=None, held=True)
            self._publish()

    def close(self) -> None:
        """Stop the worker thread."""
        self._work.shutdown(wait=False, cancel_futures=True)

    # The reading thread

    def process_frame(self, frame: Frame, result: FrameResult, readers: Readers) -> None:
        """Start a reading where the frame is still and one is due. Called under the table's lock."""
        session = self._playing()
        able = readers.boards is not None
        if able != self._readable:
            self._readable = able
            self._publish()
        if session is None or not able:
            return
        still = result.motion.still and result.motion.state == "watching" and result.health.fit
        if not still:
            self._interrupt()
            return
        if result.motion.period != self._still_since[0]:
            self._still_since = (result.motion.period, self._clock())
        if self._busy or self._clock() - self._still_since[1] < MIN_STILL_SECONDS:
            return
        found = self._found
        if found is not None and found.due is not None and self._clock() >= found.due:
            self._start(
                _ReadingJob(session, session.timeline, result.motion.period, readers, frame.image, confirms=found)
            )
            return
        key = (session.id, result.motion.period, session.state.phase)
        automatic = session.state.phase in _AUTOMATIC_PHASES and key != self._read and not self._is_known(key)
        if automatic or self._asked:
            self._read, self._asked = key, False
            self._start(_ReadingJob(session, session.timeline, result.motion.period, readers, frame.image))

    def tick(self, *, paused: bool) -> None:
        """Publish the countdown of a certain reading. paused: the camera is not read now."""
        with self._lock:
            found, session, now = self._found, self._playing(), self._clock()
            if found is None or session is None or found.due is None or found.number != session.number:
                return
            if paused:
                self._found = replace(found, due=None, held=True)
                self._publish()
            elif now - self._published_at >= _COUNTDOWN_INTERVAL:
                self._published_at = now
                self._publish()

    def moved(self, session: Session) -> None:
        """Compare the reading with the new state of the game. Called under the table's lock."""
        found = self._found
        if found is None or (found.session, found.number) == (session.id, session.number):
            return
        if found.session != session.id or session.state.phase not in _AUTOMATIC_PHASES:
            self._found = None
            self._asked = False
        elif not self._busy:
            self._start(_ReadingJob(session, session.timeline, found.period, before=found))

    # Under the lock

    def _at(self, id: str, at: int) -> tuple[Session, BoardsResult]:
        session, found = self._playing(), self._found
        if session is None or found is None or found.id != id or found.number != at or session.number != at:
            raise Refused("stale", STALE)
        return session, found

    def _is_known(self, key: tuple[str, int, Phase]) -> bool:
        """Return whether this still interval was read already, in the phase before."""
        found = self._found
        return found is not None and (found.session, found.period) == key[:2]

    def _interrupt(self) -> None:
        """Stop the countdown: something moves, so the reading may be incomplete."""
        if self._found is not None and self._found.due is not None:
            self._found = replace(self._found, due=None)
            self._publish()

    def _enter_certain(self, session: Session, found: BoardsResult) -> None:
        souls = found.comparison.souls
        if souls is None:
            return
        try:
            self._enter(session, found, souls.moves(souls.likeliest))
        except Refused as refused:
            self._found, self._trouble = replace(found, due=None, held=True), str(refused)

    def _enter(self, session: Session, found: BoardsResult, moves: Sequence[Move]) -> None:
        with refusals(session):
            state = session.state
            for move in moves:  # all of them or none
                state = apply(state, move)
            for place, move in enumerate(moves):
                session.play(move, source="camera", evidence=None if place else found.picture)
        self._entered(session)

    def _enter_correction(self, session: Session, found: BoardsResult, redo: PhaseCorrection) -> None:
        # The moves are legal in the state that undoing these entries leads to.
        with refusals(session):
            for entry in redo.entries:
                session.undo(entry=entry)
            for place, move in enumerate(redo.moves):
                session.play(move, source="camera", evidence=None if place else found.picture)
        self._entered(session)

    def _start(self, job: _ReadingJob) -> None:
        self._busy = True
        self._work.submit(self._run, job)
        self._publish()

    # In the worker thread

    def _run(self, job: _ReadingJob) -> None:
        timeline, names = job.timeline, job.session.names
        state, number = timeline.state, len(timeline.entries)

        def compare(reading: BoardsReading) -> BoardsComparison:
            return compared_boards(timeline, names, reading)

        found, trouble = None, ""
        try:
            if job.before is not None:
                found = replace(job.before, number=number, comparison=compare(job.before.reading))
            elif job.readers is not None and job.image is not None:
                seating = self.seating(len(state.players))
                expectation = replace(board_expectation(state), seating=seating)
                reading = self._reader_of(job.readers).read(job.image, expectation)
                found = BoardsResult(
                    "",
                    job.session.id,
                    number,
                    job.period,
                    reading,
                    boards_picture(job.image, reading),
                    {seat: board_picture(job.image, one) for seat, one in boards_by_seat(state, reading).items()},
                    compare(reading),
                )
        except TeachError as error:
            trouble = str(error)
        except Exception:
            # One bad picture must not end the session.
            logging.getLogger(__name__).exception("The boards could not be read.")
            trouble = say("The boards could not be read. Enter the souls by hand; the log says more.")
        with self._lock:
            self._busy = False
            self._trouble = trouble
            if found is not None:
                self._done(job, found)
            elif job.confirms is not None and self._found is job.confirms:
                self._found = replace(job.confirms, due=None, held=True)
            self._publish()

    def _reader_of(self, readers: Readers) -> BoardsReader:
        if readers.boards is None:
            raise TeachError(say("The boards cannot be read yet: teach the table its boards and tokens first."))
        if self._reader is None or self._reader[0] is not readers:
            self._reader = readers, readers.boards()
        return self._reader[1]

    def _done(self, job: _ReadingJob, found: BoardsResult) -> None:
        session = self._playing()
        if session is None or session.id != found.session:
            return
        if job.confirms is not None:
            if self._found is not job.confirms:  # held, answered, or interrupted meanwhile
                return
            if _confirmed(job.confirms, found):
                self._enter_certain(session, job.confirms)
                return
            self._trouble = say("The boards changed before they were entered, so they were read again.")
        self._readings += 1
        found = replace(found, id=f"{found.session}:{self._readings}")
        souls = found.comparison.souls
        undone = isinstance(session.entries[-1], Undone)
        quiet = found.period == self._still_since[0]
        if souls is not None and souls.certain and quiet and not found.held and not undone:
            found = replace(found, due=self._clock() + self._delay)
        self._found = replace(found, held=found.held or undone)
        if session.number != found.number:
            self.moved(session)


def _confirmed(before: BoardsResult, now: BoardsResult) -> bool:
    """Return whether a newer reading of the same state has the same certain moves."""
    one, other = before.comparison.souls, now.comparison.souls
    if one is None or other is None or before.number != now.number or not other.certain:
        return False
    return one.moves(one.likeliest) == other.moves(other.likeliest)
