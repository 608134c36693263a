"""The running table: takes frames and commands, keeps the game, and publishes every change."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import cast

from calibration.plane import TablePlane
from calibration.wording import say
from companion.adapters.wicked.advice import AdviceService
from companion.adapters.wicked.boards.service import BoardService
from companion.adapters.wicked.scoring.service import ScoringService
from companion.games.wicked import Move
from companion.games.wicked.components import Deck
from companion.games.wicked.moves import Reveal
from companion.referee import Proposal
from companion.session import Change, Revision, Session, Source
from companion.session.settings import EntryMode
from companion.table.camera_view import camera_view, game_view, happened, options_of, shown
from companion.table.director_view import ActingDirector
from companion.table.enrolment.service import EnrolmentService
from companion.table.history.corrections import CorrectionService
from companion.table.history.past_games import PastGames
from companion.table.history.saved_games import SavedGames
from companion.table.pictures.preview import Preview
from companion.table.proposals import Proposals
from companion.table.publisher import Publisher
from companion.table.reading.confirmation import verdict
from companion.table.reading.frame_reader import FrameReader, FrameResult
from companion.table.reading.pauses import ReadingPause
from companion.table.reading.requests import reading_request
from companion.table.reading.timings import Timings
from companion.table.refusals import STALE, refusals, validated_seats
from companion.table.seats import SeatingService
from companion.table.views import CameraView, GameView, Option, Refused, SavedGame, SeatView, TableView
from companion.table.waiting_proposal import WaitingProposal, proposed
from vision.cameras.frame import Frame, Image
from vision.cameras.grabber import GrabStatus

DELAY = 2.5
"""Seconds for which a certain proposal can be held before it is confirmed and entered."""
_COUNTDOWN = 0.5
_FIGURES = 2.0
"""Seconds between publications of nothing but a countdown, or of nothing but the camera's figures."""
_NOTICES = 4


