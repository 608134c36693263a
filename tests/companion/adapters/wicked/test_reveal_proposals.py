"""From readings of hands to a reveal: legal always, the likeliest first, and honest about doubt."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.adapters.wicked.hand_limits import expectation
from companion.adapters.wicked.reveal_proposals import propose_reveal
from companion.games.wicked import apply, legal, new_game
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.rules.search_phase import is_last_corridor
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from companion.referee.proposal import Proposal
from tests.companion.adapters.wicked.readings import COLOURS, NAMES, closed, frame, seen
from vision.readings import Alternative, HandReading, HandsReading

START = new_game(list(COLOURS), STANDIN, 5)
NOTHING = Hand()


def last_corridor(held_by_ada: Hand) -> WickedState:
    """The round's last corridor, where Ada still holds that and the others nothing."""
    shown = Hand(6 - held_by_ada.search, 1 - held_by_ada.witch, 1 - held_by_ada.soul)
    state = apply(START, Reveal((shown, Hand(6, 1, 1), Hand(6, 1, 1))))
    while state.phase == "gain" or not is_last_corridor(state):
        state = apply(state, Reveal((NOTHING,) * 3) if state.phase == "search" else legal(state).moves[0])
    assert state.players[0].held == held_by_ada
    return state


def proposed(*frames: HandsReading, state: WickedState = START) -> Proposal[Reveal]:
    proposal = propose_reveal(state, NAMES, frames)
    assert proposal is not None
    return proposal


def ada(*looks: HandReading, state: WickedState = START) -> Proposal[Reveal]:
    """Propose from frames in which Bo and Cy surely show nothing."""
    return proposed(*(frame(look, seen(1, NOTHING), seen(2, NOTHING)) for look in looks), state=state)


def first(proposal: Proposal[Reveal]) -> tuple[Hand, ...]:
    (move,) = proposal.likeliest
    assert isinstance(move, Reveal)
    return move.hands


def answers(proposal: Proposal[Reveal]) -> list[tuple[tuple[Reveal, ...], float]]:
    return [(choice.moves, choice.probability) for choice in proposal.questions[0].choices]


def questions(proposal: Proposal[Reveal]) -> list[tuple[int | None, str]]:
    return [(doubt.seat, doubt.question) for doubt in proposal.doubts]


def test_the_expectation_is_what_everybody_still_holds() -> None:
    expected = expectation(apply(START, Reveal((Hand(2, 1, 0), NOTHING, Hand(6, 1, 1)))))
    assert expected.seats == 3
    assert expected.limits == (
        {"search:purple": 4, "sign:soul": 1},
        {"search:green": 6, "sign:witch": 1, "sign:soul": 1},
        {},
    )
    assert not expected.exact


def test_at_the_last_corridor_the_expectation_is_exact() -> None:
    expected = expectation(last_corridor(Hand(3, 0, 1)))
    assert expected.exact
    assert expected.limits[0] == {"search:purple": 3, "sign:soul": 1}


def test_sure_readings_of_all_hands_are_certain() -> None:
    proposal = proposed(frame(seen(0, Hand(3, 1)), seen(1, Hand(0)), seen(2, Hand(5, 0, 1))))
    assert first(proposal) == (Hand(3, 1), Hand(0), Hand(5, 0, 1))
    assert proposal.certain
    assert proposal.doubts == ()
    assert 0.8 < proposal.questions[0].choices[0].probability < 0.97


@pytest.mark.parametrize(
    "frames",
    [
        [],
        [frame(seen(0, NOTHING), seen(1, NOTHING))],
        [frame(seen(0, NOTHING), seen(1, NOTHING), closed(2))],
        [frame(*(seen(seat, NOTHING) for seat in range(3))), frame(seen(0, NOTHING), seen(1, NOTHING), closed(2))],
    ],
    ids=["no frame", "one hand missing", "one hand closed", "one hand open in half of the frames"],
)
def test_nothing_is_proposed_before_everybodys_hand_is_open(frames: list[HandsReading]) -> None:
    assert propose_reveal(START, NAMES, frames) is None


def test_what_may_be_a_fist_or_an_empty_palm_is_asked_about() -> None:
    perhaps = closed(2, 0.6, (NOTHING, 0.35), (Hand(1), 0.05))
    proposal = propose_reveal(START, NAMES, [frame(seen(0, NOTHING), seen(1, NOTHING), perhaps)] * 3)
    assert proposal is not None
    assert not proposal.certain
    assert [doubt.seat for doubt in proposal.doubts] == [2]
    assert isinstance(proposal.likeliest[0], Reveal)
    assert proposal.likeliest[0].hands[2] == NOTHING


def test_a_hand_that_hardly_may_be_open_is_asked_about_and_one_that_surely_is_a_fist_is_waited_for() -> None:
    def proposed(certainty: float) -> bool:
        perhaps = closed(2, certainty, (NOTHING, 1 - certainty))
        proposal = propose_reveal(START, NAMES, [frame(seen(0, NOTHING), seen(1, NOTHING), perhaps)] * 5)
        assert proposal is None or [doubt.seat for doubt in proposal.doubts] == [2]
        return proposal is not None

    assert proposed(0.88)
    assert not proposed(0.95)


