"""Computes which reading the camera has to make in a state of the game. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from calibration.seats import Seating, seating_for
from companion.session import Session
from companion.table.game_adapter import Adapter
from companion.table.reading.frame_reader import ReadingRequest
from companion.table.waiting_proposal import WaitingProposal
from vision.readings import Expectation


def reading_request(
    adapter: Adapter[Any, Any],
    session: Session | None,
    pending: WaitingProposal | None,
    now: float,
    seatings: Sequence[Seating] = (),
) -> ReadingRequest:
    """Return what to read in the next frame.

    Nothing is read without a game, during the countdown of a proposal about hands, and while a person answers a
    proposal that they stopped. While another question is open, or a proposal about things at rest counts down, the
    table is read again if it changes. After a countdown, new pictures are read to confirm the proposal.

    pending: the proposal that waits, None for none. now: the table's clock, seconds. seatings: directions in which
    people sit, for each number of players for which they are not evenly spaced.
    """
    if session is None:
        return ReadingRequest(("", 0), None, Expectation(seats=4))
    seating = seating_for(len(session.seats), seatings)
    due = pending is not None and pending.is_due(now)
    counting = pending is not None and pending.due is not None and not due
    read_again = counting and pending is not None and pending.kind == "at_rest"
    settled = pending is not None and not due and (pending.until_answered or counting) and not read_again
    read = adapter.request(session.state)
    return ReadingRequest(
        key=(session.id, session.number, seating.angles),
        wanted=None if settled else read.wanted,
        expectation=replace(read.expectation, seating=seating),
        hint=read.hint,
        first_pictures=read.first_pictures,
        asked=pending is not None,
        confirms=pending.id if pending is not None and due else "",
        read_already=pending.period if pending is not None and read_again else None,
    )
