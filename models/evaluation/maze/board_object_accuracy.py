"""Accuracy of reading discs, wizards and the board's orientation, per look, light and print of the tokens.

Discs are the round numbered tokens. `python -m models.evaluation.maze.board_object_accuracy` draws pictures of
every look, reads each one and prints tables. The reader gets the true corners of the 7 × 7 field, slightly
displaced, starting at a random corner. Tokens of every print are enrolled from one picture of all 21. Discs under a
wizard do not count: they are hidden. The network is trained on random boards (`models/maze_objects`) and on none of
these looks. The looks in `HELD_OUT` were not used to fit other weights either, but thresholds were chosen with them
in view. `--boards 5` sets the number of pictures of each look and light.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Final

import click
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.boards.detection import Matrix
from calibration.errors import ProfileError
from calibration.games.master.art.maze_picture_styles import HELD_OUT, LOOKS
from calibration.pieces.samples import PieceSamples
from models.evaluation.maze.renderer import Light
from models.evaluation.maze.synthetic_pictures import LIGHTS, Situation, picture, tokens_in_order
from models.evaluation.maze.token_face_drawing import PRINTS
from models.evaluation.maze.truth import MazeTruth
from models.evaluation.measuring.parallel import over
from vision.games.master.objects.board_objects import BoardObjects, read_board_objects
from vision.games.master.objects.board_orientation import turned_place
from vision.games.master.readings import SIZE
from vision.games.master.token_enrolment import token_samples

FIRST_SEED: Final = 7000
"""Seed of the first picture."""
_CORNER_ERROR: Final = 0.02
"""Standard deviation of the displacement of the field's corners, in tiles."""
_SQUARE: Final = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float32)
"""Corners of the field, in tiles."""


@dataclass(frozen=True, slots=True)
class DiscJob:
    """One picture to read."""

    look: str
    """Look of tiles and board."""
    light: Light
    """Light of the picture."""
    tokens: str
    """Print of the tokens, of `PRINTS`."""
    seed: int
    """Seed of the picture."""
    situation: Situation = "board"
    """What the picture shows."""


@dataclass(frozen=True, slots=True)
class DiscOutcome:
    """Reading of one picture compared with its ground truth."""

    job: DiscJob
    """Description of the picture."""
    discs: int
    """Discs on the board and on the spare."""
    discs_right: int
    """Those read with the right number and place."""
    wizards: int
    """Wizards on the board and on the spare."""
    wizards_right: int
    """Those read with the right colour and place."""
    oriented: bool
    """Whether the orientation is right."""
    exact: bool
    """Whether everything is right, and nothing is read that is not there."""
    undetected: int
    """Errors without a need for confirmation: wrong or missed discs and wizards, and a wrong orientation."""
    doubtful: int
    """Discs and wizards whose reading needs confirmation."""
    milliseconds: float
    """Processing time."""
    errors: tuple[str, ...] = ()
    """What is wrong, one message each."""


@cache
def enrolled_tokens(tokens: str) -> Mapping[str, PieceSamples]:
    """Return the enrolled samples of the 21 tokens of a print, by kind.

    Pictures are drawn until all 21 are found in one. tokens: name of the print, of `PRINTS`.
    """
    for seed in count():
        with suppress(ProfileError):
            return token_samples(tokens_in_order(seed, tokens, tilt=12.0), upright=True)
    raise AssertionError


def homographies(truth: MazeTruth, seed: int) -> tuple[Matrix, Matrix | None, int]:
    """Return simulated results of finding the board: homographies of field and spare, and the quarter turns.

    The homographies map tiles to px. The field's corners are displaced a little at random, and its frame is turned
    at random: the quarter turns lead clockwise from that frame to the board's own. The spare's homography is None
    where the picture shows no spare.
    """
    rng = np.random.default_rng([seed, 0xD15C])
    turns = int(rng.integers(4))
    # Corner k of the picture's frame is corner k - turns of the board: turned clockwise, they agree again.
    corners = np.roll(np.array(truth.corners), -turns, axis=0)
    near = _SQUARE + rng.normal(0, _CORNER_ERROR, (4, 2)).astype(np.float32)
    field = np.asarray(cv2.getPerspectiveTransform(near, corners.astype(np.float32)), np.float64)
    if truth.spare_box is None:
        return field, None, turns
    x, y, width, height = truth.spare_box
    middle = np.linalg.solve(field, [x + width / 2, y + height / 2, 1.0])
    shift = np.eye(3)
    shift[:2, 2] = middle[:2] / middle[2] - 0.5
    return field, field @ shift, turns


def measure(job: DiscJob) -> DiscOutcome:
    """Draw and read one picture, and return its reading compared with the ground truth."""
    cv2.setNumThreads(1)
    image, truth = picture(job.seed, job.look, job.light, job.situation, tokens=job.tokens)
    field, spare, turns = homographies(truth, job.seed)
    samples = enrolled_tokens(job.tokens)
    read_board_objects(image, field, spare, samples)  # loads what is loaded once
    begun = time.perf_counter()
    reading = read_board_objects(image, field, spare, samples)
    return compare(job, truth, reading, turns, 1000 * (time.perf_counter() - begun))


