"""The proposal that waits to be entered or answered, and the reason where none could be made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from calibration.wording import say
from companion.games.wicked import Move
from companion.referee.proposal import Proposal
from companion.session import Session
from companion.table.camera_view import unread_line
from companion.table.reading.confirmation import asked
from companion.table.reading.frame_reader import FrameReader, FrameResult
from companion.table.refusals import STALE
from companion.table.views import Refused
from companion.table.waiting_proposal import WaitingProposal
from vision.cameras.frame import Image


class Proposals:
    """Holds at most one proposal for the state of a game. Used under the table's lock.

    clock: monotonic seconds. delay: seconds for which a certain proposal can be held before it is confirmed.
    """

    def __init__(self, clock: Callable[[], float], delay: float) -> None:
        self._clock, self._delay = clock, delay
        self._made = 0
        self.pending: WaitingProposal | None = None
        self.unread = ""
        """One line about why the readings gave no proposal, or ""."""
        self.undone: Move | None = None
        """The move that was undone last: if it is read again, it is offered but needs confirmation."""

    @property
    def counts_down(self) -> bool:
        """Whether a certain proposal is about to be entered."""
        return self.pending is not None and self.pending.due is not None

    @property
    def asks(self) -> bool:
        """Whether a proposal waits for an answer."""
        return self.pending is not None and self.pending.due is None

    def drop(self) -> None:
        """Discard the proposal: its state is over."""
        self.pending, self.unread = None, ""

    def named(self, id: str) -> WaitingProposal:
        """Return the proposal of this id. Raises `Refused` where it is not the present one."""
        if self.pending is None or self.pending.id != id:
            raise Refused("stale", STALE)
        return self.pending

    def candidate(self, id: str, choice: int) -> Move:
        """Return one candidate's move, by its index. Raises `Refused`."""
        candidates = self.named(id).proposal.candidates
        if not 0 <= choice < len(candidates):
            raise Refused("bad_request", say("That answer was not among those offered."))
        return candidates[choice].move

    def hand_picture(self, id: str, seat: int) -> bytes | None:
        """Return one enlarged hand of the proposal of this id as JPEG, or None."""
        pending = self.pending
        return None if pending is None or pending.id != id else pending.hands.get(seat)

    def hold(self) -> bool:
        """Stop the countdown; return whether that changed anything."""
        if self.pending is None or self.pending.held:
            return False
        self.pending = self.pending.hold()
        return True

    def ask(self) -> None:
        """Turn the proposal into a question, after its hands have left unchecked."""
        if self.pending is not None:
            self.pending = replace(self.pending, proposal=asked(self.pending.proposal), due=None)

    def offer(self, session: Session, result: FrameResult, proposal: Proposal | None) -> bool:
        """Accept the proposal of new readings; return whether screens have to be updated."""
        if proposal is None or not proposal.candidates:
            self.unread = unread_line(session.names, result.reveals, proposal)
            return True
        self.unread = ""
        if self.pending is not None and self.pending.offers_the_same(proposal):
            return False
        self._made += 1
        id = f"{session.id}:{session.number}:{self._made}"
        due = self._clock() + self._delay if proposal.certain else None
        pending = WaitingProposal(id, session.number, proposal, due, period=result.motion.period)
        again = proposal.candidates[0].move == self.undone
        self.pending = pending.hold() if again else pending
        return True

    def picture(self, image: Image, reader: FrameReader, session: Session) -> None:
        """Add the pictures of the reader's latest readings, unless the proposal has them already."""
        if self.pending is not None and self.pending.evidence is None:
            self.pending = self.pending.pictured(image, reader, session.state.phase)