def test_nothing_is_proposed_while_no_corridor_is_searched() -> None:
    state = new_game(3, STANDIN)
    assert propose_reveal(state, NAMES, [frame(*(seen(seat, NOTHING) for seat in range(3)))]) is None


def test_a_hand_missing_in_one_of_five_frames_does_not_matter() -> None:
    whole = frame(seen(0, Hand(2)), seen(1, NOTHING), seen(2, NOTHING))
    assert proposed(whole, whole, frame(seen(1, NOTHING), seen(2, NOTHING)), whole, whole).certain


def test_four_of_five_sure_frames_win() -> None:
    three, four = seen(0, Hand(3), 0.98, (Hand(4), 0.01)), seen(0, Hand(4), 0.98, (Hand(3), 0.01))
    proposal = ada(three, three, four, three, three)
    assert first(proposal)[0] == Hand(3)
    assert proposal.certain


def test_four_of_five_unsure_frames_win_but_are_asked_about() -> None:
    three, four = seen(0, Hand(3), 0.8, (Hand(4), 0.15)), seen(0, Hand(4), 0.8, (Hand(3), 0.15))
    proposal = ada(three, three, four, three, three)
    assert first(proposal)[0] == Hand(3)
    assert questions(proposal) == [(0, "Ada: 3 or 4 search pieces?")]


def test_an_even_split_is_asked_about_and_both_are_offered() -> None:
    proposal = ada(seen(0, Hand(3), 0.97, (Hand(4), 0.02)), seen(0, Hand(4), 0.97, (Hand(3), 0.02)))
    assert not proposal.certain
    assert questions(proposal) == [(0, "Ada: 3 or 4 search pieces?")]
    offered = {move.hands[0] for (move,), _ in answers(proposal) if isinstance(move, Reveal)}
    assert {Hand(3), Hand(4)} <= offered


def test_a_few_frames_are_a_little_surer_than_one_and_many_no_surer_than_a_few() -> None:
    look = seen(0, Hand(3), 0.8, (Hand(4), 0.15))
    expected = [ada(*[look] * frames) for frames in (1, 3, 5, 30)]
    once, some, few, many = (proposal.questions[0].choices[0].probability for proposal in expected)
    assert once < some < few == pytest.approx(many)
    assert 1 - few > (1 - once) / 2
    assert not any(proposal.certain for proposal in expected)


def test_what_a_few_frames_plainly_agree_on_is_no_doubt_though_each_left_one() -> None:
    look = seen(0, Hand(3), 0.92, (Hand(4), 0.05), doubtful=True)
    assert ada(*[look] * 5).certain
    assert questions(ada(*[look] * 3)) == [(0, "Ada: is it 3 search pieces?")]


def test_doubtful_frames_that_do_not_all_agree_are_asked_about() -> None:
    three = seen(0, Hand(3), 0.949, (Hand(4), 0.03), doubtful=True)
    four = seen(0, Hand(4), 0.5, (Hand(3), 0.49), doubtful=True)
    proposal = ada(three, three, four, three, three, three)
    assert first(proposal)[0] == Hand(3)
    assert [doubt.seat for doubt in proposal.doubts] == [0]


def test_doubtful_frames_that_agree_on_what_is_not_likely_enough_are_asked_about() -> None:
    assert not ada(*[seen(0, Hand(3), 0.88, (Hand(4), 0.11), doubtful=True)] * 5).certain


def test_doubtful_frames_that_agree_on_all_that_is_legal_are_asked_about() -> None:
    state = last_corridor(Hand(3, 0, 1))
    look = seen(0, Hand(3, 0, 1), 0.7, (Hand(2, 0, 1), 0.3), doubtful=True)
    assert [doubt.seat for doubt in ada(*[look] * 5, state=state).doubts] == [0]


def test_what_may_be_a_fist_is_asked_about_however_many_frames_agree_on_what_lies_in_it() -> None:
    perhaps = closed(2, 0.6, (Hand(2), 0.39), (Hand(1), 0.01))
    proposal = propose_reveal(START, NAMES, [frame(seen(0, NOTHING), seen(1, NOTHING), perhaps)] * 5)
    assert proposal is not None
    assert [doubt.seat for doubt in proposal.doubts] == [2]


def test_what_the_reader_itself_calls_doubtful_is_asked_about() -> None:
    proposal = ada(seen(0, Hand(3), 0.95, doubtful=True))
    assert questions(proposal) == [(0, "Ada: is it 3 search pieces?")]


def test_one_doubtful_frame_of_three_is_outvoted() -> None:
    assert ada(seen(0, Hand(3)), seen(0, Hand(3), doubtful=True), seen(0, Hand(3))).certain


