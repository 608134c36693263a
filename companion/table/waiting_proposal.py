"""A proposal: what is proposed on what was seen, and how it waits to be taken, answered or held. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from companion.games.wicked import describe
from companion.games.wicked.state import Phase
from companion.referee import Proposal, propose_deal, propose_lay, propose_reveal
from companion.session import Session
from companion.table.pictures.evidence import evidence, hands, stills
from companion.table.reading.frame_reader import FrameReader, FrameResult
from companion.table.views import CandidateView, ProposalView, SeatDoubt
from vision.cameras.frame import Image
from vision.readings import Point


@dataclass(frozen=True)
class WaitingProposal:
    """A proposal made for state `number`.

    due: from when on it is entered by itself, once a new picture confirms it (the table's clock, seconds), None for
    one that waits for somebody. period: number of the still interval that it was read in. evidence: the picture
    that it was read from. stills: the frames that it was read from as they were, by name. hands: every open hand
    enlarged, by seat. All pictures are JPEG.
    """

    id: str
    number: int
    proposal: Proposal
    due: float | None
    held: bool = False
    period: int = -1
    evidence: bytes | None = None
    stills: Mapping[str, bytes] = field(default_factory=dict)
    hands: Mapping[int, bytes] = field(default_factory=dict)

    def hold(self) -> WaitingProposal:
        """Keep it from being taken by itself."""
        return replace(self, due=None, held=True)

    def pictured(self, image: Image, eyes: FrameReader, phase: Phase) -> WaitingProposal:
        """Add the pictures of what these eyes read last, in this image of this phase."""
        return replace(
            self,
            evidence=evidence(image, eyes, phase),
            stills=stills(image, eyes, phase),
            hands=hands(image, eyes, phase),
        )

    def offers_the_same(self, proposal: Proposal) -> bool:
        """Return whether another proposal has the same candidates, and is no surer of them."""
        moves = [each.move for each in self.proposal.candidates]
        surer = proposal.certain and not self.proposal.certain
        return not surer and moves == [each.move for each in proposal.candidates]

    def is_due(self, now: float) -> bool:
        """Return whether it is to be entered as soon as a new picture confirms it."""
        return self.due is not None and now >= self.due

    def view(self, session: Session, now: float) -> ProposalView:
        """Tell it to screens."""
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


def proposed(session: Session, seen: FrameResult, seat_of: Callable[[Point], int]) -> Proposal | None:
    """Ask the referee what the readings amount to in this phase. seat_of: whose a point (px) of the picture is."""
    state, names = session.state, session.names
    if state.phase == "search":
        return propose_reveal(state, names, seen.reveals)
    if state.phase == "lay":
        return propose_lay(state, seen.cards)
    return propose_deal(state, names, seen.cards, seat_of)
