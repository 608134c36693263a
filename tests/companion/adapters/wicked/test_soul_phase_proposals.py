"""A whole soul phase from one reading of the boards: reached, settled by the rules, or asked about."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.adapters.wicked.boards.possible_player_states import interpretations
from companion.adapters.wicked.soul_phase_proposals import propose_souls
from companion.games.wicked import WickedState, apply
from companion.games.wicked.bots.random_moves import random_choice
from companion.games.wicked.components import COLOURS
from companion.games.wicked.moves import FinishSoul, Move
from companion.games.wicked.rules.soul_phase import finish
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import Tokens, WickedPlayer
from companion.games.wicked.text.notation import write_move
from companion.referee.proposal import Proposal, Question
from tests.companion.adapters.wicked.board_readings import doubting, read
from tests.companion.games.wicked.adviser.exhaustive import corruptions, made_up, small_positions, unordered
from tests.companion.games.wicked.scenarios import board, play, soul_phase
from vision.games.wicked.readings import BoardReading, BoardsReading, SmallReading, TokenGuess

seeds = given(seed=st.integers(0, 2**32))
some = settings(max_examples=40, derandomize=True, database=None)
NAMES = ("Ada", "Bruno", "Chie", "Dolores", "Emil")


def names_of(state: WickedState) -> tuple[str, ...]:
    return NAMES[: len(state.players)]


def seen(state: WickedState, first: BoardReading) -> BoardsReading:
    """Return a reading with this board for seat 0 and the others as they are, with what they hold put away."""
    others = [read(finish(player), seat) for seat, player in enumerate(state.players)][1:]
    return BoardsReading((first, *others))


def proposed(state: WickedState, first: BoardReading) -> Proposal[Move]:
    proposal = propose_souls(state, names_of(state), seen(state, first))
    assert proposal is not None
    return proposal


def asked(question: Question[Move]) -> tuple[str, ...]:
    return tuple(doubt.question for doubt in question.doubts)


def wander(state: WickedState, rng: random.Random, actions: int) -> WickedPlayer:
    """Take so many random legal soul actions of seat 0, and end the phase for it."""
    for _ in range(actions):
        move = random_choice(state, 0, rng)
        if not isinstance(move, FinishSoul):
            state = apply(state, move)
    return finish(state.players[0])


@some
@seeds
def test_boards_after_random_legal_actions_are_proposed_with_moves_that_make_them(seed: int) -> None:
    rng = random.Random(seed)
    before = made_up(rng, crowded=rng.random() < 0.3)
    after = wander(before, rng, rng.randint(0, 6))

    souls = proposed(before, read(after)).questions[0]

    assert len(souls.choices) == 1
    assert souls.choices[0].misread == ()
    assert unordered(play(before, *souls.choices[0].moves).players[0]) == unordered(after)


@settings(some, max_examples=8)
@seeds
def test_every_single_token_misread_that_no_moves_lead_to_is_asked_about(seed: int) -> None:
    rng = random.Random(seed)
    state, boards = next(small_positions(1, seed, most=60))
    ended = {unordered(finish(player)) for player in boards}
    after = rng.choice(sorted(ended, key=repr))
    for wrong in rng.sample(corruptions(after), 12):
        proposal = proposed(state, read(wrong))
        souls = proposal.questions[0]
        if unordered(wrong) in ended:
            assert unordered(play(state, *souls.choices[0].moves).players[0]) == unordered(wrong)
            continue
        assert not proposal.certain
        assert any("cannot follow from the previous one" in doubt for doubt in asked(souls))
        for choice in souls.choices:
            assert len(choice.misread) == 1
            assert unordered(play(state, *choice.moves).players[0]) in ended


@some
@seeds
def test_a_doubtful_spot_is_settled_where_the_rules_leave_but_one_way(seed: int) -> None:
    rng = random.Random(seed)
    state, boards = next(small_positions(1, seed, most=60))
    ended = {unordered(finish(player)) for player in boards}
    after = rng.choice(sorted(ended, key=repr))
    clear = read(after)
    spot = rng.choice(clear.spots)
    others = [token for token in (*COLOURS, None) if token != spot.token]
    doubtful = doubting(clear, spot.rank, spot.index, *others)

    souls = proposed(state, doubtful).questions[0]

    might = [
        way.player
        for way in interpretations(doubtful, state.players[0], state.deck)
        if unordered(way.player) in ended
    ]
    assert after in map(unordered, might)
    assert len(souls.choices) == len(might)
    assert any("hard to tell" in doubt for doubt in asked(souls)) == (len(might) > 1)
    taken = unordered(play(state, *souls.choices[0].moves).players[0])
    assert taken == after


def test_a_spot_whose_listed_contents_are_not_likely_together_may_hold_any_other() -> None:
    state = soul_phase(board("rg", colour_change=1))
    clear = read(finish(play(state, "0 change low red blue").players[0]))
    guess = (TokenGuess(None, 0.09),)
    unknown = [
        replace(spot, token="red", confidence=0.3, reason="it shows no known token", alternatives=guess)
        if spot.rank == "low" and spot.token == "blue"
        else spot
        for spot in clear.spots
    ]
    proposal = proposed(state, replace(clear, spots=tuple(unknown)))
    assert not proposal.certain
    written = [[write_move(move) for move in choice.moves] for choice in proposal.questions[0].choices]
    assert written[0] == ["0 done"]
    assert ["0 change low red blue", "0 done"] in written


def test_only_the_spots_that_the_rules_leave_open_are_asked_about() -> None:
    state = soul_phase(board("rg", colour_change=1))
    clear = read(finish(state.players[0]))
    # One token must lie on the first spot; on the second it may have been changed.
    doubtful = doubting(doubting(clear, "low", 0, None), "low", 1, "blue")
    souls = proposed(state, replace(doubtful, reasons=doubtful.reasons[:1])).questions[0]
    assert asked(souls) == ("Ada: Look at the spot low 2: it is hard to tell.",)
    assert [write_move(choice.moves[0]) for choice in souls.choices] == ["0 done", "0 change low green blue"]
    assert [choice.probability for choice in souls.choices] == pytest.approx([0.6, 0.4])


def test_small_oracles_are_not_settled_by_an_open_card_of_somebody_else() -> None:
    before = board("rgb", small=("S01", "S02"))
    seen = replace(read(finish(before)), small=SmallReading(1, ("S06",)))
    achieved = {way.player.achieved_small for way in interpretations(seen, before, STANDIN)}
    assert achieved == {(), ("S01",), ("S02",), ("S01", "S02")}


def test_oracles_that_were_not_named_yet_are_not_taken_for_another_players() -> None:
    state = soul_phase(board("r"))
    done = finish(state.players[0])
    assert proposed(state, read(replace(done, great=("G01", "G02"), small=("S01", "S02")))).certain
    others = (replace(state.players[1], great=("G01",)), state.players[2])
    named = replace(state, players=(state.players[0], *others))
    doubts = asked(proposed(named, read(replace(done, great=("G01", "G02")))).questions[0])
    assert doubts == ("Ada: the camera sees the oracle (high red + green) there, which is another player's.",)


def test_more_spells_than_can_be_searched_leave_one_board_to_be_entered_by_hand() -> None:
    state = soul_phase(board("r", promotion=5, colour_change=4))
    ada, *others = proposed(state, read(finish(state.players[0]))).questions
    assert ada.choices == ()
    assert any("enter these souls by hand" in doubt for doubt in asked(ada))
    assert all(one.choices and not one.doubts for one in others)


def test_a_board_that_nobody_could_better_any_more_ends_the_phase_by_itself() -> None:
    state = soul_phase(board("rrr"))
    done = finish(play(state, "0 promote red low").players[0])
    proposal = proposed(state, read(done))
    assert proposal.certain
    assert [write_move(move) for move in proposal.likeliest] == [
        "0 promote red low",
        "0 done",
        "1 done",
        "2 done",
    ]


def test_who_could_still_do_something_is_asked_whether_that_is_all() -> None:
    state = soul_phase(board("rrr"))
    proposal = proposed(state, read(finish(state.players[0])))
    assert not proposal.certain
    assert asked(proposal.questions[0]) == ("Ada: is that all?",)
    assert [write_move(move) for move in proposal.questions[0].choices[0].moves] == ["0 done"]


def test_pieces_that_still_mark_spells_are_asked_about() -> None:
    state = soul_phase(board("", colour_change=2))
    proposal = proposed(state, read(state.players[0]))
    assert not proposal.certain
    assert asked(proposal.questions[0]) == ("Ada: two colour-change spells still on the board. Not used?",)


def test_a_board_that_is_not_seen_is_left_to_the_journal() -> None:
    state = soul_phase(board("r"))
    others = tuple(read(finish(player), seat) for seat, player in enumerate(state.players))
    proposal = propose_souls(state, names_of(state), BoardsReading(others[1:], ("2 of 3 boards are seen.",)))
    assert proposal is not None
    assert not proposal.certain
    assert proposal.questions[0].choices == ()
    assert {move.player for move in proposal.likeliest if isinstance(move, FinishSoul)} == {1, 2}


def test_two_boards_of_one_colour_are_nobodys() -> None:
    state = soul_phase(board("r"))
    twice = seen(state, read(finish(state.players[0])))
    proposal = propose_souls(state, names_of(state), BoardsReading((twice.boards[0], *twice.boards)))
    assert proposal is not None
    assert proposal.questions[0].choices == ()


def test_what_is_wrong_with_a_whole_board_is_asked_about_though_all_its_spots_are_sure() -> None:
    state = soul_phase(board("r"))
    covered = replace(
        read(finish(state.players[0])), whole=("Something covers it.",), reasons=("Something covers it.",)
    )
    assert asked(proposed(state, covered).questions[0]) == ("Ada: Something covers it.",)


def test_other_impurity_than_the_journals_is_asked_about() -> None:
    state = soul_phase(board("r", impurity=2))
    done = finish(state.players[0])
    assert proposed(state, read(done)).certain
    doubts = asked(proposed(state, read(replace(done, impurity=3))).questions[0])
    assert doubts == ("Ada: the camera sees 3 impurity; the journal has 2.",)


def test_an_oracle_seen_open_that_was_achieved_before_and_a_strange_card_are_asked_about() -> None:
    state = soul_phase(board("r", achieved_small=("S01",), small=("S02",)))
    done = finish(state.players[0])
    wrong = read(replace(done, achieved_small=(), small=("S01", "S02", "S07")))
    doubts = " ".join(asked(proposed(state, wrong).questions[0]))
    assert "the oracle (middle red + middle green + low blue) was achieved before, but is seen open now" in doubts
    assert "the oracle (low blue + low blue + low yellow) there" in doubts


def test_whoever_has_finished_keeps_the_journals_board_and_is_shown_the_differences() -> None:
    state = play(soul_phase(board("rr")), "0 done")
    same = proposed(state, read(state.players[0])).questions[0]
    assert (same.choices[0].moves, same.doubts) == ((), ())
    other = proposed(state, read(replace(state.players[0], low=Tokens(1)))).questions[0]
    assert other.choices[0].moves == ()
    assert asked(other) == ("Ada: the camera sees one low red token; the journal has two.",)


def test_nothing_is_proposed_outside_the_soul_phase() -> None:
    state = replace(soul_phase(board("r")), phase="over")
    assert propose_souls(state, names_of(state), seen(state, read(state.players[0]))) is None


def test_a_choice_that_there_is_not_is_refused() -> None:
    proposal = proposed(state := soul_phase(board("r")), read(finish(state.players[0])))
    with pytest.raises(IndexError):
        proposal.moves((7, 0, 0))


def test_more_than_can_be_weighed_is_left_to_the_journal() -> None:
    state = soul_phase(board("rgbyrg", promotion=1))
    doubtful = read(finish(state.players[0]))
    for index in range(4):
        doubtful = doubting(doubtful, "low", index, "red", "green", "blue", "yellow", None)
    souls = proposed(state, doubtful).questions[0]
    assert souls.choices == ()
    assert any("too much of the board is unclear" in doubt for doubt in asked(souls))
