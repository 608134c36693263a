"""A proposal that waits for its countdown or for a person's answer. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.game import Game, Step
from companion.referee.proposal import Proposal
from companion.session import Session
from companion.table.pictures.pictures_of_reading import Pictures
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
    """End of the countdown by the table's clock, s; None without one. A new picture then has to confirm it."""
    kind: RequestKind
    """Kind of reading that it was made from."""
    held: bool = False
    """It gets no countdown: a person has to answer it, unless the table changes."""
    until_answered: bool = False
    """A person stopped it to answer it: nothing is read until then."""
    period: int = -1
    """Number of the still interval that it was read in."""
    pictures: Pictures = field(default_factory=Pictures)
    """Pictures that it was read from."""
    questions: tuple[QuestionView, ...] = ()
    """Its questions for screens."""

    @property
    def of_whole_table(self) -> bool:
        """Whether it was made from a reading of the whole table, for which one picture is enough."""
        return self.kind == "whole_table"

    def hold(self) -> WaitingProposal:
        """Return a copy that gets no countdown any more."""
        return replace(self, due=None, held=True)

    def offers_the_same(self, proposal: Proposal[Any]) -> bool:
        """Return whether a newer proposal asks the same with the same answers and would not begin a countdown."""
        begins = proposal.certain and self.due is None and not self.held
        return not begins and _content(self.proposal) == _content(proposal)

    def is_due(self, now: float) -> bool:
        """Return whether the countdown has ended. now: the table's clock, seconds."""
        return self.due is not None and now >= self.due

    def view(self, now: float) -> ProposalView:
        """Return the proposal as screens show it. now: the table's clock, seconds."""
        return ProposalView(
            id=self.id,
            number=self.number,
            certain=self.proposal.certain,
            held=self.held,
            seconds_left=0.0 if self.due is None else max(0.0, self.due - now),
            questions=self.questions,
            problems=self.proposal.problems,
            due=self.due is not None,
            host_only=self.of_whole_table,
        )


def question_views(
    game: Game[Any, Any, Any], session: Session, proposal: Proposal[Any]
) -> tuple[QuestionView, ...]:
    """Return the questions of a proposal, with their answers and doubts, for screens."""
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
    """Return each of these moves as a line of text, as if made one after the other, without anything secret."""
    lines, state = [], session.state
    for number, move in enumerate(moves, session.number + 1):
        after = game.apply(state, move)
        lines.append(game.describe(Step(number, move, state, after), after, session.names, None))
        state = after
    return tuple(lines)


def _content(proposal: Proposal[Any]) -> tuple[object, ...]:
    """Return what a proposal asks, without probabilities: its problems, and doubts and answers by question."""
    questions = [(one.doubts, [choice.moves for choice in one.choices]) for one in proposal.questions]
    return proposal.problems, questions
