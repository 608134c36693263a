"""What to read in a state of the game. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calibration.seats import Seating, seating_for
from companion.adapters.wicked.expectations import expectation
from companion.games.wicked.components import CORRIDORS
from companion.games.wicked.state import Phase
from companion.session import Session
from companion.table.reading.frame_reader import ReadingRequest, RequestKind
from companion.table.waiting_proposal import WaitingProposal
from vision.readings import Expectation

_WANTED: dict[Phase, RequestKind] = {"deal": "cards", "lay": "ring", "search": "hands"}
"""What is read in each phase; nothing in the others."""


def reading_request(
    session: Session | None, pending: WaitingProposal | None, now: float, seatings: Sequence[Seating] = ()
) -> ReadingRequest:
    """Return what to read now; nothing while no game is played or a certain proposal can still be held.

    now: the table's clock, seconds. While a question is open, hands shown again are read again; a held proposal
    stays; one that is due is confirmed with new pictures. seatings: where people sit unevenly, by number of
    players.
    """
    if session is None:
        return ReadingRequest(("", 0), None, Expectation(seats=4))
    seating = seating_for(len(session.seats), seatings)
    due = pending is not None and pending.is_due(now)
    settled = pending is not None and not due and (pending.held or pending.due is not None)
    return ReadingRequest(
        key=(session.id, session.number, seating.angles),
        wanted=None if settled else _WANTED.get(session.state.phase),
        expectation=replace(expectation(session.state), seating=seating),
        ring=CORRIDORS[len(session.seats)],
        asked=pending is not None,
        confirms=pending.id if pending is not None and due else "",
    )
