"""Call the `companion` commands in this process, so that evaluation measures what users experience."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from companion.cli import main
from models.evaluation.metrics.verdicts import HandAnswer
from models.evaluation.scenes.picture_sets import PictureSet

_SEATS = 4
"""Number of seats with which a table is calibrated."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Parsed output of `companion read reveal` for one picture."""

    hands: tuple[HandAnswer, ...]
    """Readings of the hands."""
    milliseconds: float
    """Time of the reading."""


def enrol(pictures: PictureSet, profile: Path, *, pointed: bool = False, empty: bool = False) -> tuple[str, ...]:
    """Write a profile by calibrating and enrolling from a picture set; return a message for each failed command.

    profile: folder to write. pointed: mark the true position of each specimen (`--at`). empty: calibrate with a
    picture of the empty table, too.
    """
    bare = ("--empty", pictures.folder / "empty.jpg") if empty else ()
    steps: dict[str, tuple[object, ...]] = {
        "calibrate": ("calibrate", "--profile", profile, "--image", pictures.calibration, "--seats", _SEATS, *bare)
    }
    for kind, picture in pictures.enrol.items():
        places = _position_options(pictures, kind) if pointed else ()
        steps[kind] = ("enrol", "pieces", "--profile", profile, "--kind", kind, *places, picture)
    refused = []
    for name, step in steps.items():
        code, _, output = call(*step)
        if code:
            refused.append(f"{pictures.name}: {name}: {output}")
    return tuple(refused)


def _position_options(pictures: PictureSet, kind: str) -> tuple[object, ...]:
    """Return the `--at` options for the specimens of a kind."""
    return tuple(word for x, y in pictures.specimens[kind] for word in ("--at", f"{x},{y}"))


def read_reveals(pictures: PictureSet, profile: Path) -> tuple[Mapping[str, Answer], tuple[str, ...]]:
    """Read all pictures of a set, one frame each, without rules.

    Return the answers by name of the picture, and a message for each failed command.
    """
    by_seats = defaultdict(list)
    for shot in pictures.shots:
        by_seats[shot.seats].append(shot)
    answers: dict[str, Answer] = {}
    refused = []
    for seats, shots in sorted(by_seats.items()):
        names = {shot.path.name: shot.name for shot in shots}
        paths = [shot.path for shot in shots]
        code, out, output = call("read", "reveal", "--profile", profile, "--seats", seats, *paths, "--json")
        if code:
            refused.append(f"{pictures.name}: read reveal: {output}")
        answers |= {names[row["image"]]: _answer(row) for row in map(json.loads, out.splitlines())}
    return answers, tuple(refused)


def call(*arguments: object) -> tuple[int, str, str]:
    """Run `companion` with arguments; return its exit code, standard output, and last line of standard error."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, (result.stderr.strip().splitlines() or [""])[-1]


def _answer(row: Mapping[str, Any]) -> Answer:
    return Answer(tuple(hand_answer(hand) for hand in row["hands"]), row["milliseconds"])


def hand_answer(row: Mapping[str, Any]) -> HandAnswer:
    """Return a reading from a hand in the JSON of `companion read reveal --json`."""
    x, y, width, height = row["box"]
    return HandAnswer(
        row["seat"], row["state"], row["counts"], row["confidence"], row["doubtful"], (x, y, width, height)
    )
