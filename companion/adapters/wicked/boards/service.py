"""Reads everybody's boards in a thread of its own, and keeps what came of it until game or picture go on."""

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
from companion.adapters.wicked.boards.phase_correction import Redo
from companion.adapters.wicked.boards.pictures import board_picture, boards_picture
from companion.adapters.wicked.boards.views import BoardsView
from companion.adapters.wicked.soul_proposals import board_expectation
from companion.games.wicked import apply
from companion.games.wicked.moves import Move
from companion.games.wicked.state import Phase
from companion.session import Session, Timeline, Undone
from companion.table.reading.frame_reader import FrameResult, Readers, ReadsBoards
from companion.table.refusals import STALE, refusals
from companion.table.views import Refused
from vision.cameras.frame import Frame, Image
from vision.games.wicked.readings import BoardsReading

REST = 1.0
"""Seconds for which nothing may have moved before boards are read."""
_COUNTDOWN = 0.5
_BY_ITSELF: tuple[Phase, ...] = ("soul", "over")
"""Phases in which every picture at rest is read once; in the others, only when somebody asks."""


@dataclass(frozen=True)
class BoardsResult:
    """A reading of the boards in the picture of one rest, and what it amounts to at state `number`.

    picture: of the whole table, boards: of each by seat, as JPEG.
    due: from when on its souls are entered by themselves, once a new picture confirms them (the table's clock,
    seconds), None for what waits for somebody.
    """

    id: str
    session: str
    number: int
    period: int
    reading: BoardsReading
    picture: bytes
    boards: Mapping[int, bytes]
    comparison: BoardsComparison
    due: float | None = None
    held: bool = False


@dataclass(frozen=True)
class _ReadingJob:
    """A picture to be read for a game as it stands, or an earlier reading (`before`) to be judged anew.

    confirms: the reading whose souls are about to be entered, which this picture is to confirm.
    """

    session: Session
    timeline: Timeline
    period: int
    readers: Readers | None = None
    image: Image | None = None
    before: BoardsResult | None = None
    confirms: BoardsResult | None = None


