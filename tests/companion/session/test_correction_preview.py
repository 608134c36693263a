"""What a correction would change is previewed before it is made, and made exactly as previewed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import reduce

import pytest

from companion.games.game import IllegalMove
from companion.games.wicked import Move, apply, legal
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.game import WICKED
from companion.games.wicked.moves import ChooseColours, FinishSoul, Hand, Lay, Reveal
from companion.session import Change, InsertedMove, NoSuchEntry, Session, StaleMove, Step, Supplied, WhatIf
from companion.session.codec import codecs
from companion.session.journal import Journal, Row
from tests.companion.session.conftest import NewGame


def reveal(*searches: int) -> Reveal:
    return Reveal(tuple(Hand(search) for search in searches))


def play_rounds(session: Session, rounds: int, seed: int = 1) -> None:
    rng = random.Random(seed)
    while session.state.round <= rounds and session.state.phase != "over":
        session.play(random_move(session.state, rng))


def reveals(session: Session) -> list[Step]:
    return [step for step in session.steps if isinstance(step.move, Reveal)]


def with_hand(move: Move, seat: int, hand: Hand) -> Reveal:
    assert isinstance(move, Reveal)
    return Reveal((*move.hands[:seat], hand, *move.hands[seat + 1 :]))


def shifted(session: Session) -> Change:
    """Somebody showed one piece less at an early corridor; what stays behind is shown at the round's last one."""
    step = reveals(session)[0]
    assert isinstance(step.move, Reveal)
    seat = max(range(3), key=lambda seat: step.move.hands[seat].search)
    hand = step.move.hands[seat]
    return Change(step.number, with_hand(step.move, seat, Hand(hand.search - 1, hand.witch, hand.soul)))


def settled(session: Session, change: Change, rng: random.Random) -> WhatIf:
    """Answer whatever a correction asks, at random, until it is complete."""
    choices: list[InsertedMove] = []
    preview = session.what_if([change])
    while preview.asked:
        assert preview.blocked is None
        choices.append(InsertedMove(preview.last, rng.choice(legal(preview.state).for_player(preview.asked[0]))))
        preview = session.what_if([change], choices)
    return preview


def after(session: Session, preview: WhatIf) -> Sequence[Move]:
    changed = {step.number for step in preview.before}
    return [step.move for step in session.steps if step.number not in changed] + [
        step.move for step in preview.after
    ]


def test_asking_what_would_change_changes_nothing(new_game: NewGame) -> None:
    session = new_game()
    play_rounds(session, 2)
    before = session.entries, session.state, session.steps
    session.what_if([shifted(session)])
    assert (session.entries, session.state, session.steps) == before


@pytest.mark.parametrize("seed", range(12))
def test_a_correction_two_rounds_back_is_made_exactly_as_previewed(new_game: NewGame, seed: int) -> None:
    session = new_game(seed=seed)
    play_rounds(session, 2, seed)
    assert session.state.round == 3
    change = shifted(session)
    preview = settled(session, change, random.Random(seed))
    assert preview.complete
    # The last corridor of that round takes what is left, so it follows by the rules.
    assert [one.entry for one in preview.followed] == [reveals(session)[3].number]
    expected = after(session, preview)
    start, number = session.steps[0].before, session.number
    session.correct(preview.revision, at=number)
    assert [step.move for step in session.steps] == expected
    assert session.state == preview.state == reduce(apply, expected, start)
    assert session.number == number + len(preview.revision.choices) + 1
    session.close()
    with Session.open(session.path) as again:
        assert (again.state, again.steps, again.entries) == (session.state, session.steps, session.entries)


@pytest.mark.parametrize("seed", range(6))
def test_undo_takes_a_whole_correction_back(new_game: NewGame, seed: int) -> None:
    session = new_game(seed=seed)
    play_rounds(session, 2, seed)
    before = session.state, session.steps
    session.correct(settled(session, shifted(session), random.Random(seed)).revision)
    session.undo()
    assert (session.state, session.steps) == before


def test_what_nobody_has_to_choose_any_more_falls_out(new_game: NewGame) -> None:
    session, chosen = with_a_choice(new_game)
    preview = session.what_if([Change(chosen.number - 1, reveal(0, 0, 0))])
    assert [one.step for one in preview.dropped] == [chosen]
    assert preview.revision.dropped == (chosen.number,)
    session.correct(preview.revision)
    assert chosen.number not in {step.number for step in session.steps}


def test_a_move_that_was_corrected_together_with_others_is_not_undone_alone(new_game: NewGame) -> None:
    session, chosen = with_a_choice(new_game)
    session.correct(session.what_if([Change(chosen.number - 1, reveal(0, 0, 0))]).revision)
    correction, before = session.number, (session.state, session.steps)
    with pytest.raises(IllegalMove, match="Undo that correction first"):
        session.undo(entry=chosen.number - 1)
    assert (session.number, session.state, session.steps) == (correction, *before)
    session.undo(entry=correction)
    session.undo(entry=chosen.number)
    session.undo(entry=chosen.number - 1)
    assert chosen.number - 1 not in {step.number for step in session.steps}


