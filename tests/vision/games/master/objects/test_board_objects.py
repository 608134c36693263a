"""Tests of reading discs, wizards and the board's orientation from drawn pictures."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.evaluation.maze.board_object_accuracy import DiscJob, compare, enrolled_tokens, homographies
from models.evaluation.maze.random_positions import random_position
from models.evaluation.maze.renderer import Light
from models.evaluation.maze.synthetic_pictures import Situation, picture
from vision.games.master.objects.board_objects import BoardObjects, read_board_objects
from vision.games.master.objects.board_orientation import turned_place
from vision.games.master.readings import FIXED, SIZE, STARTS


def read(
    seed: int, look: str, light: Light, situation: Situation = "board"
) -> tuple[DiscJob, BoardObjects, list[str]]:
    """Return how a picture is read, and what is wrong, one line each."""
    job = DiscJob(look, light, "standin", seed, situation)
    image, truth = picture(seed, look, light, situation, tokens=job.tokens)
    field, spare, turns = homographies(truth, seed)
    reading = read_board_objects(image, field, spare)
    return job, reading, list(compare(job, truth, reading, turns, 0.0).errors)


@pytest.mark.first_is_quick
@pytest.mark.parametrize(
    ("seed", "look", "light"),
    [(7003, "hedge", "day"), (7102, "night", "lamp"), (7203, "junk", "half")],
)
def test_nothing_is_wrong_without_a_doubt(seed: int, look: str, light: Light) -> None:
    _, reading, errors = read(seed, look, light)
    assert not [line for line in errors if "undetected" in line]
    assert len([line for line in errors if line.startswith("token")]) <= 1
    assert reading.quarter_turns is not None
    wizards = (*reading.wizards, *reading.possible_wizards)
    possible = {place for one in wizards for place, chance in one.places.items() if chance >= 0.05}
    assert reading.under_wizards == possible - {one.place for one in reading.tokens}
    assert not reading.under_wizards & {one.place for one in reading.tokens}


def test_no_start_ring_is_read_as_the_token_that_a_wizard_hides() -> None:
    image, truth = picture(9030, "standin", "glare", tokens="standin")
    field, spare, _ = homographies(truth, 9030)
    reading = read_board_objects(image, field, spare)
    assert not {one.place for one in reading.tokens if one.place in FIXED and one.confidence > 0.05}


def test_a_token_in_plain_sight_is_read_even_on_a_fixed_tile() -> None:
    lying = random_position(np.random.default_rng(4))
    place = next(place for place in FIXED if place not in (*STARTS.values(), *lying.wizards.values()))
    position = replace(lying, tokens={**lying.tokens, 25: place})
    image, truth = picture(4, "hedge", "day", tilt=20.0, tokens="standin", position=position)
    field, spare, turns = homographies(truth, 4)
    tokens = read_board_objects(image, field, spare).tokens
    assert (25, place) in {(one.number, turned_place(one.place, turns)) for one in tokens if one.place is not None}


def test_each_number_and_colour_is_read_once() -> None:
    _, reading, _ = read(7004, "brick", "day")
    certain = [one.number for one in reading.tokens if not one.doubtful]
    assert len(certain) == len(set(certain))
    colours = [one.colour for one in reading.wizards]
    assert len(colours) == len(set(colours))


def test_probabilities_are_probabilities() -> None:
    _, reading, _ = read(7005, "stone", "shadow")
    for token in reading.tokens:
        assert sum(token.probabilities.values()) <= 1.001
        assert token.confidence == pytest.approx(max(token.probabilities.values(), default=0.0), abs=1e-4)
    for wizard in reading.wizards:
        assert sum(wizard.places.values()) <= 1.001
        assert sum(wizard.colours.values()) == pytest.approx(1.0)
    assert sum(reading.turn_probabilities) == pytest.approx(1.0)


@pytest.mark.slow
def test_another_print_is_read_once_it_is_enrolled() -> None:
    image, truth = picture(7006, "hedge", "day", tokens="ornate")
    field, spare, turns = homographies(truth, 7006)
    job = DiscJob("hedge", "day", "ornate", 7006)
    outcome = compare(job, truth, read_board_objects(image, field, spare, enrolled_tokens("ornate")), turns, 0.0)
    assert outcome.discs_right >= outcome.discs - 1
    unknown = read_board_objects(image, field, spare)
    assert sum(not one.doubtful for one in unknown.tokens) <= 1


def test_an_empty_table_has_no_discs_and_no_orientation() -> None:
    image = np.full((720, 1280, 3), 120, np.uint8)
    square = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float32)
    corners = np.array([[300, 30], [960, 40], [950, 690], [310, 680]], np.float32)
    reading = read_board_objects(image, np.asarray(cv2.getPerspectiveTransform(square, corners), np.float64))
    assert not reading.tokens
    assert not [one for one in reading.wizards if not one.doubtful]