class BoardService:
    """One table's boards. Commands may come from any thread and raise `Refused`; `look` and `tick` from one thread.

    lock: the table's; playing: the game, None while none is on; entered, told: the table takes note that moves were
    entered, or tells everybody how things stand. clock: monotonic seconds; delay: seconds for which certain souls
    can be held; work: where pictures are read, a thread of its own unless given.
    seating: before whom boards lie, for a number of players.
    """

    def __init__(
        self,
        lock: threading.RLock,
        playing: Callable[[], Session | None],
        entered: Callable[[Session], None],
        told: Callable[[], None],
        clock: Callable[[], float],
        delay: float,
        work: Executor | None = None,
    ) -> None:
        self._lock = lock
        self.seating: Callable[[int], Seating] = Seating.even
        self._playing = playing
        self._entered = entered
        self._told = told
        self._clock = clock
        self._delay = delay
        self._work = work or ThreadPoolExecutor(1, thread_name_prefix="boards")
        self._reader: tuple[Readers, ReadsBoards] | None = None
        self._readable = self._busy = self._asked = False
        self._rest: tuple[int, float] = (-1, 0.0)
        self._read: tuple[str, int, Phase] | None = None
        self._found: BoardsResult | None = None
        self._readings = 0
        self._told_at = 0.0
        self._trouble = ""

    # What screens see and do

    def view(self) -> BoardsView | None:
        """Tell how things stand; None while boards cannot be read here, or nothing is played."""
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
        """Give the picture that a reading was made from, or one player's board in it, as JPEG with what was read.

        None for another reading, or for a board that is not seen.
        """
        with self._lock:
            found = self._found
        if found is None or found.id != id:
            return None
        return found.picture if seat is None else found.boards.get(seat)

    def ask(self, on: bool = True) -> None:
        """Have the next picture at rest read, or no longer."""
        with self._lock:
            if not self._readable:
                raise Refused(
                    "not_now", say("The boards cannot be read yet: teach the table its boards and tokens first.")
                )
            self._asked = on
            self._told()

    def take(self, id: str, choices: Sequence[int | None], at: int) -> None:
        """Enter everybody's chosen moves at once; None leaves a player's board to the journal.

        After the soul phase: enter that anew as it is seen, where that is offered; the choices do not matter then.
        """
        with self._lock:
            session, found = self._at(id, at)
            souls, redo = found.comparison.souls, found.comparison.redo
            if redo is not None:
                self._enter_anew(session, found, redo)
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
        """Make one of the corrections by which the journal has the impurity that is seen."""
        with self._lock:
            session, found = self._at(id, at)
            signs = found.comparison.signs
            if not 0 <= correction < len(signs):
                raise Refused("bad_request", say("That correction was not among those offered."))
            with refusals(session):
                session.correct(signs[correction].revision, at)
            self._entered(session)

    def keep(self, id: str, at: int) -> None:
        """Keep the journal: what was read is put aside until the picture changes."""
        with self._lock:
            self._at(id, at)
            self._found = None
            self._told()

    def hold(self, id: str, at: int) -> None:
        """Keep certain souls from being taken by themselves."""
        with self._lock:
            _, found = self._at(id, at)
            self._found = replace(found, due=None, held=True)
            self._told()

    def close(self) -> None:
        """Read no more."""
        self._work.shutdown(wait=False, cancel_futures=True)

    # The reading thread

    def look(self, frame: Frame, seen: FrameResult, readers: Readers) -> None:
        """Take note of a frame; have it read where it rests and that is worth it. Under the table's lock."""
        session = self._playing()
        able = readers.boards is not None
        if able != self._readable:
            self._readable = able
            self._told()
        if session is None or not able:
            return
        still = seen.sight.still and seen.sight.state == "watching" and seen.health.fit
        if not still:
            self._stirred()
            return
        if seen.sight.period != self._rest[0]:
            self._rest = (seen.sight.period, self._clock())
        if self._busy or self._clock() - self._rest[1] < REST:
            return
        found = self._found
        if found is not None and found.due is not None and self._clock() >= found.due:
            self._start(
                _ReadingJob(session, session.timeline, seen.sight.period, readers, frame.image, confirms=found)
            )
            return
        key = (session.id, seen.sight.period, session.state.phase)
        by_itself = session.state.phase in _BY_ITSELF and key != self._read and not self._is_known(key)
        if by_itself or self._asked:
            self._read, self._asked = key, False
            self._start(_ReadingJob(session, session.timeline, seen.sight.period, readers, frame.image))

    def tick(self, *, resting: bool) -> None:
        """Publish the countdown of certain souls. resting: nothing is read now."""
        with self._lock:
            found, session, now = self._found, self._playing(), self._clock()
            if found is None or session is None or found.due is None or found.number != session.number:
                return
            if resting:
                self._found = replace(found, due=None, held=True)
                self._told()
            elif now - self._told_at >= _COUNTDOWN:
                self._told_at = now
                self._told()

    def moved(self, session: Session) -> None:
        """Take note that the game has gone on: what was read is held against it anew. Under the table's lock."""
        found = self._found
        if found is None or (found.session, found.number) == (session.id, session.number):
            return
        if found.session != session.id or session.state.phase not in _BY_ITSELF:
            self._found = None
            self._asked = False
        elif not self._busy:
            self._start(_ReadingJob(session, session.timeline, found.period, before=found))

    # Inside, under the lock

    def _at(self, id: str, at: int) -> tuple[Session, BoardsResult]:
        session, found = self._playing(), self._found
        if session is None or found is None or found.id != id or found.number != at or session.number != at:
            raise Refused("stale", STALE)
        return session, found

    def _is_known(self, key: tuple[str, int, Phase]) -> bool:
        """Tell whether this very picture has been read already, in the phase before."""
        found = self._found
        return found is not None and (found.session, found.period) == key[:2]

    def _stirred(self) -> None:
        """Something moves: what was about to be taken by itself may not be all."""
        if self._found is not None and self._found.due is not None:
            self._found = replace(self._found, due=None)
            self._told()

    def _enter_by_itself(self, session: Session, found: BoardsResult) -> None:
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

    def _enter_anew(self, session: Session, found: BoardsResult, redo: Redo) -> None:
        # The moves were tried from the state that taking these entries back leads to.
        with refusals(session):
            for entry in redo.entries:
                session.undo(entry=entry)
            for place, move in enumerate(redo.moves):
                session.play(move, source="camera", evidence=None if place else found.picture)
        self._entered(session)

    def _start(self, job: _ReadingJob) -> None:
        self._busy = True
        self._work.submit(self._do, job)
        self._told()

    # In the thread of its own

    def _do(self, job: _ReadingJob) -> None:
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
            # One bad picture must not end the evening.
            logging.getLogger(__name__).exception("The boards could not be read.")
            trouble = say("The boards could not be read. Enter the souls by hand; the log says more.")
        with self._lock:
            self._busy = False
            self._trouble = trouble
            if found is not None:
                self._done(job, found)
            elif job.confirms is not None and self._found is job.confirms:
                self._found = replace(job.confirms, due=None, held=True)
            self._told()

    def _reader_of(self, readers: Readers) -> ReadsBoards:
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
            if self._found is not job.confirms:  # held, answered, or something has moved meanwhile
                return
            if _confirmed(job.confirms, found):
                self._enter_by_itself(session, job.confirms)
                return
            self._trouble = say("The boards changed before they were entered, so they were read again.")
        self._readings += 1
        found = replace(found, id=f"{found.session}:{self._readings}")
        souls = found.comparison.souls
        undone = isinstance(session.entries[-1], Undone)
        quiet = found.period == self._rest[0]
        if souls is not None and souls.certain and quiet and not found.held and not undone:
            found = replace(found, due=self._clock() + self._delay)
        self._found = replace(found, held=found.held or undone)
        if session.number != found.number:
            self.moved(session)


def _confirmed(before: BoardsResult, now: BoardsResult) -> bool:
    """Return whether a newer reading of the same game state comes to the same certain moves."""
    one, other = before.comparison.souls, now.comparison.souls
    if one is None or other is None or before.number != now.number or not other.certain:
        return False
    return one.moves(one.likeliest) == other.moves(other.likeliest)
