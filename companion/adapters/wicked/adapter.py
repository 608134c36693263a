"""The adapter of The Wicked Labyrinth."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from calibration.wording import listed, say, sentences
from companion.adapters.wicked.boards.whole_table import WHOLE_TABLE
from companion.adapters.wicked.card_proposals import propose_deal, propose_lay
from companion.adapters.wicked.reveal_proposals import propose_reveal
from companion.games.wicked.moves import Move
from companion.referee.finding import Finding
from companion.referee.proposal import Proposal
from companion.session import Session
from companion.table.adapter import Adapter
from companion.table.reading.frame_reader import FrameResult
from vision.readings import Point, RevealReading


def interpret(session: Session, result: FrameResult, seat_of: Callable[[Point], int]) -> Finding[Move]:
    """Return what readings of hands or cards mean in the present phase. seat_of: the seat of a point, px."""
    state, names = session.state, session.names
    proposal: Proposal[Move] | None
    if state.phase == "search":
        proposal = propose_reveal(state, names, result.reveals)
    elif state.phase == "lay":
        proposal = propose_lay(state, result.cards)
    else:
        proposal = propose_deal(state, names, result.cards, seat_of)
    return Finding(proposal, unread=unread_line(names, result.reveals, proposal))


def unread_line(names: Sequence[str], readings: Sequence[RevealReading], proposal: Proposal[Move] | None) -> str:
    """Return one line about why nothing could be proposed; "" where something was, or no hand at all is open."""
    if proposal is not None:
        return "" if proposal.answerable else sentences(*(doubt.question for doubt in proposal.doubts))
    opened = {hand.seat for reading in readings for hand in reading.hands if hand.state == "open"}
    missing = [name for seat, name in enumerate(names) if seat not in opened]
    if len(missing) in (0, len(names)):
        return ""
    return say(
        "No open hand is seen of {names}. Show it, also an empty one, or enter the reveal by hand.",
        names=listed(missing),
    )


ADAPTER = Adapter(interpret, WHOLE_TABLE)
"""The Wicked Labyrinth's."""
