"""Decides whether a certain proposal, due to be entered, is confirmed by new pictures. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from calibration.translatable import say
from companion.referee.proposal import Doubt, Proposal
from companion.table.waiting_proposal import WaitingProposal

Verdict = Literal["wait", "enter", "ask", "doubt", "replace"]
"""wait: too little was read; enter: confirmed; ask: the hands are gone, so a person has to confirm; doubt: the
same result, but not certain; replace: the table has changed.
"""


def verdict(
    pending: WaitingProposal, fresh: Proposal[Any] | None, period: int, *, complete: bool, gone: bool = False
) -> Verdict:
    """Compare a due proposal with a proposal from newer still pictures alone.

    fresh: None where they show no moves. period: number of the still interval of these pictures. complete: they are
    as many as for the proposal itself. gone: no open hand is left.

    One picture that is certain of the same is enough while nothing has moved since the proposal was read; after a
    movement, and where pictures disagree or are not certain, as many are needed as for the proposal itself.
    """
    if gone:
        return "ask"
    same = fresh is not None and fresh.likeliest == pending.proposal.likeliest
    certain = same and fresh is not None and fresh.certain
    if not complete:
        return "enter" if certain and period == pending.period else "wait"
    if same:
        return "enter" if certain else "doubt"
    return "ask" if fresh is None and pending.kind == "hands" else "replace"


def asked(proposal: Proposal[Any]) -> Proposal[Any]:
    """Return a certain proposal with a doubt for a person to resolve: its hands left before they were checked."""
    question = say("The hands left before the count was checked. Is the count right?")
    first, *others = proposal.questions
    return replace(proposal, questions=(replace(first, doubts=(Doubt(None, question),)), *others))