@pytest.mark.parametrize(
    ("other", "question"),
    [
        (Hand(3, 1, 0), "Ada: is there a witch's sign?"),
        (Hand(3, 0, 1), "Ada: is there a soul's sign?"),
        (Hand(2, 0, 0), "Ada: 2 or 3 search pieces?"),
        (Hand(2, 1, 0), "Ada: 3 search pieces or 2 search pieces and a witch's sign?"),
        (Hand(0, 0, 0), "Ada: 0 or 3 search pieces?"),
    ],
)
def test_a_doubt_asks_for_what_tells_the_hands_apart(other: Hand, question: str) -> None:
    assert questions(ada(seen(0, Hand(3), 0.6, (other, 0.39)))) == [(0, question)]


def test_five_seats_that_are_each_just_sure_are_not_sure_together() -> None:
    state = new_game(5, STANDIN, 1)
    colours = [player.colour for player in state.players]
    hands = tuple(
        HandReading(seat, "open", {f"search:{colour}": 2}, 0.94 if seat != 3 else 0.92, False, (0, 0, 1, 1))
        for seat, colour in enumerate(colours)
    )
    proposal = propose_reveal(state, ("Ada", "Bo", "Cy", "Di", "Ed"), [HandsReading(hands)])
    assert proposal is not None
    assert [doubt.seat for doubt in proposal.doubts] == [3]
    assert not proposal.certain


def test_more_pieces_than_are_left_are_never_proposed_and_asked_about() -> None:
    proposal = ada(seen(0, {"search:purple": 7}, 0.99))
    assert first(proposal)[0] == Hand(6)
    assert not proposal.certain
    assert proposal.doubts[0].seat == 0
    assert "What lies there?" in proposal.doubts[0].question


@pytest.mark.parametrize("foreign", ["search:green", "token:red", "impurity:3"])
def test_a_piece_that_cannot_be_in_the_hand_is_asked_about(foreign: str) -> None:
    proposal = ada(seen(0, {"search:purple": 2, foreign: 1}, 0.99))
    assert not proposal.certain
    assert [doubt.seat for doubt in proposal.doubts] == [0]


def test_at_the_last_corridor_all_that_is_left_is_proposed() -> None:
    state = last_corridor(Hand(3, 0, 1))
    proposal = ada(seen(0, Hand(3, 0, 1), 0.7, (Hand(2, 0, 1), 0.2)), state=state)
    assert first(proposal) == (Hand(3, 0, 1), NOTHING, NOTHING)
    assert proposal.certain


def test_at_the_last_corridor_something_left_behind_is_asked_about() -> None:
    state = last_corridor(Hand(3, 0, 1))
    proposal = ada(seen(0, Hand(2, 0, 1), 0.9, (Hand(3, 0, 1), 0.08)), state=state)
    assert first(proposal)[0] == Hand(3, 0, 1)
    assert questions(proposal) == [
        (
            0,
            "Ada: at the last corridor all that is left must lie open: 3 search pieces and a soul's sign. Does it?",
        )
    ]


def test_something_in_a_hand_that_must_be_empty_is_asked_about() -> None:
    state = last_corridor(NOTHING)
    proposal = ada(seen(0, Hand(1), 0.9), state=state)
    assert first(proposal)[0] == NOTHING
    assert [doubt.seat for doubt in proposal.doubts] == [0]


@settings(max_examples=60)
@given(st.data())
def test_whatever_a_reader_says_the_proposed_reveals_are_legal_and_their_odds_add_up(data: st.DataObject) -> None:
    rng = random.Random(data.draw(st.integers(0, 10**6)))
    state = START
    for _ in range(data.draw(st.integers(0, 25))):
        state = apply(state, random_move(state, rng))
    while state.phase != "search":
        if state.phase == "over":
            return
        state = apply(state, random_move(state, rng))
    kinds = st.sampled_from([*(f"search:{colour}" for colour in COLOURS), "sign:witch", "sign:soul", "token:red"])
    some_counts = st.dictionaries(kinds, st.integers(0, 9), max_size=4)
    chance = st.floats(0, 1)
    frames = []
    for _ in range(data.draw(st.integers(1, 4))):
        hands = []
        for seat in range(3):
            others = data.draw(st.lists(st.tuples(some_counts, chance), max_size=2))
            look = seen(seat, data.draw(some_counts), data.draw(chance), doubtful=data.draw(st.booleans()))
            hands.append(replace(look, alternatives=tuple(Alternative(*other) for other in others)))
        frames.append(HandsReading(tuple(hands)))
    proposal = propose_reveal(state, NAMES, frames)
    assert proposal is not None
    for (move,), probability in answers(proposal):
        apply(state, move)
        assert 0 < probability <= 1
    odds = [probability for _, probability in answers(proposal)]
    assert odds == sorted(odds, reverse=True)
    assert sum(odds) <= 1 + 1e-9
    assert proposal.certain == (not proposal.doubts)
    assert all("\n" not in doubt.question and doubt.seat in (0, 1, 2) for doubt in proposal.doubts)
