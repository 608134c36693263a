"""Whether a certain proposal, about to be entered, still is what lies on the table. Pure."""

from __future__ import annotations

from typing import Literal

from calibration.wording import say
from companion.referee import Doubt, Proposal
from companion.table.reading.frame_reader import FrameResult
from companion.table.waiting_proposal import WaitingProposal

Verdict = Literal["wait", "enter", "ask", "doubt", "replace"]
"""wait: too little has been read yet; enter: the newest pictures confirm the proposal; ask: its hands are gone, so
nobody but the players can confirm it; doubt: they come to the same, but are not sure of it; replace: the table has
changed."""


def verdict(pending: WaitingProposal, seen: FrameResult, fresh: Proposal | None) -> Verdict:
    """Compare a due proposal with what the newest still pictures amount to.

    seen: readings of still pictures that are newer than the due time; fresh: the proposal that follows from these
    alone, None where none does. The first picture that is certain of the same is enough while nothing has moved
    since the proposal was read; after a movement, and wherever pictures disagree or are not certain, it takes as
    many as the proposal itself did.
    """
    reveal = pending.proposal.candidates[0].move.type == "reveal"
    if seen.gone:
        return "ask"
    if not (seen.reveals or seen.cards):
        return "wait"
    best = fresh.candidates[0].move if fresh is not None and fresh.candidates else None
    same = best == pending.proposal.candidates[0].move
    certain = same and fresh is not None and fresh.certain
    if not seen.complete:
        return "enter" if certain and seen.motion.period == pending.period else "wait"
    if same:
        return "enter" if certain else "doubt"
    return "ask" if fresh is None and reveal else "replace"


def asked(proposal: Proposal) -> Proposal:
    """Return a certain reveal as a question, after its hands have left unchecked."""
    question = say("The hands left before their count was checked. Is it right?")
    return Proposal(proposal.candidates, certain=False, doubts=(Doubt(None, question),))