class Table:
    """One table and its game. Commands may come from any thread; `look` and `tick` from the reading thread.

    Every command raises `Refused` where it cannot be done, and then nothing has changed. A move is in the
    journal before it is published. clock: monotonic seconds; work: where boards are read, a thread unless given.
    """

    def __init__(
        self,
        saved: SavedGames,
        deck: Deck,
        *,
        clock: Callable[[], float] = time.monotonic,
        delay: float = DELAY,
        work: Executor | None = None,
    ) -> None:
        self._saved = saved
        self.past = PastGames(saved)
        self.scoring = ScoringService(saved.folder / "scoring", self)
        self.timings = Timings()
        self.deck = deck
        self._clock = clock
        self._lock = threading.RLock()
        self.correcting = CorrectionService(self._lock, self._at, self._moved)
        self.advising = AdviceService(self._lock, self._playing, self.publish)
        self.boards = BoardService(self._lock, lambda: self._session, self._moved, self.publish, clock, delay, work)
        self.seating = SeatingService(self._lock, self._reseated)
        self.boards.seating = self.seating.laid
        self._publisher: Publisher[TableView] = Publisher()
        self._session: Session | None = None
        self._game: GameView | None = None
        self._proposals = Proposals(clock, delay)
        self._eyes: FrameReader | None = None
        self._seen: FrameResult | None = None
        self._why_not = ""
        self._frame: Frame | None = None
        self._camera = GrabStatus("starting", say("The camera is being prepared."))
        self._rest = ReadingPause()
        self._milliseconds = self._published_at = 0.0
        self._notices: deque[str] = deque(maxlen=_NOTICES)
        self._preview = Preview()
        self.director: ActingDirector | None = None
        self.teacher: EnrolmentService | None = None
        self.use_camera: Callable[[], None] | None = None
        self._view = TableView(version=0, camera=CameraView("preparing"))
        self.publish()

    # What screens see

    @property
    def view(self) -> TableView:
        """What was published last."""
        return self._view

    def subscribe(self, callback: Callable[[TableView], None]) -> Callable[[], None]:
        """Call back, from a thread of its own, with the newest view after each change; the result ends it."""
        return self._publisher.subscribe(callback)

    def deciding(self) -> AbstractContextManager[object]:
        """Return the table's lock: nobody else changes the game or its `view` while it is held."""
        return self._lock

    def publish(self) -> None:
        """Tell everybody how things stand now."""
        with self._lock:
            now = self._clock()
            session, pending = self._session, self._proposals.pending
            self._view = TableView(
                version=self._view.version + 1,
                camera=camera_view(
                    self._camera,
                    self._seen,
                    equipped=self._eyes is not None,
                    why_not=self._why_not,
                    rest=self._rest,
                    asking=self._proposals.asks,
                    unread=self._proposals.unread,
                    milliseconds=self._milliseconds,
                ),
                game=self._game,
                proposal=None if pending is None or session is None else pending.view(session, now),
                director=None if self.director is None else self.director.view,
                notices=tuple(self._notices),
                settings=None if session is None else self.advising.settings_of(session),
                boards=self.boards.view(),
                seatings=self.seating.angles,
            )
            self._published_at = now
            self._publisher.publish(self._view)

    def notice(self, line: str) -> None:
        """Tell everybody one plain line."""
        with self._lock:
            if not self._notices or self._notices[-1] != line:
                self._notices.append(line)
            self.publish()

    def options(self, player: int) -> tuple[Option, ...]:
        """List what one player may do now, by seat."""
        with self._lock:
            session = self._playing()
            if not 0 <= player < len(session.seats):
                raise Refused("bad_request", say("Nobody sits there. Choose one of the players."))
            state = session.state
        return options_of(state, player, session.names)

    @property
    def picture(self) -> Image | None:
        """The newest picture as it is, not to be drawn on; None while the camera gives none."""
        with self._lock:
            return None if self._frame is None or self._camera.state != "running" else self._frame.image

    @property
    def plane(self) -> TablePlane | None:
        """The plane that is read with now, None while nothing is."""
        return None if self._eyes is None else self._eyes.readers.plane

    def preview(self) -> bytes | None:
        """Give the newest picture as JPEG with what was read drawn over it; None before the first."""
        with self._lock:
            frame, eyes = self._frame, None if self._rest.taught else self._eyes
        return None if frame is None else self._preview.of(frame, eyes)

    def evidence(self, entry: int) -> bytes | None:
        """Give the picture that a journal entry was read from, as JPEG, or None."""
        with self._lock, refusals():
            return self._playing().evidence(entry)

    def hand_picture(self, proposal_id: str, seat: int) -> bytes | None:
        """Give one hand of the proposal enlarged, with what was counted in it, as JPEG, or None."""
        with self._lock:
            return self._proposals.hand_picture(proposal_id, seat)

    def games(self) -> tuple[SavedGame, ...]:
        """List the saved games, the newest first."""
        return self._saved.saved()

    # Commands

    def start_game(self, seats: Sequence[SeatView], way: EntryMode = "camera", deck: Deck | None = None) -> None:
        """Begin a new game, entered in this way, with this deck or the own one; one that is played stays saved."""
        seats = validated_seats(seats)
        with self._lock, refusals():
            self._sit_down_to(self._saved.begin(seats, deck or self.deck, way))

    def resume_game(self, id: str) -> None:
        """Go on with a saved game where it was left."""
        with self._lock, refusals():
            if self._session is None or self._session.id != id:
                self._sit_down_to(self._saved.open(id))

    def resume_unfinished(self) -> None:
        """Go on with the game that was played last, if it is not over; tell where that cannot be done."""
        id, unreadable = self._saved.unfinished(), self._saved.unreadable()
        if id is not None:
            try:
                self.resume_game(id)
                self.notice(say("The last game goes on where it was left."))
            except Refused as refused:
                self.notice(str(refused))
        for line in unreadable:
            self.notice(line)

    def play(self, move: Move, at: int, source: str = "hand") -> None:
        """Enter a move. source: "hand", "camera" or "bot"."""
        if source not in ("hand", "camera", "bot"):
            raise Refused("bad_request", say("A move cannot come from {source}.", source=repr(source)))
        with self._lock:
            self._enter(self._playing(), move, cast("Source", source), None, at)

    def undo(self, at: int, entry: int | None = None) -> None:
        """Take the latest move or correction back; if it is read once more, somebody has to say yes to it.

        entry: take this one back instead, where what came after it stands without it.
        """
        with self._lock:
            session = self._playing()
            latest = session.steps[-1] if session.steps else None
            with refusals(session):
                session.undo(at, entry)
            self._proposals.undone = latest.move if latest is not None and entry in (None, latest.number) else None
            self._moved(session)

    def revise(self, entry: int, move: Move, at: int) -> None:
        """Put another move in the place of an entry; what came after it stands."""
        self.correcting.correct(Revision((Change(entry, move),)), at)

    def accept(self, proposal_id: str, choice: int, at: int) -> None:
        """Enter one candidate of the proposal, by its index."""
        with self._lock:
            session, pending = self._proposed(proposal_id, at)
            self._enter(session, self._proposals.candidate(proposal_id, choice), "camera", pending)

    def amend(self, proposal_id: str, move: Move, at: int) -> None:
        """Enter a corrected move instead of the proposal, with the same picture."""
        with self._lock:
            session, pending = self._proposed(proposal_id, at)
            if move.type != pending.proposal.candidates[0].move.type:
                raise Refused("bad_request", say("That is another kind of move than the one proposed."))
            self._enter(session, move, "hand", pending)

    def hold(self, proposal_id: str, at: int) -> None:
        """Keep the proposal from being taken by itself, until somebody answers."""
        with self._lock:
            self._proposed(proposal_id, at)
            self._proposals.hold()
            self.publish()

    def pause(self, on: bool) -> None:
        """Stop reading the camera, or go on; what is proposed then waits for somebody."""
        with self._lock:
            self._rest_as(self._rest.pause(on))

    def teach(self, on: bool) -> None:
        """Stop reading while the table is taught, or go on; to be said again and again, else it ends by itself."""
        with self._lock:
            self._rest_as(self._rest.teach(on, self._clock()))

    def close(self) -> None:
        """Close the game's journal and stop publishing."""
        with self._lock:
            if self._session is not None:
                self._session.close()
        self.boards.close()
        self.scoring.close()
        self._publisher.close()

    # The reading thread

    def equip(self, eyes: FrameReader | None, why_not: str = "") -> None:
        """Set what the table is read with; None where there is nothing any more, and why in one line (why_not)."""
        with self._lock:
            self._eyes, self._seen, self._why_not = eyes, None, why_not
            self.publish()

    def camera_told(self, status: GrabStatus) -> None:
        """Take note of how the camera does; a change is told at once, mere figures now and then."""
        with self._lock:
            changed = (status.state, status.message) != (self._camera.state, self._camera.message)
            was_lost = self._camera.state in ("silent", "retrying", "waiting")
            self._camera = status
            if changed and status.state == "running" and was_lost:
                self.notice(say("The camera is back."))
            if changed or self._clock() - self._published_at >= _FIGURES:
                self.publish()

    def look(self, frame: Frame) -> None:
        """Take in a frame: watch, read where that is worth it, and propose what was read."""
        with self._lock:
            self._frame = frame
            eyes, now = self._eyes, self._clock()
            wanted = reading_request(self._session, self._proposals.pending, now, self.seating.known)
        if eyes is None or self._rest:
            return
        started = time.perf_counter()
        seen = eyes.look(frame, wanted)
        spent = (time.perf_counter() - started) * 1000.0
        with self._lock:
            before, self._seen = self._seen, seen
            if seen.reading:
                self._milliseconds = spent
                self.timings.add(spent)
            newest = reading_request(self._session, self._proposals.pending, now, self.seating.known)
            still_wanted = not self._rest and newest == wanted
            if still_wanted and wanted.confirms:
                self._confirm(eyes, frame, seen)
            elif still_wanted and (seen.reveals or seen.cards):
                self._propose(eyes, frame, seen)
            self.boards.look(frame, seen, eyes.readers)
            if line := happened(seen.health):
                self.notice(line)
            elif before is None or shown(before) != shown(seen):
                self.publish()

    def tick(self) -> None:
        """Publish the countdown of a certain proposal, which `look` enters once it is confirmed."""
        with self._lock:
            now = self._clock()
            self._rest_as(self._rest.at(now))
            self.boards.tick(resting=bool(self._rest))
            if self._proposals.counts_down and now - self._published_at >= _COUNTDOWN:
                self.publish()

    # Inside, under the lock

    def _reseated(self) -> None:
        self._proposals.drop()
        self.publish()

    def _propose(self, eyes: FrameReader, frame: Frame, seen: FrameResult) -> None:
        if (session := self._session) is None:
            return
        if self._proposals.offer(session, seen, self._read(session, eyes, seen)):
            self.publish()
            # Nobody has to wait for its pictures; whoever asks for one gets it once they are there.
            self._proposals.picture(frame.image, eyes, session)

    def _read(self, session: Session, eyes: FrameReader, seen: FrameResult) -> Proposal | None:
        return proposed(session, seen, self.seating.reader(eyes.readers, len(session.seats)))

    def _confirm(self, eyes: FrameReader, frame: Frame, seen: FrameResult) -> None:
        """Enter a due proposal that the newest pictures confirm; ask or propose anew where they do not."""
        session, pending = self._session, self._proposals.pending
        if session is None or pending is None:
            return
        match verdict(pending, seen, self._read(session, eyes, seen)):
            case "enter":
                try:
                    self._enter(session, pending.proposal.candidates[0].move, "camera", pending)
                except Refused as refused:
                    self._proposals.hold()
                    self.notice(str(refused))
            case "ask":
                self._proposals.ask()
                self.publish()
            case "doubt" | "replace" as why:
                if why == "replace":
                    line = say("The table changed before the reading was entered, so it was read again.")
                    self._notices.append(line)
                self._proposals.pending = None
                self._propose(eyes, frame, seen)

    def _enter(
        self, session: Session, move: Move, source: Source, read: WaitingProposal | None, at: int | None = None
    ) -> None:
        with refusals(session):
            pictures = (None, None) if read is None else (read.evidence, read.stills)
            session.play(move, at, source, *pictures)
        self._proposals.undone = None
        if isinstance(move, Reveal) and self._eyes is not None:
            self._eyes.taken()
        self._moved(session)

    def _rest_as(self, rest: ReadingPause) -> None:
        told = (rest.paused, rest.taught) != (self._rest.paused, self._rest.taught)
        self._rest = rest
        if (rest and self._proposals.hold()) or told:
            self.publish()

    def _moved(self, session: Session) -> None:
        self._proposals.drop()
        self._game = game_view(session)
        self.boards.moved(session)
        self.publish()

    def _sit_down_to(self, session: Session) -> None:
        if self._session is not None:
            self._session.close()
        self._session = session
        self._proposals.undone = None
        self._notices.clear()
        self._rest = self._rest.entered(self.advising.settings_of(session).way)
        self._moved(session)

    def _playing(self) -> Session:
        if self._session is None:
            raise Refused("not_now", say("No game is being played. Begin a new one or go on with a saved one."))
        return self._session

    def _at(self, at: int) -> Session:
        session = self._playing()
        if at != session.number:
            raise Refused("stale", STALE)
        return session

    def _proposed(self, proposal_id: str, at: int) -> tuple[Session, WaitingProposal]:
        return self._at(at), self._proposals.named(proposal_id)