def test_who_has_something_new_to_choose_is_asked_and_the_rest_follows(new_game: NewGame) -> None:
    session, chosen = with_a_choice(new_game)
    first = chosen.number - 1
    was = session.steps[first - 2].move
    session.correct(session.what_if([Change(first, reveal(0, 0, 0))]).revision)
    session.play(reveal(0, 0, 0))
    number = session.number
    preview = session.what_if([Change(first, was)])
    assert (preview.asked, preview.last, preview.complete) == ((chosen.move.player,), first, False)
    assert [step.number for step in preview.after] == [first]
    preview = session.what_if([Change(first, was)], [InsertedMove(first, chosen.move)])
    assert preview.complete
    session.correct(preview.revision)
    assert session.number == number + 2
    supplied = session.entries[number]
    assert isinstance(supplied, Supplied)
    assert [step.number for step in session.steps][first - 2 : first + 1] == [first, supplied.number, number]
    # What came in can be corrected like any other move.
    other = next(move for move in legal(session.steps[first - 1].before).moves if move != chosen.move)
    session.correct(session.what_if([Change(supplied.number, other)]).revision)
    assert session.steps[first - 1].move == other


def test_a_choice_that_is_named_but_not_made_yet_changes_nothing(new_game: NewGame) -> None:
    """As when the power fails between the choice and the correction that lets it count."""
    session, chosen = with_a_choice(new_game)
    before = session.state, session.steps
    stage = session.entries[-1].stage
    session.close()
    supplied = Supplied(session.number + 1, session.started.time, stage, 2, chosen.move)
    written = Journal.open(session.path)
    written.bodies()
    written.append(Row(codecs(WICKED).entry.to_json(supplied)))
    written.close()
    with Session.open(session.path) as again:
        assert (again.state, again.steps) == before
        with pytest.raises(NoSuchEntry):
            again.what_if([Change(again.number, chosen.move)])


def with_a_choice(new_game: NewGame) -> tuple[Session, Step]:
    """A game in which somebody has just chosen colours for white, as the only one at that corridor."""
    for seed in range(200):
        session = new_game(f"choice-{seed}", seed=seed)
        session.play(reveal(1, 0, 0))
        moves = legal(session.state).moves
        if moves and isinstance(moves[0], ChooseColours):
            session.play(moves[0])
            if session.state.phase == "search":
                return session, session.steps[-1]
    raise AssertionError("no deal with a white fragment")


def test_a_later_reveal_that_cannot_be_right_any_more_has_to_be_corrected_too(new_game: NewGame) -> None:
    session = new_game()
    for searches in ((1, 0, 0), (5, 0, 0)):
        while session.state.phase == "gain":
            session.play(legal(session.state).moves[0])
        session.play(reveal(*searches))
    first, second = reveals(session)
    preview = session.what_if([Change(first.number, reveal(4, 0, 0))])
    assert not preview.complete
    assert preview.blocked is not None
    assert preview.blocked.step == second
    assert "only two left" in preview.blocked.reason
    preview = session.what_if([Change(first.number, reveal(4, 0, 0)), Change(second.number, reveal(2, 0, 0))])
    assert preview.blocked is None


def test_a_soul_move_can_be_taken_out_and_another_put_in_before_one(new_game: NewGame) -> None:
    session = new_game()
    play_rounds(session, 1, seed=4)
    done = next(step for step in session.steps if isinstance(step.move, FinishSoul))
    place = session.steps.index(done)
    options = [move for move in legal(done.before).for_player(done.move.player) if not isinstance(move, FinishSoul)]
    assert options, "this game has nothing to do in its first soul phase"
    preview = session.what_if(
        [Change(done.number, done.move)], [InsertedMove(session.steps[place - 1].number, options[0])]
    )
    assert preview.complete
    session.correct(preview.revision)
    inserted = session.steps[place]
    assert (inserted.move, session.steps[place + 1].number) == (options[0], done.number)
    before = session.state, session.steps
    session.correct(session.what_if([Change(inserted.number, None)]).revision)
    assert session.steps[place].number == done.number
    session.undo()
    assert (session.state, session.steps) == before


def test_what_lies_on_the_table_cannot_be_taken_out_and_a_wrong_change_is_refused(new_game: NewGame) -> None:
    session = new_game()
    play_rounds(session, 1)
    lay = next(step for step in session.steps if isinstance(step.move, (Lay, Reveal)))
    with pytest.raises(IllegalMove, match="not removed"):
        session.what_if([Change(lay.number, None)])
    with pytest.raises(IllegalMove, match="only six left"):
        session.what_if([Change(reveals(session)[0].number, reveal(9, 0, 0))])
    for changes in ([], [Change(1, reveal(0, 0, 0))], [Change(999, reveal(0, 0, 0))]):
        with pytest.raises(NoSuchEntry):
            session.what_if(changes)
    with pytest.raises(NoSuchEntry, match="no move can be inserted after"):
        session.what_if([shifted(session)], [InsertedMove(999, FinishSoul(0))])


def test_a_correction_made_for_an_older_state_is_refused(new_game: NewGame) -> None:
    session = new_game()
    play_rounds(session, 1)
    preview = settled(session, shifted(session), random.Random(3))
    before = session.entries
    with pytest.raises(StaleMove):
        session.correct(preview.revision, at=session.number - 1)
    assert session.entries == before
