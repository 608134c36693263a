"""What a person states to lie on the table overrules the camera's reading, and the reading goes on with it."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.adapters.master.adapter import ADAPTER
from companion.adapters.master.evidence.player_statements import Stated, StatedTile, StatedToken, StatedWizard
from companion.games.master.components import LOOSE, TOKENS
from companion.games.master.maze import ROTATIONS, letters
from companion.games.master.moves import LayBoard, Move
from companion.games.master.rules.engine import apply
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.games.master.state import MasterState
from companion.referee.finding import Finding
from companion.session.codec import union_codec
from companion.session.errors import Malformed
from companion.table.game_adapter import Situation, Statement, StillReadings
from tests.companion.adapters.master.findings import NAMES, certain, question
from tests.companion.adapters.master.laid_table import CLEAN, LaidTable, NoisyReader
from tests.companion.adapters.master.scenarios import random_turn
from tests.companion.games.master.mazes import random_position


def readings(table: LaidTable) -> StillReadings:
    return StillReadings((), NoisyReader(random.Random(1), CLEAN).read(table))


def found(state: MasterState, read: LaidTable, *stated: Stated, then: LaidTable | None = None) -> Finding[Move]:
    """What a reading means with what was stated while `then` was read, by default the same."""
    statements = tuple(Statement(one, readings(then or read)) for one in stated)
    situation = Situation(state, NAMES[: len(state.players)], lambda point: 0, statements)
    return ADAPTER.interpret(situation, readings(read))


def turned(state: MasterState, place: int) -> int:
    """Other openings of the tile on a place."""
    assert state.maze is not None
    return next(one for one in ROTATIONS[state.maze.tile(place)] if one != state.maze.tile(place))


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_turn_is_certain_once_the_misread_tile_is_stated(seed: int) -> None:
    state = random_position(seed)
    moves, after = random_turn(state, random.Random(seed))
    assert after.maze is not None
    for place in LOOSE:
        read = LaidTable.of(after).with_tile(place, turned(after, place))
        before = found(state, read)
        if before.proposal is None or not before.proposal.certain:
            break
    else:
        pytest.fail("no misread tile leads to a question")
    made = certain(found(state, read, StatedTile(place, letters(after.maze.tile(place)))))
    assert made
    assert made == moves[: len(made)]


def test_a_statement_holds_only_while_the_camera_reads_the_same_there() -> None:
    state = random_position(2)
    assert state.maze is not None
    place = LOOSE[3]
    laid, read = LaidTable.of(state), LaidTable.of(state).with_tile(place, turned(state, place))
    stated = StatedTile(place, letters(turned(state, place)))
    assert found(state, laid, stated).unread.startswith("The tile on")
    assert found(state, laid, stated, then=read) == Finding(supersedes=True)


def test_a_later_statement_overrules_an_earlier_one(subtests: pytest.Subtests) -> None:
    state = random_position(2)
    assert state.maze is not None
    laid, place = LaidTable.of(state), LOOSE[3]
    right, wrong = letters(state.maze.tile(place)), letters(turned(state, place))
    lying = [(n, p) for n, p in zip(TOKENS, state.tokens, strict=True) if p not in (-1, *state.wizards)]
    (number, at), (other, _) = lying[:2]
    away = next(one for one in range(49) if one not in (*state.tokens, *state.wizards))
    other_spare = next(one for one in (0b0011, 0b0101, 0b0111) if one not in ROTATIONS[state.maze.spare])
    misread = laid.with_tile(place, turned(state, place))
    table: list[tuple[LaidTable, Stated, Stated]] = [
        (laid, StatedTile(place, wrong), StatedTile(place, right)),
        (misread, StatedTile(place, wrong), StatedTile(place, right)),
        (laid, StatedTile(None, letters(other_spare)), StatedTile(None, letters(state.maze.spare))),
        (laid, StatedToken(at, None), StatedToken(at, number)),
        (laid, StatedToken(at, other), StatedToken(at, number)),
        (laid, StatedToken(away, number), StatedToken(at, number)),
        (laid, StatedWizard(0, away), StatedWizard(0, state.wizards[0])),
    ]
    for read, slip, stated in table:
        with subtests.test(str(slip)):
            assert found(state, read, slip) != Finding(supersedes=True)
            assert found(state, read, slip, stated) == Finding(supersedes=True)


def test_a_stated_tile_stays_certain_once_the_camera_agrees() -> None:
    state, truth = new_game(("red", "brown"), MasterSetup()), new_game(("red", "brown"), MasterSetup(2))
    table = LaidTable.of(truth)
    (reading,) = readings(table).at_rest
    place = next(place for place in LOOSE if letters(table.tiles[place]) in ("TB", "RL"))
    openings = letters(table.tiles[place])

    def read(probability: float) -> StillReadings:
        probabilities = {"TB": 1.0 - probability, "RL": 1.0 - probability, openings: probability}
        tile = replace(reading.tiles[place], probabilities=probabilities)
        return StillReadings(
            (), (replace(reading, tiles=(*reading.tiles[:place], tile, *reading.tiles[place + 1 :])),)
        )

    stated = Statement(StatedTile(place, openings), read(0.47))
    situation = Situation(state, NAMES[:2], lambda point: 0, (stated,))
    assert question(ADAPTER.interpret(replace(situation, statements=()), read(0.53)))
    (board,) = certain(ADAPTER.interpret(situation, read(0.53)))
    assert apply(state, board).maze == truth.maze


def test_a_wizard_a_token_and_the_spare_are_stated() -> None:
    state = random_position(3)
    assert state.maze is not None
    laid = LaidTable.of(state)
    number, place = next((n, p) for n, p in zip(TOKENS, state.tokens, strict=True) if p not in (-1, *state.wizards))
    away = next(one for one in range(49) if one not in (*state.tokens, *state.wizards))
    other = next(one for one in (0b0011, 0b0101, 0b0111) if letters(one) and one != state.maze.spare)
    colour = state.players[0].colour
    table: list[tuple[LaidTable, Stated]] = [
        (laid.without_token(number), StatedToken(place, number)),
        (laid.with_token(number, away), StatedToken(place, number)),
        (laid.with_wizard(colour, away), StatedWizard(0, state.wizards[0])),
        (replace(laid, spare=other), StatedTile(None, letters(state.maze.spare))),
    ]
    for read, stated in table:
        assert found(state, read, stated) == Finding(supersedes=True), stated
    assert "Token" in found(state, laid, StatedToken(place, None)).unread


def test_a_board_is_laid_with_the_stated_tile_and_still_agrees_with_the_box() -> None:
    state, truth = new_game(("red", "brown"), MasterSetup()), new_game(("red", "brown"), MasterSetup(7))
    assert truth.maze is not None
    place = LOOSE[10]
    read = LaidTable.of(truth).with_tile(place, turned(truth, place))
    (wrong,) = certain(found(state, read))
    stated = StatedTile(place, letters(truth.maze.tile(place)))
    (right,) = certain(found(state, read, stated))
    assert isinstance(wrong, LayBoard)
    assert wrong != right
    assert apply(state, right).maze == truth.maze


def test_things_that_do_not_exist_are_refused(subtests: pytest.Subtests) -> None:
    codec = union_codec(ADAPTER.statements, "a statement")
    assert codec.from_data({"type": "token", "place": 8, "number": None}) == StatedToken(8, None)
    table: list[dict[str, Any]] = [
        {"type": "tile", "place": 0, "openings": "TB"},
        {"type": "tile", "place": 1, "openings": "TRBL"},
        {"type": "tile", "place": 99, "openings": "TB"},
        {"type": "token", "place": 8, "number": 21},
        {"type": "token", "place": 49, "number": 1},
        {"type": "wizard", "seat": 4, "place": 1},
        {"type": "wizard", "seat": 0, "place": -1},
        {"type": "wizard", "seat": 0, "place": None},
        {"type": "hedge"},
    ]
    for data in table:
        with subtests.test(data=data), pytest.raises(Malformed):
            codec.from_data(data)
