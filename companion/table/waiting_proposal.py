"""A proposal while it waits to be entered, answered or held. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from companion.adapters.wicked.card_proposals import propose_deal, propose_lay
from companion.adapters.wicked.reveal_proposals import propose_reveal
from companion.games.wicked import describe
from companion.games.wicked.state import Phase
from companion.referee.proposal import Proposal
from companion.session import Session
from companion.table.pictures.evidence import evidence, hands, stills
from companion.table.reading.frame_reader import FrameReader, FrameResult
from companion.table.views import CandidateView, ProposalView, SeatDoubt
from vision.cameras.frame import Image
from vision.readings import Point


@dataclass(frozen=True)
class WaitingProposal:
    """A proposal made for state `number`. All pictures are JPEG."""

    id: str
    number: int
    proposal: Proposal
    due: float | None
    """When it is entered without a person, once a new picture confirms it; the table's clock, seconds."""
    held: bool = False
    """A person stopped the countdown."""
    period: int = -1
    """Number of the still interval that it was read in."""
    evidence: bytes | None = None
    """The picture that it was read from, with the reading drawn over it."""
    stills: Mapping[str, bytes] = field(default_factory=dict)
    """The unchanged frames that it was read from, by name."""
    hands: Mapping[int, bytes] = field(default_factory=dict)
    """Every open hand enlarged, by seat."""

    def hold(self) -> WaitingProposal:
        """Return it with the countdown stopped."""
        return replace(self, due=None, held=True)

    def pictured(self, image: Image, reader: FrameReader, phase: Phase) -> WaitingProposal:
        """Return it with the pictures of the reader's latest readings in this image."""
        return replace(
            self,
            evidence=evidence(image, reader, phase),
            stills=stills(image, reader, phase),
            hands=hands(image, reader, phase),
        )

    def offers_the_same(self, proposal: Proposal) -> bool:
        """Return whether another proposal has the same candidates and is no more certain."""
        moves = [each.move for each in self.proposal.candidates]
        surer = proposal.certain and not self.proposal.certain
        return not surer and moves == [each.move for each in proposal.candidates]

    def is_due(self, now: float) -> bool:
        """Return whether it is to be entered as soon as a new picture confirms it."""
        return self.due is not None and now >= self.due

    def view(self, session: Session, now: float) -> ProposalView:
        """Return it for screens."""
        return ProposalView(
            id=self.id,
            number=self.number,
            certain=self.proposal.certain,
            held=self.held,
            seconds_left=0.0 if self.due is None else max(0.0, self.due - now),
            candidates=tuple(
                CandidateView(each.move, each.probability, describe(session.state, each.move, session.names))
                for each in self.proposal.candidates
            ),
            doubts=tuple(SeatDoubt(doubt.seat, doubt.question) for doubt in self.proposal.doubts),
        )


def proposed(session: Session, result: FrameResult, seat_of: Callable[[Point], int]) -> Proposal | None:
    """Return the referee's proposal for the readings in this phase. seat_of: the seat of a point, px."""
    state, names = session.state, session.names
    if state.phase == "search":
        return propose_reveal(state, names, result.reveals)
    if state.phase == "lay":
        return propose_lay(state, result.cards)
    return propose_deal(state, names, result.cards, seat_of)
