"""Tests of enrolling the tokens of any printing from one picture."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.errors import ProfileError
from calibration.pieces.samples import PieceSamples
from models.evaluation.maze.renderer import Light
from models.evaluation.maze.synthetic_pictures import picture, tokens_in_order
from models.evaluation.maze.token_face_drawing import TOKEN_PX, token_picture
from vision import colour
from vision.games.master.objects.tokens.number_assignment import assignment_marginals
from vision.games.master.objects.tokens.number_likelihoods import STRANGER, number_log_likelihoods
from vision.games.master.objects.tokens.token_faces import faces_of
from vision.games.master.readings import NUMBERS
from vision.games.master.token_enrolment import token_samples


def print_numbers(print_: str, samples: dict[str, PieceSamples]) -> list[int]:
    """Return the numbers that the faces of a print, upright and sharp, are jointly recognised as."""
    circle = np.array([[TOKEN_PX / 2 - 0.5, TOKEN_PX / 2 - 0.5, TOKEN_PX / 2]])
    faces = faces_of(samples)
    views = [colour.of_view(np.ascontiguousarray(token_picture(number, print_)[..., :3])) for number in NUMBERS]
    logs = np.concatenate([number_log_likelihoods(view, circle, faces) for view in views])
    marginals = assignment_marginals(logs, np.full(len(NUMBERS), STRANGER))
    return [NUMBERS[int(row.argmax())] for row in marginals]


@pytest.mark.first_is_quick
@pytest.mark.parametrize(("print_", "light"), [("standin", "day"), ("plain", "lamp"), ("ornate", "half")])
def test_every_number_is_enrolled_from_one_picture(print_: str, light: Light) -> None:
    samples = dict(token_samples(tokens_in_order(11, print_, light), upright=True))
    assert list(samples) == [f"token:{number}" for number in NUMBERS]
    assert print_numbers(print_, samples) == list(NUMBERS)


def test_samples_survive_a_profile() -> None:
    samples = token_samples(tokens_in_order(12, "plain"), upright=True)
    stored = {kind: PieceSamples.from_bytes(one.to_bytes()) for kind, one in samples.items()}
    assert print_numbers("plain", stored) == list(NUMBERS)


def test_dots_on_the_table_are_no_tokens() -> None:
    cloth = tokens_in_order(14, "plain", tilt=5.0)  # it has dots of their size
    samples = dict(token_samples(cloth, upright=True))
    assert print_numbers("plain", samples) == list(NUMBERS)


def test_a_tilted_camera_enrols_as_well() -> None:
    samples = dict(token_samples(tokens_in_order(13, "standin", "shadow", tilt=35.0), upright=True))
    assert print_numbers("standin", samples) == list(NUMBERS)


def test_a_table_without_the_tokens_is_refused_in_one_line() -> None:
    image, _ = picture(3, situation="no_board")
    with pytest.raises(ProfileError, match="discs are found, not 21"):
        token_samples(image)
