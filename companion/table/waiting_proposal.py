"""A proposal while it waits to be entered, answered or held. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.game import Game, Step
from companion.referee.proposal import Proposal
from companion.session import Session
from companion.table.pictures.reading_pictures import Pictures
from companion.table.reading.frame_reader import RequestKind
from companion.table.views import ChoiceView, ProposalView, QuestionView, SeatDoubt


@dataclass(frozen=True)
class WaitingProposal:
    """A proposal that has not been entered yet."""

    id: str
    """Id of the proposal."""
    number: int
    """Number of the state that it was made for."""
    proposal: Proposal[Any]
    """The questions with their possible answers."""
    due: float | None
    """When it is entered without a person, once a new picture confirms it; the table's clock, seconds."""
    kind: RequestKind
    """What it was read from."""
    held: bool = False
    """A person stopped the countdown."""
    period: int = -1
    """Number of the still interval that it was read in."""
    pictures: Pictures = field(default_factory=Pictures)
    """Pictures that it was read from."""
    questions: tuple[QuestionView, ...] = ()
    """Its questions for screens."""

    @property
    def in_background(self) -> bool:
        """Whether it was read by the background reader, of which one picture is enough for an answer."""
        return self.kind == "whole_table"

    def hold(self) -> WaitingProposal:
        """Return a copy whose countdown was stopped by a person."""
        return replace(self, due=None, held=True)

    def offers_the_same(self, proposal: Proposal[Any]) -> bool:
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


def question_views(
    game: Game[Any, Any, Any], session: Session, proposal: Proposal[Any]
) -> tuple[QuestionView, ...]:
    """Return the questions of a proposal for screens."""
    return tuple(
        QuestionView(
            one.seat,
            tuple(
                ChoiceView(
                    choice.moves,
                    _lines(game, session, choice.moves),
                    choice.probability,
                    choice.misread,
                )
                for choice in one.choices
            ),
            tuple(SeatDoubt(*doubt) for doubt in one.doubts),
        )
        for one in proposal.questions
    )


def _lines(game: Game[Any, Any, Any], session: Session, moves: Sequence[Any]) -> tuple[str, ...]:
    """Return each of several moves, made one after the other, as a line for everybody."""
    lines, state = [], session.state
    for number, move in enumerate(moves, session.number + 1):
        after = game.apply(state, move)
        lines.append(game.describe(Step(number, move, state, after), after, session.names, None))
        state = after
    return tuple(lines)


def _offered(proposal: Proposal[Any]) -> list[list[tuple[Any, ...]]]:
    return [[choice.moves for choice in one.choices] for one in proposal.questions]


def _asked(proposal: Proposal[Any]) -> tuple[object, ...]:
    return proposal.problems, proposal.doubts
