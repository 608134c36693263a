"""Decides whether a certain proposal, due to be entered, is confirmed by new pictures. Pure."""

from __future__ import annotations

from typing import Literal

from calibration.wording import say
from companion.referee.proposal import Doubt, Proposal
from companion.table.reading.frame_reader import FrameResult
from companion.table.waiting_proposal import WaitingProposal

Verdict = Literal["wait", "enter", "ask", "doubt", "replace"]
"""wait: too little was read; enter: confirmed; ask: the hands are gone, so a person has to confirm; doubt: the
same result, but not certain; replace: the table has changed.
"""


def verdict(pending: WaitingProposal, result: FrameResult, fresh: Proposal | None) -> Verdict:
    """Compare a due proposal with the readings of newer still pictures.

    fresh: the proposal of these readings alone, None where there is none. One picture that is certain of the same
    is enough while nothing has moved since the proposal was read; after a movement, and where pictures disagree or
    are not certain, as many are needed as for the proposal itself.
    """
    reveal = pending.proposal.candidates[0].move.type == "reveal"
    if result.gone:
        return "ask"
    if not (result.reveals or result.cards):
        return "wait"
    best = fresh.candidates[0].move if fresh is not None and fresh.candidates else None
    same = best == pending.proposal.candidates[0].move
    certain = same and fresh is not None and fresh.certain
    if not result.complete:
        return "enter" if certain and result.motion.period == pending.period else "wait"
    if same:
        return "enter" if certain else "doubt"
    return "ask" if fresh is None and reveal else "replace"


def asked(proposal: Proposal) -> Proposal:
    """Return a certain reveal as a question, after its hands have left unchecked."""
    question = say("The hands left before their count was checked. Is it right?")
    return Proposal(proposal.candidates, certain=False, doubts=(Doubt(None, question),))
