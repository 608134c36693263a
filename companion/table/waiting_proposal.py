"""A proposal while it waits to be entered, answered or held. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games.wicked import apply, describe
from companion.games.wicked.moves import Move
from companion.games.wicked.state import State
from companion.referee.proposal import Proposal
from companion.session import Session
from companion.table.reading.frame_reader import BACKGROUND, RequestKind
from companion.table.views import ChoiceView, ProposalView, QuestionView, SeatDoubt


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of a reading, JPEG."""

    whole: bytes | None = None
    """The picture that was read, with the reading drawn over it."""
    stills: Mapping[str, bytes] = field(default_factory=dict)
    """The unchanged frames, by name."""
    seats: Mapping[int, bytes] = field(default_factory=dict)
    """What was read of each seat, enlarged."""

    def of(self, seat: int | None) -> bytes | None:
        """Return the picture of one seat, or the whole one; None where there is none."""
        return self.whole if seat is None else self.seats.get(seat)


@dataclass(frozen=True)
class WaitingProposal:
    """A proposal made for state `number`."""

    id: str
    number: int
    proposal: Proposal[Move]
    due: float | None
    """When it is entered without a person, once a new picture confirms it; the table's clock, seconds."""
    kind: RequestKind
    """What it was read from."""
    held: bool = False
    """A person stopped the countdown."""
    period: int = -1
    """Number of the still interval that it was read in."""
    pictures: Pictures = Pictures()
    questions: tuple[QuestionView, ...] = ()
    """Its questions for screens."""

    @property
    def in_background(self) -> bool:
        """Whether it was read by the background reader, of which one picture is enough for an answer."""
        return self.kind == BACKGROUND

    def hold(self) -> WaitingProposal:
        """Return it with the countdown stopped by a person."""
        return replace(self, due=None, held=True)

    def offers_the_same(self, proposal: Proposal[Move]) -> bool:
        """Return whether another proposal offers the same answers, and its countdown need not begin."""
        begins = proposal.certain and self.due is None and not self.held
        if begins or _offered(self.proposal) != _offered(proposal):
            return False
        return not self.in_background or _asked(self.proposal) == _asked(proposal)

    def is_due(self, now: float) -> bool:
        """Return whether it is to be entered as soon as a new picture confirms it."""
        return self.due is not None and now >= self.due

    def view(self, now: float) -> ProposalView:
        """Return it for screens."""
        return ProposalView(
            id=self.id,
            number=self.number,
            certain=self.proposal.certain,
            held=self.held,
            seconds_left=0.0 if self.due is None else max(0.0, self.due - now),
            questions=self.questions,
            problems=self.proposal.problems,
            due=self.due is not None,
            host_only=self.in_background,
        )


def question_views(session: Session, proposal: Proposal[Move]) -> tuple[QuestionView, ...]:
    """Return the questions of a proposal for screens."""
    return tuple(
        QuestionView(
            one.seat,
            tuple(
                ChoiceView(
                    choice.moves,
                    _lines(session.state, choice.moves, session.names),
                    choice.probability,
                    choice.misread,
                )
                for choice in one.choices
            ),
            tuple(SeatDoubt(doubt.seat, doubt.question) for doubt in one.doubts),
        )
        for one in proposal.questions
    )


def _lines(state: State, moves: Sequence[Move], names: Sequence[str]) -> tuple[str, ...]:
    """Return each of several moves as a line, made one after the other."""
    lines = []
    for place, move in enumerate(moves, 1):
        lines.append(describe(state, move, names))
        state = state if place == len(moves) else apply(state, move)
    return tuple(lines)


def _offered(proposal: Proposal[Move]) -> list[list[tuple[Move, ...]]]:
    return [[choice.moves for choice in one.choices] for one in proposal.questions]


def _asked(proposal: Proposal[Move]) -> tuple[object, ...]:
    return proposal.problems, proposal.doubts
