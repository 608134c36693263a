"""Proposals as data: what is certain, what is likeliest, and which moves a person's choices stand for."""

from __future__ import annotations

import pytest

from companion.referee.proposal import Choice, Doubt, Proposal, Question

ADA: Question[str] = Question(0, (Choice(("promote", "finish")), Choice(("finish",))))
BRUNO: Question[str] = Question(1, (Choice(()),))


def test_a_proposal_is_certain_where_every_question_has_a_choice_and_no_doubt() -> None:
    assert Proposal((ADA, BRUNO)).certain
    assert not Proposal((ADA, BRUNO), ("Two of three boards are seen.",)).certain
    assert not Proposal((ADA, Question(1, ()))).certain
    doubt = Doubt(1, "Bruno: is that all?")
    unsure = Proposal((ADA, Question(1, BRUNO.choices, (doubt,))))
    assert not unsure.certain
    assert unsure.doubts == (doubt,)


def test_the_likeliest_moves_are_the_first_choices_in_the_order_of_the_questions() -> None:
    assert Proposal((ADA, BRUNO)).likeliest == ("promote", "finish")
    assert Proposal((Question(0, ()), ADA)).likeliest == ("promote", "finish")


def test_chosen_moves_leave_out_what_is_left_to_the_journal() -> None:
    proposal = Proposal((ADA, Question(1, (Choice(("finish",)),))))
    assert proposal.moves((1, None)) == ("finish",)
    assert proposal.moves((None, None)) == ()


@pytest.mark.parametrize("choices", [(2, 0), (-1, 0), (0, 1)])
def test_a_choice_that_does_not_exist_is_an_error(choices: tuple[int, int]) -> None:
    with pytest.raises(IndexError):
        Proposal((ADA, BRUNO)).moves(choices)


def test_as_many_choices_as_questions_are_needed() -> None:
    with pytest.raises(ValueError, match="argument"):
        Proposal((ADA, BRUNO)).moves((0,))
