"""Accuracy of reading the maze, per look, light, camera angle and situation.

`python -m models.evaluation.maze.evaluate` draws pictures of every look
(`models.evaluation.maze.synthetic_pictures`), reads them and prints tables. The networks are trained on random
looks (`models/maze_sides`) and on none of these. The looks in `HELD_OUT` were not used to fit other weights either,
but thresholds were chosen with them in view. `--boards 20` sets the number of pictures of each look and light.
Tokens of every print are enrolled from one picture of all 21, except the stand-in's. A token under a wizard is not
counted as missed where the reading states that a wizard may hide one. A token that the reading lists as unseen, and
a wizard that it lists as possible, count as needing confirmation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.games.master.art.maze_picture_styles import HELD_OUT, LOOKS
from models.evaluation.maze.board_object_accuracy import enrolled_tokens
from models.evaluation.maze.random_positions import SHAPES
from models.evaluation.maze.synthetic_pictures import LIGHTS, SITUATIONS, Light, Situation, picture
from models.evaluation.maze.token_face_drawing import PRINTS
from models.evaluation.maze.truth import MazeTruth
from vision.bounding_boxes import centre
from vision.cameras.frame import Image
from vision.games.master.objects.board_orientation import turned_openings, turned_place
from vision.games.master.reader import MazeReader
from vision.games.master.readings import FIXED, SIZE, MazeReading

FIRST_SEED: Final = 5000
"""Seed of the first picture."""
BANDS: Final = ((0, 15), (15, 30), (30, 45))
"""Ranges of the angle between the optical axis and straight down, degrees."""


_MAX_SPARE_OFFSET: Final = 0.4
"""Largest distance between the read and the true centre of a spare that counts as found, in tiles."""


@dataclass(frozen=True, slots=True)
class MazeJob:
    """One picture to read."""

    look: str
    """Look of tiles and board."""
    light: Light
    """Light of the picture."""
    situation: Situation
    """What the picture shows."""
    seed: int
    """Seed of the picture."""
    band: int
    """Index into `BANDS`: range of the camera's angle."""
    tokens: str = "standin"
    """Print of the tokens, of `PRINTS`."""


@dataclass(frozen=True, slots=True)
class MazeOutcome:
    """Reading of one picture compared with its ground truth."""

    job: MazeJob
    """Description of the picture."""
    state: bool
    """Whether the state is right."""
    tiles: int
    """Number of loose tiles on the board that are read right, of 33."""
    exact: bool
    """Whether all tiles and the shape of the spare are right."""
    undetected: bool
    """Whether the state "board" is read, and it is wrong or a wrong tile or spare needs no confirmation."""
    doubtful: int
    """Number of tiles that need confirmation, the spare included."""
    corner_error: float
    """Largest distance of a corner of the field from its true place, in tiles; infinite where no board is read."""
    oriented: bool
    """Whether the board's orientation is right."""
    pieces: bool
    """Whether tiles, spare, tokens and wizards are all right; tokens that a wizard may hide do not count."""
    pieces_undetected: bool
    """Whether a token or wizard is missed or wrong, and nothing needs confirmation for it."""
    milliseconds: float
    """Processing time."""
    errors: tuple[str, ...]
    """A message for each error, as from `list_errors`; those that need confirmation end with a question mark."""
    spare_placed: bool | None = None
    """Whether the spare is read where it lies; None where the picture shows none, or no board is read."""


def compare(job: MazeJob, truth: MazeTruth, reading: MazeReading) -> MazeOutcome:
    """Return a reading compared with the ground truth.

    Tiles are compared in the orientation, of four, in which most of them agree.
    """
    state = reading.state == truth.state
    if job.situation == "half_out":  # either state asks people to aim the camera
        state = reading.state in ("covered", "no_board")
    if not reading.tiles or not truth.tiles:
        missed = bool(reading.tiles) and reading.state == "board"
        errors = () if state else (f"state {reading.state}",)
        return MazeOutcome(
            job, state, 0, False, missed, 0, float("inf"), False, False, False, reading.milliseconds, errors
        )
    turns = max(range(4), key=lambda quarters: _count_right_tiles(truth, reading, quarters))
    right = _count_right_tiles(truth, reading, turns)
    wrong_tiles = [
        place
        for place in range(SIZE**2)
        if reading.tiles[place].openings != _turned_tiles(truth.tiles, turns)[place]
    ]
    wrong_spare = bool(truth.spare) and (
        reading.spare is None or SHAPES[reading.spare.openings] != SHAPES[truth.spare]
    )
    quiet = any(not reading.tiles[place].doubtful for place in wrong_tiles) or (
        wrong_spare and reading.spare is not None and not reading.spare.doubtful
    )
    undetected = reading.state == "board" and (quiet or truth.state != "board")
    true_corners = np.roll(np.array(truth.corners), turns, 0)
    diagonal = np.linalg.norm(true_corners[0] - true_corners[2])
    error = np.linalg.norm(np.array(reading.corners) - true_corners, axis=1).max() / (
        diagonal / (SIZE * np.sqrt(2))
    )
    exact = state and not wrong_tiles and not wrong_spare
    oriented = reading.oriented and turns == 0
    wrong_pieces = _wrong_pieces(truth, reading)
    return MazeOutcome(
        job,
        state,
        right,
        exact,
        undetected,
        sum(tile.doubtful for tile in reading.tiles) + bool(reading.spare and reading.spare.doubtful),
        float(error),
        oriented,
        exact and oriented and not wrong_pieces,
        oriented and not all(wrong_pieces.values()),
        reading.milliseconds,
        tuple(list_errors(truth, reading)),
        _spare_placed(truth, reading, float(diagonal) / (SIZE * np.sqrt(2))),
    )


