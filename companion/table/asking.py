"""What the eyes are asked about while a game stands as it does. Pure."""

from __future__ import annotations

from companion import referee
from companion.games.wicked.components import CORRIDORS
from companion.games.wicked.state import Phase
from companion.session import Session
from companion.table.eyes import Subject, Wanted
from companion.table.pending import Pending
from vision.readings import Expectation

_WANTED: dict[Phase, Wanted] = {"deal": "cards", "lay": "ring", "search": "hands"}


def subject(session: Session | None, pending: Pending | None, now: float) -> Subject:
    """Return what is worth reading now; nothing while no game is played or a certain proposal can still be held.

    now: the table's clock, seconds. While a question is open, hands shown anew are read again; a held proposal is
    left alone; one that is due is confirmed with new pictures.
    """
    if session is None:
        return Subject(("", 0), None, Expectation(seats=4))
    due = pending is not None and pending.is_due(now)
    settled = pending is not None and not due and (pending.held or pending.due is not None)
    return Subject(
        key=(session.id, session.number),
        wanted=None if settled else _WANTED.get(session.state.phase),
        expectation=referee.expectation(session.state),
        ring=CORRIDORS[len(session.seats)],
        asked=pending is not None,
        confirms=pending.id if pending is not None and due else "",
    )
