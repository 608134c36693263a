from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from companion.adapters.master.bots.choices import choose, noted_formula, turn_moves
from companion.adapters.master.bots.scenes import scene
from companion.adapters.master.bots.simulated_players import BOTS, SEATS, hidden_move, is_entered, opening
from companion.games.master.adviser.turn_search import best_turn
from companion.games.master.game import MASTER
from companion.games.master.moves import NoteFormula, Stay, UseWand, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.games.master.state import MasterState
from vision.games.master.simulated_components import drawn_components, solid
from vision.games.master.simulated_layout import BOARD_MM, place_xy


def begun(seed: int, players: int = 3) -> MasterState:
    state = new_game(("red", "blue", "white", "brown")[:players], MasterSetup(seed=seed))
    for seat in range(players):
        state = apply(state, noted_formula(state, seat, random.Random(seed)))
    return state


def played(seed: int, players: int = 3) -> list[MasterState]:
    """Return the states before each turn of a whole game of the bots, and the last one."""
    states = [begun(seed, players)]
    while (shown := hidden_move(states[-1], str(seed))) is not None:
        state = states[-1]
        for move in shown.moves:
            state = apply(state, move)
        if state.phase == "walk":
            state = apply(state, choose(state, state.mover, (), random.Random(seed)))
        states.append(state)
        assert len(states) < 600, "the bots do not come to an end"
    return states


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (2, 3), (3, 4)])
def test_the_bots_play_to_the_scoring(seed: int, players: int) -> None:
    state = played(seed, players)[-1]
    assert state.phase == "over"
    assert len(MASTER.final_scores(state)) == players
    assert sum(number for player in state.players for number in player.tokens) == 235


def test_a_turn_of_a_bot_is_the_same_for_the_same_key_and_another_for_another() -> None:
    state = next(state for state in played(4) if best_turn(state, state.mover).gain == 0)
    shown = [hidden_move(state, key) for key in ("one", "one", "two", "three", "four")]
    moves = [one.moves for one in shown if one is not None]
    assert moves[0] == moves[1]
    assert len(set(moves)) > 1


def test_each_bot_notes_a_formula_card_of_its_own_before_its_first_turn() -> None:
    state, moves = opening(None, "seed")
    assert moves == ()
    assert hidden_move(state, "key") is None
    for seat in range(len(SEATS)):
        move = choose(state, seat, MASTER.legal_moves(state, seat), random.Random(0))
        assert isinstance(move, NoteFormula)
        state = apply(state, move)
    assert len({player.formula for player in state.players}) == len(SEATS)
    assert hidden_move(state, "key") is not None


def test_a_turn_is_entered_when_its_moves_lead_to_the_state() -> None:
    before = begun(5)
    shift, end = turn_moves(before, random.Random(1))
    after = apply(apply(before, shift), end)
    other = apply(apply(before, next(m for m in MASTER.legal_moves(before, 0) if m != shift)), Stay(0))
    assert is_entered(before, (shift, end), after)
    assert not is_entered(before, (shift, end), other)
    assert not is_entered(before, (shift, end), before)


@pytest.mark.first_is_quick
@pytest.mark.parametrize("seed", range(4))
def test_a_staged_turn_begins_and_ends_with_what_lies_on_the_table(seed: int) -> None:
    rng = random.Random(seed)
    before = rng.choice(played(seed)[:-1])
    shown = hidden_move(before, str(seed))
    assert shown is not None
    assert shown.staging is not None
    after = before
    for move in shown.moves:
        after = apply(after, move)
    # A wand that is used is gone at once.
    first = apply(before, shown.moves[0]) if isinstance(shown.moves[0], UseWand) else before
    assert shown.staging.scene(0.0) == scene(first)
    assert shown.staging.scene(shown.staging.seconds) == scene(after)
    middle = [shown.staging.scene(shown.staging.seconds * k / 40) for k in range(1, 40)]
    assert any(one.hands for one in middle)
    assert sum(one == scene(after) for one in middle) < 12
    counts = [len(one.pieces) for one in middle]
    assert len(set(counts)) == 1


@pytest.mark.slow
def test_what_a_staged_turn_moves_goes_without_jumps() -> None:
    before = next(
        state
        for state in played(6)
        if (shown := hidden_move(state, "6")) is not None and isinstance(shown.moves[-1], Walk)
    )
    shown = hidden_move(before, "6")
    assert shown is not None
    assert shown.staging is not None
    steps = 200
    scenes = [shown.staging.scene(shown.staging.seconds * k / steps) for k in range(steps + 1)]
    wizards = [[piece for piece in one.pieces if piece.kind.startswith("wizard")] for one in scenes]
    places = [{piece.kind: (piece.pose.x, piece.pose.y) for piece in one} for one in wizards]
    carried_around = 7 * 40.0  # a wizard that is pushed out is put at the other end
    for colour in places[0]:
        leaps = [
            abs(one[colour][0] - two[colour][0]) + abs(one[colour][1] - two[colour][1])
            for one, two in pairwise(places)
        ]
        assert all(leap < 30 or abs(leap - carried_around) < 40 for leap in leaps), (colour, max(leaps))


def test_a_scene_shows_every_tile_token_and_wizard_once() -> None:
    for state in played(7)[::9]:
        pieces = [piece.kind for piece in scene(state).pieces]
        assert sum(kind.startswith("maze:") for kind in pieces) == 34
        assert sum(kind.startswith("token:") for kind in pieces) == 21
        assert sorted(kind for kind in pieces if kind.startswith("wizard:")) == [
            "wizard:blue",
            "wizard:red",
            "wizard:white",
        ]
        assert pieces.count("wand") == sum(player.wands for player in state.players)
        assert all(solid(kind) for kind in pieces)


def test_wizards_that_share_a_tile_stand_beside_each_other_on_it() -> None:
    state = replace(begun(8), wizards=(16, 16, 16))
    poses = [piece.pose for piece in scene(state).pieces if piece.kind.startswith("wizard")]
    assert len({(pose.x, pose.y) for pose in poses}) == 3
    x, y = place_xy(16)
    assert all(abs(pose.x - x) < 16 and abs(pose.y - y) < 16 for pose in poses)


def test_what_players_hold_and_the_spare_lie_beside_the_board() -> None:
    for state in played(9, 4)[::7]:
        for piece in scene(state).pieces:
            beside = piece.ground is None or (piece.kind.startswith("maze") and piece.ground == 0.0)
            outside = max(abs(piece.pose.x), abs(piece.pose.y)) > BOARD_MM / 2
            assert beside == outside, piece


def test_the_box_knows_every_piece_that_players_need() -> None:
    kit = drawn_components().kit
    assert all(solid(kind) for kind in kit.pieces_needed(("red", "brown", "blue", "white")))
    with pytest.raises(KeyError):
        solid("meeple")


def test_the_bots_name_the_game_and_its_players() -> None:
    assert BOTS.game is MASTER
    assert len(BOTS.seats) == 3
    assert not BOTS.demonstration_over(begun(1))
    assert BOTS.demonstration_over(played(1)[-1])