def _spare_placed(truth: MazeTruth, reading: MazeReading, tile_px: float) -> bool | None:
    """Return whether the spare is read within `_MAX_SPARE_OFFSET` of its place; None where the picture shows none.

    tile_px: width of a tile in the picture, px.
    """
    if truth.spare_box is None:
        return None
    if reading.spare is None:
        return False
    away = np.subtract(centre(reading.spare.box), centre(truth.spare_box))
    return bool(np.hypot(*away) < _MAX_SPARE_OFFSET * tile_px)


def _wrong_pieces(truth: MazeTruth, reading: MazeReading) -> dict[str, bool]:
    """Return, for each token and wizard that is wrong or missed, whether it needs confirmation, by name.

    Names are as in "token 7" and "wizard red".
    """
    read = {f"token {one.number}": (one.place, one.doubtful) for one in reading.tokens}
    read |= {f"wizard {one.colour}": (one.place, one.doubtful) for one in reading.wizards}
    true = {f"token {number}": place for number, place in truth.tokens.items()}
    hidden = {name for name, place in true.items() if place in reading.under_wizards and name not in read}
    true |= {f"wizard {colour}": place for colour, place in truth.wizards.items()}
    possible = {f"wizard {one.colour}" for one in reading.possible_wizards}
    unseen = {f"token {number}" for number in reading.unseen_tokens}
    # Whoever confirms a place sees which token lies there, whatever number was read.
    asked = {one.place for one in reading.tokens if one.doubtful}
    wrong = {
        name: name in possible or name in unseen or (name.startswith("token") and true[name] in asked)
        for name in true.keys() - read.keys() - hidden
    }
    return wrong | {
        name: doubtful for name, (place, doubtful) in read.items() if name not in true or true[name] != place
    }


def list_errors(truth: MazeTruth, reading: MazeReading) -> list[str]:
    """Return a message for each error of a reading; those that need confirmation end with a question mark.

    Tiles are compared in the orientation, of four, in which most of them agree.
    """
    if not reading.tiles or not truth.tiles:
        return [f"state {reading.state}"]
    turns = max(range(4), key=lambda quarters: _count_right_tiles(truth, reading, quarters))
    lines = [] if turns == 0 else [f"turned by {turns}"]
    for place, openings in enumerate(_turned_tiles(truth.tiles, turns)):
        tile = reading.tiles[place]
        if tile.openings != openings:
            lines.append(f"tile {place} {tile.openings}, not {openings}{'?' * tile.doubtful}")
    if truth.spare and (reading.spare is None or SHAPES[reading.spare.openings] != SHAPES[truth.spare]):
        seen = "none" if reading.spare is None else reading.spare.openings + "?" * reading.spare.doubtful
        lines.append(f"spare {seen}, not {truth.spare}")
    return lines + [name + "?" * doubtful for name, doubtful in _wrong_pieces(truth, reading).items()]


def _turned_tiles(tiles: Sequence[str], quarters: int) -> list[str]:
    """Return the openings of a board's tiles by place, after the board is turned by clockwise quarter turns."""
    turned = [""] * len(tiles)
    for place, openings in enumerate(tiles):
        turned[turned_place(place, quarters)] = turned_openings(openings, quarters)
    return turned


def _count_right_tiles(truth: MazeTruth, reading: MazeReading, quarters: int) -> int:
    """Return the number of loose tiles read right if the true board is turned clockwise by quarter turns."""
    turned = _turned_tiles(truth.tiles, quarters)
    return sum(reading.tiles[place].openings == turned[place] for place in range(SIZE**2) if place not in FIXED)


def picture_of(job: MazeJob) -> tuple[Image, MazeTruth]:
    """Return the picture (BGR) that a job describes, and its ground truth."""
    tilt = float(np.random.default_rng(job.seed).uniform(*BANDS[job.band]))
    return picture(job.seed, job.look, job.light, job.situation, tilt=tilt, tokens=job.tokens)


