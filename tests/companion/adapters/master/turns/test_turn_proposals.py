"""Turns that are read from the board at rest are entered, asked about or left to the player who still thinks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.adapters.master.adapter import ADAPTER
from companion.adapters.master.questions import which_turn
from companion.games.master.components import COLOURS, SIZE, TOKENS
from companion.games.master.maze import Maze, letters, places, rotated
from companion.games.master.moves import Deal, Move, Shift, Stay, UseWand, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.games.master.state import MasterState
from companion.games.master.state_for_viewer import MasterView
from companion.referee.finding import Finding
from tests.companion.adapters.master.findings import certain, found, question, read
from tests.companion.adapters.master.laid_table import CLEAN, LaidTable, NoisyReader, one_picture
from tests.companion.adapters.master.scenarios import random_turn
from tests.companion.games.master.mazes import placed, random_position


def went_one_place(state: MasterState, moves: Sequence[Move]) -> bool:
    """Whether the turn ended beside the place where the wizard stood: it may also have been misread there."""
    *before, last = moves
    for move in before:
        state = apply(state, move)
    assert isinstance(last, Walk)
    (row, column), (to_row, to_column) = (divmod(place, SIZE) for place in (state.wizards[last.player], last.place))
    return abs(row - to_row) + abs(column - to_column) == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_of_a_random_game_are_read_and_only_unclear_extra_turns_asked_about(players: int, seed: int) -> None:
    dice = random.Random(seed)
    state = new_game(COLOURS[:players], MasterSetup(seed))
    for _ in range(12):
        moves, after = random_turn(state, dice)
        while isinstance(moves[-1], Stay):
            moves, after = random_turn(state, dice)
        finding = read(state, LaidTable.of(after))
        if isinstance(moves[0], UseWand) and finding.proposal and not finding.proposal.certain:
            # After an extra turn the table may look as if the next player had pushed: the camera asks whose it is.
            assert "Who made this turn" in question(finding)
            assert finding.proposal.likeliest == moves or went_one_place(state, moves)
            assert moves in [choice.moves for choice in finding.proposal.questions[0].choices]
        else:
            assert certain(finding) == moves
        state = after


def test_a_shift_alone_is_entered_and_the_move_follows() -> None:
    state = placed()
    shift = Shift(0, "T1", "TB")
    pushed = apply(state, shift)
    assert certain(read(state, LaidTable.of(pushed))) == (shift,)
    assert pushed.maze is not None
    place = next(place for place in places(pushed.maze.reached(pushed.wizards[0])) if place != pushed.wizards[0])
    walk = Walk(0, place, pushed.token_at(place) == pushed.next_token)
    assert certain(read(pushed, LaidTable.of(apply(pushed, walk)))) == (walk,)


def test_a_wizard_that_stays_is_entered_with_the_next_shift() -> None:
    pushed = apply(placed(), Shift(0, "T1", "TB"))
    after = apply(apply(pushed, Stay(0)), shift := Shift(1, "L3", "TR"))
    assert certain(read(pushed, LaidTable.of(after))) == (Stay(0), shift)


@pytest.mark.parametrize("beside", [None, 0.004])
def test_a_wizard_that_is_not_on_the_board_is_never_entered_as_having_moved(beside: float | None) -> None:
    """It is in a hand or beside the board; visible tokens may leave only one place where it could stand."""
    checked = 0
    for seed in range(60):
        state = random_position(seed)
        moves, after = random_turn(state, random.Random(seed))
        walk = moves[-1]
        if not isinstance(walk, Walk) or walk.take:
            continue
        picture = NoisyReader(random.Random(seed), CLEAN).read(LaidTable.of(after))[0]
        colour = state.players[walk.player].colour
        lifted = next(one for one in picture.wizards if one.colour == colour)
        possible = () if beside is None else (replace(lifted, places={walk.place: beside}, confidence=beside),)
        others = tuple(one for one in picture.wizards if one is not lifted)
        finding = found(state, [replace(picture, wizards=others, possible_wizards=possible)])
        assert finding.proposal is None or not finding.proposal.certain or not has_walk(finding.proposal.likeliest)
        checked += 1
    assert checked > 20


def has_walk(moves: Sequence[Move]) -> bool:
    return any(isinstance(move, Walk) for move in moves)


def test_a_board_as_in_the_journal_withdraws_what_was_asked() -> None:
    for state in (placed(), apply(placed(), Shift(0, "T1", "TB"))):
        finding = read(state, LaidTable.of(state))
        assert finding.proposal is None
        assert finding.supersedes
        assert finding.unread == ""


def test_the_wizard_that_moved_shows_that_a_wand_was_used(seed: int) -> None:
    dice, checked = random.Random(seed), 0
    for _ in range(10):
        state = random_position(dice.randrange(10**6))
        if state.wand_of is None:
            continue
        extra = apply(state, UseWand(state.wand_of))
        moves, after = random_turn(replace(extra, wand_of=None), dice)
        if isinstance(moves[-1], Walk):
            proposal = read(state, LaidTable.of(after)).proposal
            assert proposal is not None
            played = (UseWand(state.wand_of), *moves)
            assert proposal.likeliest == played or (not proposal.certain and went_one_place(state, played))
            assert played in [choice.moves for choice in proposal.questions[0].choices]
            checked += 1
    assert checked


def test_a_shift_by_a_wand_that_was_noted_for_the_next_player_costs_nobody_a_wand_silently(seed: int) -> None:
    dice, checked = random.Random(seed), 0
    for _ in range(40):
        state = random_position(dice.randrange(10**6))
        if state.wand_of is None or state.wand_of == state.mover:
            continue
        # The player before used a wand, pushed and stayed; it is noted as the next player's shift.
        wand = apply(state, UseWand(state.wand_of))
        by_wand = next(move for move in player_moves(wand, wand.mover) if isinstance(move, Shift))
        noted = apply(state, replace(by_wand, player=state.mover))
        extra = replace(apply(apply(wand, by_wand), Stay(wand.mover)), wand_of=None)
        moves, after = random_turn(extra, dice)
        if not isinstance(moves[-1], Walk):
            continue
        finding = read(noted, LaidTable.of(after))
        if finding.proposal and any(isinstance(move, UseWand) for move in finding.proposal.likeliest):
            assert not finding.proposal.certain
            assert "made the latest shift by a wand, undo it" in question(finding)
            checked += 1
    assert checked


def test_whether_a_wizard_moved_before_the_next_shift_is_asked_with_its_player_and_place() -> None:
    state = apply(placed(), Shift(0, "T1", "TB"))
    assert state.maze is not None
    place = next(place for place in places(state.maze.reached(state.wizards[0])) if place != state.wizards[0])
    shift = Shift(1, "L3", "TR")
    asked = which_turn(state, [(Walk(0, place, False), shift), (Stay(0), shift)], ("Ada", "Bruno"))
    assert asked.seat == 0
    assert asked.where == (place,)
    assert asked.question.startswith("Did Ada's wizard move to row ")
    assert which_turn(state, [(shift,), (shift,)], ("Ada", "Bruno")).question == "Is this what was played?"


def test_a_promised_turn_is_read_like_any_other() -> None:
    state = apply(placed(), Deal(0, 1, None, "T1", "TB", 16))
    assert certain(read(state, LaidTable.of(apply(state, Shift(0, "T1", "TB"))))) == (Shift(0, "T1", "TB"),)


def test_a_token_is_taken_only_if_it_is_gone() -> None:
    for seed in range(40):
        state = random_position(seed)
        moves, after = random_turn(state, random.Random(seed))
        walk = moves[-1]
        if isinstance(walk, Walk) and walk.take:
            break
    else:
        pytest.fail("no token is taken in these games")
    taken = LaidTable.of(after)
    number = state.next_token
    assert number is not None
    assert certain(read(state, taken)) == moves
    seen_below = NoisyReader(random.Random(0), replace(CLEAN, missed_below=0.0))
    left = found(state, seen_below.read(taken.with_token(number, walk.place)))
    assert question(left).endswith(": was the token taken?")
    assert left.proposal is not None
    assert left.proposal.likeliest == (*moves[:-1], replace(walk, take=False))


def test_a_board_seen_from_another_side_is_turned_by_its_tiles() -> None:
    state = placed(players=4)
    after = apply(state, Shift(0, "R5", "TB"))
    reader = NoisyReader(random.Random(3), replace(CLEAN, turned=1.0))
    readings = reader.read(LaidTable.of(after))
    assert not any(reading.oriented for reading in readings)
    assert certain(found(state, readings)) == (Shift(0, "R5", "TB"),)


def test_two_shifts_that_leave_the_same_board_are_asked_about() -> None:
    # The tiles of column 1 alternate, the spare included: pushing from above or from below looks the same.
    state = placed()
    assert state.maze is not None
    tiles = list(state.maze.tiles())
    for row in range(7):
        tiles[7 * row + 1] = 10 if row % 2 else 5
    tokens = tuple(48 if number == 25 else -1 for number in TOKENS)
    state = replace(state, maze=Maze.of(tiles, 10), tokens=tokens, wizards=(16, 18))
    table = LaidTable.of(apply(state, Shift(0, "T1", "RL")))
    finding = read(state, table)
    assert finding.proposal is not None
    assert not finding.proposal.certain
    assert {choice.moves for choice in finding.proposal.questions[0].choices} == {
        (Shift(0, "T1", "RL"),),
        (Shift(0, "B1", "RL"),),
    }
    assert question(finding) == (
        "Where was the spare tile pushed in: at the top of column 2 or at the bottom of column 2?"
    )


def test_a_wizard_seen_between_two_places_is_asked_about_with_both_marked() -> None:
    state = placed()
    pushed = apply(state, Shift(0, "T5", "TB"))
    assert pushed.maze is not None
    first, second = (place for place in (13, 20) if pushed.maze.reached(16) >> place & 1)
    assert pushed.token_at(first) is pushed.token_at(second) is None
    (reading,) = NoisyReader(random.Random(1), CLEAN).read(LaidTable.of(pushed))
    red, *others = reading.wizards
    unsure = replace(red, place=first, places={first: 0.55, second: 0.45})
    finding = found(state, [replace(reading, wizards=(unsure, *others))])
    assert question(finding).startswith("Where did Ada's wizard move: row ")
    assert finding.proposal is not None
    assert set(finding.proposal.doubts[0].where) == {first, second}


def test_a_tile_that_a_reader_sees_wrongly_without_certainty_is_no_question() -> None:
    state = placed()
    shift = Shift(0, "T1", "TB")
    (reading,) = NoisyReader(random.Random(1), CLEAN).read(LaidTable.of(apply(state, shift)))
    assert state.maze is not None
    openings = letters(state.maze.tile(24))
    other = letters(rotated(state.maze.tile(24)))
    tile = replace(reading.tiles[24], openings=other, probabilities={other: 0.7, openings: 0.3})
    finding = found(state, [replace(reading, tiles=(*reading.tiles[:24], tile, *reading.tiles[25:]))])
    assert certain(finding) == (shift,)


@pytest.mark.parametrize("state", ["covered", "half_pushed", "no_board"])
def test_a_board_that_cannot_be_read_leads_to_its_line_alone(state: str) -> None:
    finding = found(placed(), [one_picture(state, "Take your hand off the board.")])
    assert finding == Finding(unread="Take your hand off the board.")


def test_the_preview_shows_the_position_after_all_moves_without_the_formula_cards_of_others() -> None:
    state = placed()
    cards = tuple(replace(player, formula=(11, 3, 14)) for player in state.players)
    last = replace(state, players=cards, tokens=tuple(30 if number == 25 else -1 for number in TOKENS))
    shift = Shift(0, "T1", "TB")
    pushed = apply(last, shift)
    assert pushed.maze is not None
    place = next(place for place in places(pushed.maze.reached(16)) if place != 16)
    last = replace(last, tokens=tuple(place if number == 25 else -1 for number in TOKENS))
    for viewer in (None, 0, 1):
        shown = ADAPTER.preview(last, (shift, Walk(0, place, True)), viewer)
        assert isinstance(shown, MasterView)
        assert [player.formula is not None for player in shown.players] == [viewer == seat for seat in (0, 1)]
        assert shown.players[0].place == place