def compare(job: DiscJob, truth: MazeTruth, reading: BoardObjects, turns: int, milliseconds: float) -> DiscOutcome:
    """Return a reading compared with the ground truth.

    turns: clockwise quarter turns from the frame of the reading to the board's own. milliseconds: processing time.
    """

    def own(place: int | None) -> int | None:
        return None if place is None else turned_place(place, turns)

    found = {f"token {one.number}": (own(one.place), one.confidence, one.doubtful) for one in reading.tokens}
    found |= {f"wizard {one.colour}": (own(one.place), one.confidence, one.doubtful) for one in reading.wizards}
    under = set(truth.wizards.values())
    true = {f"token {number}": place for number, place in truth.tokens.items() if place not in under}
    true |= {f"wizard {colour}": place for colour, place in truth.wizards.items()}
    if truth.spare_box is None:
        true = {name: place for name, place in true.items() if place is not None}
    errors, undetected = [], 0
    possible = {f"wizard {one.colour}" for one in reading.possible_wizards}
    doubtful_places = {place for place, _, doubtful in found.values() if doubtful}
    right = {name for name, (place, _, _) in found.items() if name in true and place == true[name]}
    hidden = {f"token {number}" for number, place in truth.tokens.items() if place in under}
    for name in sorted({*true, *found} - right - hidden):
        wanted = true.get(name, "nowhere")
        if name in found:
            place, confidence, doubtful = found[name]
            silent, seen = not doubtful, f"{place} ({confidence:.3f})"
        else:
            silent, seen = wanted not in doubtful_places, "nowhere"
        silent = silent and name not in possible
        undetected += silent
        errors.append(f"{name}: {seen}, not {wanted}{', undetected' if silent else ''}")
    oriented = reading.quarter_turns == turns
    if not oriented:
        errors.append(
            f"orientation {reading.quarter_turns}, not {turns}: {np.round(reading.turn_probabilities, 3)}"
        )
        undetected += reading.quarter_turns is not None
    return DiscOutcome(
        job,
        sum(name.startswith("token") for name in true),
        sum(name.startswith("token") for name in right),
        sum(name.startswith("wizard") for name in true),
        sum(name.startswith("wizard") for name in right),
        oriented,
        not errors,
        undetected,
        sum(doubtful for _, _, doubtful in found.values()),
        milliseconds,
        tuple(errors),
    )


def _print(console: Console, title: str, groups: Mapping[str, Sequence[DiscOutcome]]) -> None:
    table = Table(title=title, title_justify="left", box=None)
    for name in ("", "pictures", "discs", "wizards", "oriented", "all right", "undetected", "doubtful", "ms"):
        table.add_column(name, justify="left" if not name else "right")
    for name, group in groups.items():
        table.add_row(
            name,
            str(len(group)),
            f"{100 * sum(one.discs_right for one in group) / max(1, sum(one.discs for one in group)):.2f} %",
            f"{100 * sum(one.wizards_right for one in group) / max(1, sum(one.wizards for one in group)):.2f} %",
            f"{100 * np.mean([one.oriented for one in group]):.1f} %",
            f"{100 * np.mean([one.exact for one in group]):.1f} %",
            str(sum(one.undetected for one in group)),
            f"{np.mean([one.doubtful for one in group]):.2f}",
            f"{np.median([one.milliseconds for one in group]):.0f}",
        )
    console.print(table)


def grouped(
    outcomes: Sequence[DiscOutcome], group_of: Callable[[DiscOutcome], str]
) -> dict[str, list[DiscOutcome]]:
    """Return lists of outcomes by group, in order of first occurrence. group_of: returns an outcome's group."""
    groups: dict[str, list[DiscOutcome]] = {}
    for one in outcomes:
        groups.setdefault(group_of(one), []).append(one)
    return groups


@click.command()
@click.option("--boards", default=5, show_default=True, help="Pictures of each look and light.")
@click.option("--first", default=FIRST_SEED, show_default=True, help="Seed of the first picture.")
@click.option("--look", "looks", multiple=True, type=click.Choice(list(LOOKS)), help="Only these looks.")
@click.option("--situation", default="board", show_default=True, help="What the pictures show.")
@click.option("--processes", default=2, show_default=True)
@click.option("--errors", is_flag=True, help="List what is wrong.")
def main(
    boards: int, first: int, looks: tuple[str, ...], situation: Situation, processes: int, errors: bool
) -> None:
    """Evaluate the reading of discs, wizards and orientation."""
    console = Console(highlight=False, soft_wrap=True)
    jobs = [
        DiscJob(look, light, PRINTS[(number + place) % len(PRINTS)], first + 100 * place + number, situation)
        for look in looks or LOOKS
        for place, light in enumerate(LIGHTS)
        for number in range(boards)
    ]
    outcomes = over(measure, jobs, processes, "Reading", console)
    _print(console, "by look", grouped(outcomes, lambda one: one.job.look))
    _print(console, "by light", grouped(outcomes, lambda one: one.job.light))
    _print(console, "by print", grouped(outcomes, lambda one: one.job.tokens))
    kept = grouped(outcomes, lambda one: "held out" if one.job.look in HELD_OUT else "others")
    _print(console, "looks that tuned nothing, and others", kept)
    for one in outcomes if errors else ():
        for line in one.errors:
            console.print(f"{one.job.look} {one.job.light} {one.job.tokens} {one.job.seed}: {line}")


if __name__ == "__main__":
    main()
