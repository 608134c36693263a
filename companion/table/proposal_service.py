"""Turns readings into proposals and accepted proposals into moves: the only way from the camera to the journal."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

from calibration.translatable import say
from companion.referee.finding import Finding, Replacement
from companion.session import Session, Source
from companion.session.codec import union_codec
from companion.session.errors import Malformed
from companion.table.game_adapter import Adapter, Situation, Statement, StillReadings
from companion.table.pictures.evidence import pictures_to_store
from companion.table.proposal_and_comparison import CurrentFinding
from companion.table.reading.frame_reader import FrameReader, FrameResult, ReadingRequest, RequestKind
from companion.table.reading.proposal_confirmation import (
    Verdict,
    confirmation_verdict,
    is_followed_by_the_next_turn,
)
from companion.table.reading.reading_requests import reading_request
from companion.table.reading.whole_table_worker import WholeTableResult, WholeTableWorker
from companion.table.refusals import at_state, refusals
from companion.table.seat_angles_service import SeatingService
from companion.table.views import ComparisonView, ProposalView, Refused
from companion.table.waiting_proposal import WaitingProposal
from vision.cameras.frame import Frame
from vision.readings import Point

_MOST_STATEMENTS = 64
"""Maximum number of statements kept in one state of the game."""


@dataclass(frozen=True)
class _Latest:
    """The latest readings in one state of the game, to be interpreted again with a person's statements."""

    number: int
    """Number of the state."""
    kind: RequestKind
    """What was read."""
    readings: StillReadings
    """The readings."""
    seat_of: Callable[[Point], int]
    """(point of the picture, px) -> seat."""
    period: int
    """Number of the still interval."""


