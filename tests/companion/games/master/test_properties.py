"""What holds in every game: random games for 2 to 4 players, checked move by move (E-M8)."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.game import IllegalMove
from companion.games.master.components import FORMULAS, LOOSE, LOOSE_TILES, PLACES, TOKENS
from companion.games.master.maze import ARROWS, Maze, letters, shape
from companion.games.master.moves import Deal, LayBoard, Move, NoteFormula, Shift, Stay, UseWand, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves
from companion.games.master.rules.setup import MasterSetup, new_game, random_board
from companion.games.master.state import TAKEN, MasterState
from companion.games.master.text.notation import read_move, write_move
from tests.companion.games.master.mazes import random_game

GAMES = st.tuples(st.integers(0, 10_000), st.integers(2, 4))


def shapes(maze: Maze) -> Counter[str]:
    return Counter(shape(tile) for tile in (*(maze.tile(place) for place in LOOSE), maze.spare))


def shared(state: MasterState) -> set[frozenset[object]]:
    """Which wizards and tokens stand together."""
    at: dict[int, set[object]] = {}
    for seat, place in enumerate(state.wizards):
        at.setdefault(place, set()).add(f"wizard {seat}")
    for number, place in zip(TOKENS, state.tokens, strict=True):
        if place != TAKEN:
            at.setdefault(place, set()).add(number)
    return {frozenset(things) for things in at.values()}


@settings(max_examples=20, deadline=None)
@given(GAMES)
def test_tiles_tokens_and_points_are_never_lost(game: tuple[int, int]) -> None:
    for before, move, after in random_game(*game):
        assert after.maze is not None
        assert shapes(after.maze) == LOOSE_TILES
        lying = [place for place in after.tokens if place != TAKEN]
        assert len(set(lying)) == len(lying)
        held = [number for player in after.players for number in player.tokens]
        assert len(held) + len(lying) == len(TOKENS)
        assert len(set(held)) == len(held)
        left = [number for number, place in zip(TOKENS, after.tokens, strict=True) if place != TAKEN]
        assert sum(held) + sum(left) == 235
        if isinstance(move, Shift):
            assert shared(before) == shared(after)


@settings(max_examples=20, deadline=None)
@given(GAMES)
def test_every_listed_move_is_legal_and_has_a_line_of_text(game: tuple[int, int]) -> None:
    for number, (before, move, _) in enumerate(random_game(*game, turns=60)):
        assert read_move(write_move(move)) == move
        if number % 20 == 0:
            for seat in range(len(before.players)):
                for listed in player_moves(before, seat):
                    apply(before, listed)
                    assert read_move(write_move(listed)) == listed


def any_move(dice: random.Random, players: int) -> Move:
    """Any move that can be put into words, mostly illegal ones."""
    seat, place, arrow = dice.randrange(players), dice.randrange(-1, PLACES + 1), dice.choice(ARROWS)
    openings = dice.choice(["TB", "TR", "RL", "TRL", "BL", "TRBL"])
    moves: list[Move] = [
        Shift(seat, arrow, openings),
        Walk(seat, place, dice.random() < 0.5),
        Stay(seat),
        UseWand(seat),
        Deal(seat, dice.randrange(players), dice.choice([None, *TOKENS]), arrow, openings, place),
        NoteFormula(seat, dice.choice(FORMULAS)),
    ]
    return dice.choice(moves)


def refusal(state: MasterState, move: Move) -> str | None:
    """Why a move is illegal, or None."""
    try:
        apply(state, move)
    except IllegalMove as error:
        return str(error)
    return None


@settings(max_examples=20, deadline=None)
@given(GAMES)
def test_apply_accepts_just_what_is_listed(game: tuple[int, int]) -> None:
    dice = random.Random(game[0])
    for before, _, _ in random_game(*game, turns=80):
        move = any_move(dice, len(before.players))
        listed = any(move in player_moves(before, seat) for seat in range(len(before.players)))
        reason = refusal(before, move)
        if reason is None:
            assert listed or isinstance(move, (Deal, NoteFormula))
        else:
            assert not listed
            assert reason.endswith(".")


@pytest.mark.parametrize("seed", range(4))
def test_random_games_end(seed: int) -> None:
    *_, (_, _, last) = random_game(seed, 2 + seed % 3, turns=100_000)
    assert last.phase == "over"
    assert all(player.formula is not None for player in last.players)


def test_a_board_is_laid_as_it_lies_on_the_table() -> None:
    maze, tokens = random_board(random.Random(5))

    loose = tuple(letters(maze.tile(place)) for place in LOOSE)
    start = new_game(("red", "white"), MasterSetup())
    laid = apply(start, LayBoard(loose, letters(maze.spare), tokens))
    assert laid.maze == maze
    assert laid.phase == "shift"
    for wrong, why in [
        (LayBoard(loose[1:], letters(maze.spare), tokens), "33"),
        (LayBoard(("TRBL", *loose[1:]), letters(maze.spare), tokens), "no tile"),
        (LayBoard(loose, letters(maze.spare), (*tokens[1:], tokens[1])), "once"),
        (LayBoard(("TRL",) * 33, "TB", tokens), "13 straight"),
    ]:
        with pytest.raises(IllegalMove, match=why):
            apply(start, wrong)
