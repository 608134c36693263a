"""The board as people laid it is read to one move, or to a question about one tile or token."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.adapters.master.adapter import ADAPTER
from companion.games.master.components import COLOURS, LOOSE, TOKEN_PLACES
from companion.games.master.maze import ROTATIONS, bits, letters, shape
from companion.games.master.moves import LayBoard
from companion.games.master.rules.engine import apply
from companion.games.master.rules.setup import MasterSetup, new_game
from tests.companion.adapters.master.findings import certain, found, question, read
from tests.companion.adapters.master.laid_table import CLEAN, LaidTable, Noise, NoisyReader, one_picture

BEFORE = new_game(COLOURS[:3], MasterSetup())


def laid(seed: int) -> LaidTable:
    """A random board as people laid it."""
    return LaidTable.of(new_game(COLOURS[:3], MasterSetup(seed)))


def test_a_laid_board_is_read_as_one_move() -> None:
    for seed in range(5):
        (move,) = certain(read(BEFORE, laid(seed)))
        assert isinstance(move, LayBoard)
        state = apply(BEFORE, move)
        truth = new_game(COLOURS[:3], MasterSetup(seed))
        assert state.maze is not None
        assert truth.maze is not None
        assert state.maze.tiles() == truth.maze.tiles()
        assert state.maze.spare in ROTATIONS[truth.maze.spare]
        assert state.tokens == truth.tokens


def test_readings_with_errors_lead_to_the_board_or_to_a_question(seed: int) -> None:
    dice = random.Random(seed)
    wrong = 0
    for number in range(20):
        table = laid(number)
        finding = found(BEFORE, NoisyReader(dice, replace(Noise(), turned=0.0)).read(table))
        assert finding.proposal is not None
        (move,) = finding.proposal.likeliest
        assert isinstance(move, LayBoard)
        apply(BEFORE, move)  # every answer is a board that the box allows
        tiles = apply(BEFORE, move).maze
        assert tiles is not None
        wrong += finding.proposal.certain and tiles.tiles() != table.tiles
    assert wrong == 0, seed


def test_a_tile_that_contradicts_the_numbers_in_the_box_is_one_question_about_that_tile() -> None:
    table = laid(1)
    (reading,) = NoisyReader(random.Random(1), CLEAN).read(table)
    place = next(place for place in (1, 3, 5, 7, 8, 9) if letters(table.tiles[place]) in ("TB", "RL"))
    tile = replace(reading.tiles[place], probabilities={"TRL": 0.9, letters(table.tiles[place]): 0.1})
    finding = found(BEFORE, [replace(reading, tiles=(*reading.tiles[:place], tile, *reading.tiles[place + 1 :]))])
    assert finding.proposal is not None
    (move,) = finding.proposal.likeliest
    assert isinstance(move, LayBoard)
    assert (
        bits(move.loose[[p for p in range(49) if (p // 7) % 2 or (p % 7) % 2].index(place)]) == table.tiles[place]
    )


def test_a_tile_in_two_possible_rotations_is_asked_about_with_both_boards_as_answers() -> None:
    table = laid(2)
    (reading,) = NoisyReader(random.Random(1), CLEAN).read(table)
    place = next(place for place in (1, 3, 5, 7, 8, 9) if letters(table.tiles[place]) in ("TB", "RL"))
    tile = replace(reading.tiles[place], probabilities={"TB": 0.5, "RL": 0.5})
    finding = found(BEFORE, [replace(reading, tiles=(*reading.tiles[:place], tile, *reading.tiles[place + 1 :]))])
    assert question(finding) == f"How does the tile on row {place // 7 + 1}, column {place % 7 + 1} lie?"
    assert finding.proposal is not None
    assert finding.proposal.doubts[0].where == (place,)
    assert len(finding.proposal.questions[0].choices) == 2


def test_an_uncertain_spare_has_one_answer_for_each_shape_likeliest_first() -> None:
    for number in range(12):
        table = laid(number)
        (reading,) = NoisyReader(random.Random(1), CLEAN).read(table)
        assert reading.spare is not None
        place = next(one for one in LOOSE if shape(table.tiles[one]) != shape(table.spare))
        one, other = letters(table.tiles[place]), letters(table.spare)
        tile = replace(reading.tiles[place], probabilities={one: 0.6, other: 0.4})
        spare = replace(reading.spare, probabilities={one: 0.7, other: 0.3})
        tiles = (*reading.tiles[:place], tile, *reading.tiles[place + 1 :])
        finding = found(BEFORE, [replace(reading, tiles=tiles, spare=spare)])
        assert "Which tile is the spare one?" in question(finding)
        assert finding.proposal is not None
        choices = finding.proposal.questions[0].choices
        boards = [move for choice in choices for move in choice.moves if isinstance(move, LayBoard)]
        assert {shape(bits(board.spare)) for board in boards} == {shape(bits(one)), shape(bits(other))}
        assert len(choices) == 2
        probabilities = [choice.probability for choice in choices]
        assert probabilities == sorted(probabilities, reverse=True)
        assert 0.95 < sum(probabilities) <= 1.0


def test_two_tokens_that_look_alike_are_one_question() -> None:
    table = laid(3)
    (reading,) = NoisyReader(random.Random(1), CLEAN).read(table)
    alike = {6, 9}
    tokens = tuple(
        replace(disc, probabilities={6: 0.5, 9: 0.5}) if disc.number in alike else disc for disc in reading.tokens
    )
    finding = found(BEFORE, [replace(reading, tokens=tokens)])
    assert "Which token lies on row " in question(finding)
    assert finding.proposal is not None
    answers = {choice.moves for choice in finding.proposal.questions[0].choices}
    assert len(answers) == 2


def test_a_wizard_off_its_ring_is_named_and_marked() -> None:
    table = laid(4).with_wizard("blue", 24)
    finding = read(BEFORE, table)
    assert "Chie's wizard begins on row 5, column 5. Stand it there." in question(finding)


def test_a_board_without_its_tokens_is_still_being_laid() -> None:
    finding = read(BEFORE, replace(laid(5), tokens={}))
    assert finding.proposal is None
    assert finding.unread == ""


def test_a_board_that_lies_any_way_round_asks_for_the_wizards() -> None:
    (reading,) = NoisyReader(random.Random(1), CLEAN).read(laid(6))
    finding = found(BEFORE, [replace(reading, oriented=False)])
    assert finding.unread.startswith("The start rings are not seen")


def test_a_covered_board_leads_to_its_line_alone() -> None:
    assert found(BEFORE, [one_picture("covered", "Take your hand away.")]).unread == "Take your hand away."


@pytest.mark.parametrize(("way", "phase"), [("camera", "board"), ("hand", "shift"), ("demo", "shift")])
def test_the_companion_lays_the_board_unless_the_camera_reads_it(way: str, phase: str) -> None:
    setup = ADAPTER.setup(None, way)  # type: ignore[arg-type]  # a test names the way as text
    assert new_game(COLOURS[:2], setup).phase == phase
    assert len(TOKEN_PLACES) == 21