class ProposalService:
    """The proposals of one table. Commands come from any thread; where one raises `Refused`, nothing has changed.

    In commands, `id` is that of the proposal or comparison, and `at` is the number of the state that the command is
    for: in another state they raise `Refused` ("stale").

    adapter: of the game that is played.
    playing: returns the session, None while no game is played.
    entered: called with the session and the moves after a proposal was entered.
    moved: called after the game changed otherwise.
    publish: called after a view changed.
    notice: publishes one line of text.
    lock: the table's. clock: monotonic seconds.
    delay: length of a certain proposal's countdown, s.
    work: executor for readings of the whole table; None creates a thread for them.
    """

    def __init__(
        self,
        adapter: Adapter[Any, Any],
        seating: SeatingService,
        playing: Callable[[], Session | None],
        entered: Callable[[Session, Sequence[Any]], None],
        moved: Callable[[Session], None],
        publish: Callable[[], None],
        notice: Callable[[str], None],
        *,
        lock: threading.RLock,
        clock: Callable[[], float],
        delay: float,
        work: Executor | None = None,
    ) -> None:
        self._adapter = adapter
        self._seating = seating
        self._playing = playing
        self._entered = entered
        self._moved = moved
        self._publish = publish
        self._notice = notice
        self._lock = lock
        self._clock = clock
        self._waiting = CurrentFinding(adapter.game, clock, delay)
        self._latest: _Latest | None = None
        self._statements: tuple[Statement, ...] = ()
        self._whole_table = WholeTableWorker(
            adapter, seating.seating_of_cards, lock, self._whole_table_read, publish, clock, work
        )

    # Queries

    @property
    def counts_down(self) -> bool:
        """Whether a countdown runs, at whose end the proposal is entered if new pictures confirm it."""
        return self._waiting.counts_down

    @property
    def asks(self) -> bool:
        """Whether a person has to answer the proposal before reading goes on; never for one of the whole table."""
        return self._waiting.asks

    @property
    def unread(self) -> str:
        """One line about why the readings gave no proposal, or ""."""
        return self._waiting.unread

    @property
    def unread_where(self) -> tuple[int, ...]:
        """Places on the game's board that `unread` concerns."""
        return self._waiting.unread_where

    def view(self) -> ProposalView | None:
        """Return the waiting proposal for screens, None where there is none."""
        pending = self._waiting.pending
        return None if pending is None else pending.view(self._clock())

    def comparison(self) -> ComparisonView | None:
        """Return how the latest reading of the whole table compares with the journal, for screens.

        None while the whole table cannot be read, or no game is played.
        """
        session, worker, compared = self._playing(), self._whole_table, self._waiting.compared
        if session is None or not worker.readable:
            return None
        view = ComparisonView(number=session.number) if compared is None else compared.view()
        return replace(view, reading=worker.busy, asked=worker.requested, trouble=worker.trouble)

    def picture(self, id: str, seat: int | None = None) -> bytes | None:
        """Return a JPEG of the proposal or comparison with this id, None if there is none.

        seat: whose hand or board is shown, enlarged; None for the whole picture.
        """
        with self._lock:
            return self._waiting.picture(id, seat)

    # Commands

    def accept(self, id: str, choices: Sequence[int | None], at: int) -> None:
        """Enter the moves of the chosen answers to a proposal.

        choices: for each question, the index of the chosen answer; None enters no move for it. at: number of the
        state that the sender knew; in another one, `Refused` is raised.
        """
        with self._lock:
            session, pending = self._at(at), self._waiting.pending_with_id(id)
            self._enter(session, self._waiting.chosen_moves(id, choices), "camera", pending)

    def amend(self, id: str, move: Any, at: int) -> None:
        """Enter a person's corrected move in place of a proposed one of the same type, with the proposal's picture.

        at: as in `accept`.
        """
        with self._lock:
            session, pending = self._at(at), self._waiting.pending_with_id(id)
            if [move.type] != [proposed.type for proposed in pending.proposal.likeliest]:
                raise Refused("bad_request", say("That is another kind of move than the one proposed."))
            self._enter(session, (move,), "hand", pending)

    def hold(self, id: str, at: int) -> None:
        """Stop the countdown of the proposal with this id, which then waits for an answer. at: as in `accept`."""
        with self._lock:
            self._at(at)
            self._waiting.stop(id)
            self._publish()

    def dismiss(self, id: str, at: int) -> None:
        """Discard a proposal or comparison by its id; the journal stays as it is. at: as in `accept`.

        What was dismissed is not entered by itself until something else was read.
        """
        with self._lock:
            self._at(at)
            self._waiting.dismiss(id)
            self._whole_table.discard_latest()
            self._publish()

    def state_thing(self, thing: object, at: int) -> None:
        """Record a person's statement of what lies on the table, and interpret the latest readings again with it.

        thing: the statement as JSON, of one of the types in `Adapter.statements`. It holds until the state of the
        game changes or the camera reads something else there. at: as in `accept`.
        """
        with self._lock:
            session, latest, pending = self._at(at), self._latest, self._waiting.pending
            if self._adapter.statements is None or latest is None or latest.number != session.number:
                raise Refused(
                    "not_now", say("The camera has not read the table since the last move. Wait until it has.")
                )
            try:
                stated = union_codec(self._adapter.statements, say("a statement")).from_data(thing)
            except Malformed as error:
                raise Refused("bad_request", str(error)) from None
            statements = (*self._statements, Statement(stated, latest.readings))
            self._statements = statements[-_MOST_STATEMENTS:]
            pictures = None if pending is None else pending.pictures
            self._waiting.discard_all()
            finding = self._adapter.interpret(self._situation(session, latest.seat_of), latest.readings)
            self._waiting.offer(session, finding, latest.kind, latest.period, pictures)
            self._publish()

    def correct(self, id: str, index: int | None, at: int) -> None:
        """Make one of the corrections of the journal that the comparison with this id offers. at: as in `accept`.

        index: of the correction; None replaces the moves of the latest phase by those that were read.
        """
        with self._lock:
            session, offered = self._at(at), self._waiting.correction(id, index)
            with refusals(session):
                if isinstance(offered, Replacement):
                    # The moves are legal in the state that undoing these entries leads to.
                    picture = self._waiting.picture(id, None)
                    session.play_all(offered.moves, "camera", picture, instead_of=offered.entries)
                else:
                    session.correct(offered.revision, at)
            self._moved(session)

    def read_whole_table(self, on: bool = True) -> None:
        """Request a reading of the whole table from the next still picture; on=False withdraws the request."""
        self._whole_table.request_reading(on)

    def close(self) -> None:
        """Stop the background readings."""
        self._whole_table.close()

    # Under the lock

    def request(self, taken_at: float) -> ReadingRequest:
        """Return what to read in a frame, for the present state of the game and the proposal that waits.

        taken_at: time at which the frame was taken: only one taken after a countdown's end confirms the proposal.
        """
        return reading_request(self._adapter, self._playing(), self._waiting.pending, taken_at, self._seating.known)

    def process(
        self, frame: Frame, reader: FrameReader, request: ReadingRequest, result: FrameResult, *, paused: bool
    ) -> None:
        """Propose or confirm moves by the result of a processed frame.

        request: what the frame was processed for. paused: whether reading is paused by now.
        """
        if not paused and self.request(frame.taken_at) == request:
            if request.confirms:
                self._confirm(frame, reader, request, result)
            elif result.hands or result.at_rest:
                self._propose(frame, reader, request, result)
        pending, due = self._waiting.pending, ""
        if pending is not None and pending.of_whole_table and pending.is_due(frame.taken_at):
            due = pending.id
        still = self._whole_table.process_frame(self._playing(), frame, result, reader.readers, due)
        # While something moves, what was read of the whole table may be incomplete.
        if not still and self._waiting.interrupt():
            self._publish()

    def stop_countdown(self) -> bool:
        """Stop the countdown of a waiting proposal for good; return whether that changed anything."""
        return self._waiting.hold()

    def restart(self, reader: FrameReader | None) -> None:
        """Discard all that was read, because game, seating or frame reader changed, so that it is read again.

        reader: of the frames from now on; None without one.
        """
        self._waiting.discard_all()
        self._latest, self._statements = None, ()
        self._whole_table.restart(None if reader is None else reader.readers)

    def update_state(self, session: Session) -> None:
        """Discard what was read in an earlier state of the game; interpret a reading of the whole table again."""
        dropped = self._waiting.discard_all()
        self._latest, self._statements = None, ()
        held = dropped is not None and dropped.of_whole_table and dropped.held
        self._whole_table.interpret_again(session, held=held)

    def _at(self, at: int) -> Session:
        """Return the session if its state has the number `at`. Raises `Refused` otherwise."""
        return at_state(self._playing(), at)

    def _interpret(
        self, session: Session, reader: FrameReader, request: ReadingRequest, result: FrameResult
    ) -> Finding[Any]:
        """Return what the readings in a frame's result mean; store them as the latest."""
        seat_of = self._seating.seat_finder(reader.readers, len(session.seats))
        readings = StillReadings(result.hands, result.at_rest)
        if request.wanted is not None:
            self._latest = _Latest(session.number, request.wanted, readings, seat_of, result.motion.period)
        return self._adapter.interpret(self._situation(session, seat_of), readings)

    def _situation(self, session: Session, seat_of: Callable[[Point], int]) -> Situation[Any]:
        return Situation(session.state, session.names, seat_of, self._statements)

    def _propose(self, frame: Frame, reader: FrameReader, request: ReadingRequest, result: FrameResult) -> None:
        """Offer what the readings in a frame's result mean as a proposal, and add the pictures.

        From the first pictures of a still scene, only a certain proposal is offered; no further ones are read then.
        """
        session, kind = self._playing(), request.wanted
        if session is None or kind is None:
            return
        finding = self._interpret(session, reader, request, result)
        if self._enter_if_followed(session, finding):
            return
        if not result.complete:
            if finding.proposal is None or not finding.proposal.certain:
                return
            reader.skip_further_pictures()
        if self._waiting.offer(session, finding, kind, result.motion.period):
            self._publish()
            # The proposal is published before its pictures are drawn, which takes long.
            self._waiting.add_pictures(lambda: pictures_to_store(frame.image, reader, kind))

    def _confirm(self, frame: Frame, reader: FrameReader, request: ReadingRequest, result: FrameResult) -> None:
        """Enter the proposal whose countdown has ended if new pictures confirm it; else ask or propose again."""
        session, pending = self._playing(), self._waiting.pending
        if session is None or pending is None or not (result.gone or result.hands or result.at_rest):
            return
        finding: Finding[Any] = Finding()
        if not result.gone:
            finding = self._interpret(session, reader, request, result)
        if self._enter_if_followed(session, finding):
            return
        fresh = finding.proposal
        period = result.motion.period
        enough = result.complete or (request.first_pictures and fresh is not None and fresh.certain)
        decided = confirmation_verdict(pending, fresh, period, complete=enough, gone=result.gone)
        if self._carry_out(decided, session, pending):
            return
        self._propose(frame, reader, request, result)

    def _enter_if_followed(self, session: Session, finding: Finding[Any]) -> bool:
        """Enter the waiting turn if the next one was made during its countdown; return whether that is so.

        finding: what the latest readings mean if the next turn has not begun.
        """
        pending, latest = self._waiting.pending, self._latest
        certain = finding.proposal is not None and finding.proposal.certain
        if certain or latest is None or pending is None or pending.due is None or pending.kind != "at_rest":
            return False
        situation = self._situation(session, latest.seat_of)
        moves = pending.proposal.likeliest
        followed = is_followed_by_the_next_turn(self._adapter, situation, moves, latest.readings)
        return followed and self._carry_out("enter", session, pending)

    def _whole_table_read(self, result: WholeTableResult | None, confirms: str, held: bool) -> None:
        """Handle a reading of the whole table: offer what it means, or confirm the proposal that it was made for.

        result: None where nothing could be read. confirms: id of the proposal to confirm, "" for none. held:
        whether a person had stopped the countdown of the same reading before.
        """
        session, pending = self._playing(), self._waiting.pending
        due = pending if pending is not None and pending.due is not None and pending.id == confirms else None
        if result is None:
            if due is not None:
                self._waiting.hold()
        elif session is None or session.id != result.session:
            return
        elif session.number != result.number:
            self._whole_table.interpret_again(session, held=held)
        elif confirms and due is None:
            return  # held, answered or interrupted meanwhile
        elif due is not None:
            decided = confirmation_verdict(due, result.finding.proposal, result.period, complete=True)
            if not self._carry_out(decided, session, due):
                self._offer_whole_table(session, result, held)
        else:
            self._offer_whole_table(session, result, held)

    def _offer_whole_table(self, session: Session, result: WholeTableResult, held: bool) -> None:
        """Offer what a reading of the whole table means.

        held: whether a person had stopped the countdown of the same reading before.
        """
        self._waiting.offer(
            session,
            result.finding,
            "whole_table",
            result.period,
            result.pictures,
            may_count=self._whole_table.is_unchanged(result.period),
            held=held,
        )

    def _carry_out(self, decided: Verdict, session: Session, pending: WaitingProposal) -> bool:
        """Enter the proposal, ask a person or wait, as decided; return False if it has to be proposed anew."""
        if decided == "enter":
            try:
                self._enter(session, pending.proposal.likeliest, "camera", pending)
            except Refused as refused:
                self._waiting.hold()
                self._notice(str(refused))
        elif decided == "ask":
            self._waiting.ask_about_hands()
            self._publish()
        elif decided in ("doubt", "replace"):
            self._waiting.pending = None
            if decided == "replace":
                self._notice(say("The table changed before the reading was entered, so it was read again."))
            return False
        return True

    def _enter(self, session: Session, moves: Sequence[Any], source: Source, read: WaitingProposal) -> None:
        """Enter legal moves with the pictures of the proposal. Raises `Refused` where one of them is illegal."""
        with refusals(session):
            session.play_all(moves, source, read.pictures.whole, read.pictures.stills)
        self._entered(session, moves)
