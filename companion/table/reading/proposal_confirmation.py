"""Decides whether a certain proposal, due to be entered, is confirmed by new pictures. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from calibration.translatable import say
from companion.referee.proposal import Doubt, Proposal
from companion.table.game_adapter import Adapter, Situation, StillReadings
from companion.table.waiting_proposal import WaitingProposal

Verdict = Literal["wait", "enter", "ask", "doubt", "replace"]
"""What to do with a proposal whose countdown has ended.

wait: too few new pictures were read; enter: it is confirmed; ask: the hands have left, a person has to confirm it;
doubt: new pictures lead to the same moves without certainty; replace: they lead to other moves.
"""


def confirmation_verdict(
    pending: WaitingProposal, fresh: Proposal[Any] | None, period: int, *, complete: bool, gone: bool = False
) -> Verdict:
    """Return whether to "enter" a proposal whose countdown has ended, or what else to do; see `Verdict`.

    fresh: proposal from newer still pictures alone; None where they lead to no moves. period: number of the still
    interval of these pictures. complete: whether they are all that are read of one still scene. gone:
    whether the open hands have left.

    If nothing has moved since the proposal was read, one picture confirms it that leads to the same moves with
    certainty. Otherwise all pictures of the new still scene are needed.
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


def is_followed_by_the_next_turn(
    adapter: Adapter[Any, Any], situation: Situation[Any], moves: Sequence[Any], readings: StillReadings
) -> bool:
    """Return whether readings of things at rest show proposed moves that end a turn, and certain ones after them.

    Players may be quicker than a countdown.

    situation: for which `moves` are proposed. Raises IllegalMove for illegal ones.
    """
    state = situation.state
    for move in moves:
        state = adapter.game.apply(state, move)
    if not adapter.request(state).next_turn:
        return False
    fresh = adapter.interpret(replace(situation, state=state, statements=()), readings).proposal
    return fresh is not None and fresh.certain


def with_unchecked_hands(proposal: Proposal[Any]) -> Proposal[Any]:
    """Return a copy of a proposal that a person has to confirm: the hands left before the count was checked."""
    question = say("The hands left before the count was checked. Is the count right?")
    first, *others = proposal.questions
    return replace(proposal, questions=(replace(first, doubts=(Doubt(None, question),)), *others))
