"""What every game keeps: random games, text and JSON, scores, undo, corrections, journals."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest

from companion.games import UnknownGame, added, available, game
from companion.games.game import OVER, Game, IllegalMove, Step, round_of
from companion.session import Change, InsertedMove, Played, Seat, Session, StaleMove, Started, Timeline, Undone
from companion.session.archive import read_archive, write_archive
from companion.session.codec import codecs
from companion.session.correction_preview import WhatIf, what_if
from companion.session.errors import ArchiveError, NewerJournal
from tests.games.interference import NAMES
from tests.games.pebbles.game import PEBBLES, Hide, Setup, Take
from tests.games.samples import IDS, SAMPLES, Sample, new_game, random_game, steps_of

NOW = datetime(2026, 11, 26, tzinfo=UTC)


@pytest.fixture(name="pebbles", autouse=True)
def _pebbles() -> Iterator[None]:
    with added(PEBBLES):
        yield


@pytest.fixture(name="sample", params=IDS)
def _sample(request: pytest.FixtureRequest) -> Sample:
    if request.param not in SAMPLES:
        pytest.fail(f"{request.param} has no Sample: add one to tests/games/samples.py.")
    return SAMPLES[request.param]


def test_a_game_is_found_by_its_id_and_no_other_is(sample: Sample) -> None:
    assert game(sample.game.id) is sample.game
    assert sample.game.id in available()
    with pytest.raises(UnknownGame, match="does not include the game “chess”"):
        game("chess")


def test_the_record_says_who_can_play(sample: Sample) -> None:
    record = sample.game
    ids = [figure.id for figure in record.figures]
    assert record.players == tuple(sorted(set(record.players)))
    assert len(set(ids)) == len(ids) >= record.players[-1]
    setup = sample.setups(random.Random(1))
    fewest = record.players[0]
    for figures in (ids[: fewest - 1], [ids[0]] * fewest, ["nobody", *ids[1:fewest]]):
        with pytest.raises(ValueError, match=r"\w"):
            record.new_game(figures, setup)


def test_a_random_game_ends_and_its_stages_and_scores_add_up(sample: Sample, seed: int) -> None:
    record, rng = sample.game, random.Random(seed)
    for _ in range(3):
        start, moves = random_game(sample, rng)
        names = NAMES[: len(record.final_scores(start))]
        steps = steps_of(record, (start, moves))
        rounds = [round_of(record, step) for step in steps]
        assert rounds == sorted(rounds)
        for step in steps:
            assert record.stage(step.before).phase != OVER
            check_rounds(record, step)
            actor = record.actor(step.move)
            if actor is not None and record.legal_moves(step.before, actor):
                assert step.move in record.legal_moves(step.before, actor)
            owner = record.concurrent_owner(step.move)
            assert owner is None or owner == actor
            assert "\n" not in record.describe(step, step.after, names, actor)
            check_scores(record.final_scores(step.after))
        assert record.to_move(step.after) == ()


def test_a_view_that_differs_between_seats_is_declared_a_secret_of_seats(sample: Sample, seed: int) -> None:
    record = sample.game
    for step in steps_of(record, random_game(sample, random.Random(seed))):
        views = [record.view(step.after, seat) for seat in range(len(record.final_scores(step.after)))]
        assert record.secrets == "seats" or all(view == views[0] for view in views)


def test_what_nobody_may_know_is_declared_a_secret_until_the_end(sample: Sample, seed: int) -> None:
    record = sample.game
    for step in steps_of(record, random_game(sample, random.Random(seed))):
        running = record.stage(step.after).phase != OVER
        assert not record.unknown_to_all(step.after) or (running and record.secrets != "none")


def check_rounds(record: Game[Any, Any, Any], step: Step[Any, Any]) -> None:
    """Assert that rounds count from 1 and never fall, except where play ends before the first move of a round."""
    before, after = record.stage(step.before), record.stage(step.after)
    ends_unplayed = before.step == 0 and record.actor(step.move) is None and round_of(record, step) < before.round
    assert after.round >= before.round - ends_unplayed
    assert before.round >= 1 <= after.round


def check_scores(scores: tuple[Any, ...]) -> None:
    """Assert that lines add up to totals, and that places follow from them."""
    assert [score.player for score in scores] == list(range(len(scores)))
    for score in scores:
        assert sum(line.points for line in score.lines) == score.total
        assert [line.id for line in score.lines] == [line.id for line in scores[0].lines]
        assert (score.place == 1) <= (score.decided_by == "")
        ahead = [other.total for other in scores if other.place < score.place]
        assert all(total >= score.total for total in ahead)
        assert score.place == 1 + len(ahead)
        assert score.tie_break is None or score.total in ahead


def test_listed_moves_are_legal_each_once_and_of_that_player(sample: Sample, seed: int) -> None:
    record, rng = sample.game, random.Random(seed)
    for step in steps_of(record, random_game(sample, rng)):
        for seat in range(len(record.final_scores(step.before))):
            moves = record.legal_moves(step.before, seat)
            assert len(set(moves)) == len(moves)
            if moves:
                move = rng.choice(moves)
                assert record.actor(move) == seat
                assert record.apply(step.before, move) != step.before


def test_a_move_of_another_time_is_refused_with_one_line_and_changes_nothing(sample: Sample, seed: int) -> None:
    record, rng = sample.game, random.Random(seed)
    steps, refused = steps_of(record, random_game(sample, rng)), []
    for _ in range(60):
        state, move = rng.choice(steps).before, rng.choice(steps).move
        before = repr(state)
        try:
            record.apply(state, move)
        except IllegalMove as error:
            refused.append(str(error))
        assert repr(state) == before
    assert refused
    assert all(line and "\n" not in line for line in refused)


def test_states_moves_and_setups_are_frozen_and_moves_have_a_type(sample: Sample) -> None:
    start, moves = random_game(sample, random.Random(3))
    for value in (start, moves[0], sample.setups(random.Random(3))):
        assert is_dataclass(value)
        assert hash(value) == hash(value)
        with pytest.raises(FrozenInstanceError):
            setattr(value, fields(value)[0].name, None)
    kinds = get_args(sample.game.moves) or (sample.game.moves,)
    types = [kind.__dataclass_fields__["type"].default for kind in kinds]
    assert len(set(types)) == len(types)
    assert {type(move) for move in moves} <= set(kinds)


def test_moves_and_setups_come_back_from_text_and_json(sample: Sample, seed: int) -> None:
    record, rng = sample.game, random.Random(seed)
    codec = codecs(record)
    for move in set(random_game(sample, rng)[1]):
        text = record.to_text(move)
        assert "\n" not in text
        assert record.from_text(text) == move
        assert codec.move.from_json(codec.move.to_json(move)) == move
    setup = sample.setups(rng)
    assert codec.setup.from_json(codec.setup.to_json(setup)) == setup
    for wrong in ("", "no move", "0", "7 x y"):
        with pytest.raises(ValueError, match=r"."):
            record.from_text(wrong)


def timeline_of(sample: Sample, rng: random.Random, moves: int) -> Timeline:
    """Play so many random moves, or to the end."""
    figures, setup, state = new_game(sample, rng)
    seats = tuple(Seat(name, figure) for name, figure in zip(NAMES, figures, strict=False))
    record = sample.game
    timeline = Timeline.begin(record, Started(1, NOW, record.stage(state), record.id, seats, setup, "test"))
    while moves and record.stage(timeline.state).phase != OVER:
        move = sample.choose(timeline.state, rng)
        timeline = timeline.after(
            Played(len(timeline.entries) + 1, NOW, record.stage(timeline.state), move, "hand")
        )
        moves -= 1
    return timeline


def test_undoing_leads_back_to_every_state_and_undoing_that_forward_again(sample: Sample, seed: int) -> None:
    timeline = timeline_of(sample, random.Random(seed), 12)
    end, played = timeline.state, list(timeline.steps)
    undone = []
    for step in reversed(played):
        undone.append(len(timeline.entries) + 1)
        timeline = timeline.after(Undone(undone[-1], NOW, timeline.started.stage, timeline.latest_undoable()))
        assert timeline.state == step.before
    for entry in reversed(undone):
        timeline = timeline.after(Undone(len(timeline.entries) + 1, NOW, timeline.started.stage, entry))
    assert timeline.state == end


def completed(sample: Sample, timeline: Timeline, change: Change, rng: random.Random) -> WhatIf | None:
    """Answer at random what a correction asks, and correct what it blocks; None where that leads nowhere."""
    changes = [change]
    choices: list[InsertedMove[Any]] = []
    for _ in range(40):
        try:
            preview = what_if(timeline, changes, choices)
        except IllegalMove:
            return None
        if preview.complete:
            return preview
        if preview.blocked is not None:
            move = sample.choose(preview.blocked.before, rng)
            if type(move) is not type(preview.blocked.step.move) or len(changes) > 20:
                return None
            changes.append(Change(preview.blocked.step.number, move))
        else:
            moves = sample.game.legal_moves(preview.state, preview.asked[0])
            assert moves, "a player is asked who has no choice"
            choices.append(InsertedMove(preview.last, rng.choice(moves)))
    return None


def test_a_correction_does_what_was_announced_and_can_be_undone(sample: Sample, seed: int, tmp_path: Path) -> None:
    rng, made = random.Random(seed), 0
    for number in range(40):
        figures, setup, _ = new_game(sample, rng)
        seats = [Seat(name, figure) for name, figure in zip(NAMES, figures, strict=False)]
        with Session.create(tmp_path / f"{number}.journal", sample.game, seats, setup) as session:
            for _ in range(rng.randint(3, 14)):
                if sample.game.stage(session.state).phase != OVER:
                    session.play(sample.choose(session.state, rng))
            step, was = rng.choice(session.steps), session.state
            preview = completed(sample, session.timeline, Change(step.number, sample.choose(step.before, rng)), rng)
            assert session.state == was
            if preview is None:
                continue
            made += 1
            session.correct(preview.revision)
            assert session.state == preview.state
            with Session.open(session.path, read_only=True) as again:
                assert (again.state, again.entries) == (preview.state, session.entries)
            session.undo()
            assert session.state == was
    assert made > 5


def test_a_game_comes_back_from_its_journal_and_its_export(sample: Sample, seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    figures, setup, _ = new_game(sample, rng)
    seats = [Seat(name, figure) for name, figure in zip(NAMES, figures, strict=False)]
    file = io.BytesIO()
    with Session.create(tmp_path / "a.journal", sample.game, seats, setup) as session:
        while sample.game.stage(session.state).phase != OVER:
            session.play(sample.choose(session.state, rng))
        write_archive(session, file)
    assert Session.peek(session.path).game == sample.game.id
    with Session.open(session.path, read_only=True) as again:
        assert (again.game, again.entries, again.state) == (sample.game, session.entries, session.state)
    archive = read_archive(file)
    assert (archive.game, archive.entries, archive.state) == (sample.game, session.entries, session.state)


SEATS = (Seat("Ada", "black"), Seat("Bruno", "white"))


def test_both_hide_a_number_for_the_same_state_and_nothing_else_is_for_an_older_one(tmp_path: Path) -> None:
    with Session.create(tmp_path / "a.journal", PEBBLES, SEATS, Setup()) as session:
        session.play(Hide(1, 2), at=1)
        session.play(Hide(0, 3), at=1)
        session.play(Take(0, 2), at=3)
        with pytest.raises(StaleMove):
            session.play(Take(1, 2), at=3)


def test_what_becomes_of_later_moves_is_what_the_game_says(tmp_path: Path) -> None:
    with Session.create(tmp_path / "a.journal", PEBBLES, SEATS, Setup(6)) as session:
        for line in ("0 hide 1", "1 hide 2", "0 take 1", "1 take 2", "0 take 3"):
            session.play(PEBBLES.from_text(line))
        replaced = session.what_if([Change(4, Take(0, 2))])
        assert [change.move for change in replaced.followed] == [Take(0, 2)]
        dropped = session.what_if([Change(4, Take(0, 3)), Change(5, Take(1, 3))])
        assert [one.step.number for one in dropped.dropped] == [6]
        asked = session.what_if([Change(2, None)])
        assert (asked.asked, asked.complete) == ((0,), False)
        blocked = session.what_if([Change(5, None)])
        assert blocked.blocked is not None
        assert blocked.blocked.step.move == Take(0, 3)


def test_a_game_that_hides_something_is_exported_when_it_is_over(tmp_path: Path) -> None:
    with Session.create(tmp_path / "a.journal", PEBBLES, SEATS, Setup(1)) as session:
        for line in ("0 hide 1", "1 hide 2"):
            session.play(PEBBLES.from_text(line))
        with pytest.raises(ArchiveError, match="until it is over"):
            write_archive(session, io.BytesIO())
        session.play(Take(0, 1))
        write_archive(session, io.BytesIO())


def test_moves_that_were_taken_back_or_corrected_are_as_secret_as_others(tmp_path: Path) -> None:
    with Session.create(tmp_path / "a.journal", PEBBLES, SEATS, Setup(1)) as session:
        write_archive(session, io.BytesIO())
        session.play(Hide(0, 1))
        session.revise(2, Hide(0, 3))
        session.undo(entry=2)
        assert not session.timeline.hides_something
        with pytest.raises(ArchiveError, match="until it is over"):
            write_archive(session, io.BytesIO())
        for line in ("0 hide 2", "1 hide 2", "0 take 1"):
            session.play(PEBBLES.from_text(line))
        write_archive(session, io.BytesIO())


def test_a_journal_of_a_game_that_is_not_known_here_is_left_alone(tmp_path: Path) -> None:
    Session.create(tmp_path / "a.journal", PEBBLES, SEATS, Setup(1)).close()
    unknown = tmp_path / "b.journal"
    content = (tmp_path / "a.journal").read_bytes()
    unknown.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.session.codec.game", refuse)
        for look in (Session.open, Session.peek):
            with pytest.raises(
                NewerJournal, match=r"b.journal cannot be opened\. This version of the companion does not"
            ):
                look(unknown)
    assert unknown.read_bytes() == content


def refuse(id: str) -> None:
    """Raise what the registry raises where a game is not there."""
    raise UnknownGame(f"This version of the companion does not include the game “{id}”. Update the companion.")