@cache
def make_readers() -> Mapping[str, MazeReader]:
    """Return a reader for each print of tokens, with these tokens enrolled."""
    return {print_: MazeReader({} if print_ == "standin" else enrolled_tokens(print_)) for print_ in PRINTS}


def measure(jobs: Iterable[MazeJob]) -> list[MazeOutcome]:
    """Draw and read pictures, and return each reading compared with the ground truth, in order."""
    found = []
    for job in jobs:
        image, truth = picture_of(job)
        found.append(compare(job, truth, make_readers()[job.tokens].read(image)))
    return found


def jobs(
    looks: Sequence[str], lights: Sequence[Light], situations: Sequence[Situation], boards: int, first: int
) -> list[MazeJob]:
    """Return descriptions of the pictures to read: `boards` of each combination of look, light and situation.

    Seeds, and so the positions, differ; ranges of angles and prints of tokens alternate. first: smallest seed.
    """
    return [
        MazeJob(
            look,
            light,
            situation,
            first + 1000 * list(LOOKS).index(look) + 100 * LIGHTS.index(light) + number,
            (number + LIGHTS.index(light)) % len(BANDS),
            "standin" if LOOKS[look].drawn else PRINTS[(number + LIGHTS.index(light)) % len(PRINTS)],
        )
        for look in looks
        for light in lights
        for situation in situations
        for number in range(boards)
    ]


def accuracy_table(title: str, outcomes: Sequence[MazeOutcome], group: Callable[[MazeOutcome], str]) -> Table:
    """Return a printable table of accuracies, one row per group and one for all.

    group: returns an outcome's group.
    """
    shown = Table(box=None, pad_edge=False, title=title, title_justify="left")
    for heading in (
        "", "boards", "state", "found", "spare in place", "tiles and spare exact", "tiles", "undetected",
        "doubtful tiles a board", "corners p95", "oriented", "all exact", "pieces undetected", "ms",
    ):  # fmt: skip # one heading a column
        shown.add_column(heading, justify="left" if not heading else "right")
    for name in [*dict.fromkeys(map(group, outcomes)), "all"]:
        these = [one for one in outcomes if name in (group(one), "all")]
        boards = [one for one in these if one.job.situation != "no_board"]
        errors = [one.corner_error for one in boards] or [0.0]
        shown.add_row(
            name,
            str(len(these)),
            percentage([one.state for one in these]),
            percentage([np.isfinite(one.corner_error) for one in boards]),
            percentage([one.spare_placed for one in boards if one.spare_placed is not None]),
            percentage([one.exact for one in boards]),
            f"{100 * np.mean([one.tiles / 33 for one in boards] or [0]):.2f} %",
            percentage([one.undetected for one in these]),
            f"{np.mean([one.doubtful for one in boards] or [0]):.2f}",
            f"{np.percentile(errors, 95, method='lower'):.3f}",
            percentage([one.oriented for one in boards]),
            percentage([one.pieces for one in boards]),
            percentage([one.pieces_undetected for one in boards]),
            f"{np.median([one.milliseconds for one in these]):.0f}",
        )
    return shown


def percentage(flags: Sequence[bool]) -> str:
    """Return the percentage of true flags with one decimal place; of none, 0."""
    return f"{100 * float(np.mean(flags or [False])):.1f} %"


@click.command()
@click.option("--boards", default=6, help="Pictures of each look, light and situation.")
@click.option("--look", "looks", multiple=True, type=click.Choice(list(LOOKS)), help="Default: all.")
@click.option("--light", "lights", multiple=True, type=click.Choice(LIGHTS), help="Default: all.")
@click.option("--situation", "situations", multiple=True, type=click.Choice(SITUATIONS), help="Default: board.")
@click.option("--first-seed", default=FIRST_SEED, help="Seed of the first picture.")
@click.option("--wrong", is_flag=True, help="List the errors; those with a question mark need confirmation.")
def main(
    boards: int,
    looks: tuple[str, ...],
    lights: tuple[Light, ...],
    situations: tuple[Situation, ...],
    first_seed: int,
    wrong: bool,
) -> None:
    """Draw and read pictures of the maze, and print the accuracy per look, light, angle and situation."""
    found = measure(jobs(looks or tuple(LOOKS), lights or LIGHTS, situations or ("board",), boards, first_seed))
    console = Console(width=180)
    console.print(accuracy_table("By look", found, lambda one: one.job.look + " *" * (one.job.look in HELD_OUT)))
    console.print("* held out: trains nothing")
    console.print(accuracy_table("By light", found, lambda one: one.job.light))
    console.print(accuracy_table("By angle", found, lambda one: "{}–{}°".format(*BANDS[one.job.band])))
    console.print(accuracy_table("By situation", found, lambda one: one.job.situation))
    if wrong:
        for one in found:
            if one.errors:
                console.print(f"{one.job.look}, {one.job.light}, seed {one.job.seed}: {', '.join(one.errors)}")


if __name__ == "__main__":
    main()
