"""Accuracy of reading hands on each kind of ground (table top), and at each angle of its grain or pattern.

`python -m models.evaluation.hands.accuracy_by_table_surface` draws sessions on sixteen grounds
(`models.evaluation.scenes.held_out_parameters.GROUNDS`), each turned to four angles. It enrols the pieces on each
from one picture a kind, and reads the tables. It prints a table by ground and one by angle, and writes the figures
to `models/results/grounds.json`. `--pointed-out` marks the specimens at enrolment, so that errors of reading are
separated from those of enrolment. `--data DIR` adds photographed textures as grounds. With few sessions, accuracy
depends more on people and pieces than on the ground: `--shared-sessions` uses the same ones on all grounds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from models.evaluation import RESULTS_FOLDER
from models.evaluation.measuring.hand_reading import (
    FIVE_FRAMES,
    ONE_FRAME,
    PictureResult,
    SetResult,
    measure_session,
)
from models.evaluation.measuring.parallel import over
from models.evaluation.metrics.verdicts import ReadingTotals
from models.evaluation.scenes import held_out_parameters
from models.evaluation.scenes.synthetic_sessions import KINDS as PIECES
from models.evaluation.scenes.synthetic_sessions import SCENES, SyntheticSession
from vision.cameras.frame import Image
from vision.cameras.simulated.table_surfaces.textures import tile_over_table

RESULTS: Final = RESULTS_FOLDER / "grounds.json"
ANGLES: Final = (0, 45, 90, 135)
"""Degrees clockwise between the table's x axis and the grain or pattern."""
FIRST_SEED: Final = 9000
"""Seed of the first session, distinct from those of other evaluations."""
_TABLE_WIDTH: Final = 130
"""Smallest width of the console, characters, so that no row of the tables is wrapped."""
_TEXTURE_MM: Final = (500.0, 1100.0)
"""Range of a photographed texture's width on the table, mm; beyond it, the table shows mirrored copies."""


@dataclass(frozen=True, slots=True)
class GroundJob:
    """Description of one session to evaluate."""

    ground: str
    """Name of the ground."""
    angle: int
    """Angle of its grain or pattern, degrees clockwise."""
    seed: int
    """Seed of the session."""
    texture: Path | None = None
    """Photograph used as ground; None: a drawn one."""
    pointed: bool = False
    """Whether specimens are marked at enrolment."""
    empty: bool = False
    """Whether the empty table is shown before enrolment."""


@dataclass(frozen=True, slots=True)
class GroundTotals:
    """Results added up over sessions."""

    single: ReadingTotals = field(default_factory=ReadingTotals)
    """Results with one frame, without rules."""
    rules: ReadingTotals = field(default_factory=ReadingTotals)
    """Results with five frames and the rules."""
    enrolled: int = 0
    """Number of kinds of pieces that were enrolled, added up over sessions."""
    kinds: int = 0
    """Number of kinds of pieces that were to be enrolled, added up over sessions."""
    false_hands: int = 0
    """Number of open hands read on tables without hands."""
    refused: tuple[str, ...] = ()
    """Error lines of commands."""

    @classmethod
    def of(cls, outcome: SetResult) -> GroundTotals:
        """Return the totals of one session."""
        return cls(
            single=_tally(outcome.measured, ONE_FRAME),
            rules=_tally(outcome.measured, FIVE_FRAMES),
            enrolled=len(set(outcome.enrolled) & set(PIECES)),
            kinds=len(PIECES),
            false_hands=sum(len(one.verdict.ghosts) for one in outcome.measured if one.verdict.empty),
            refused=outcome.refused,
        )

    def __add__(self, other: GroundTotals) -> GroundTotals:
        """Return the sum of two totals."""
        return GroundTotals(
            self.single + other.single,
            self.rules + other.rules,
            self.enrolled + other.enrolled,
            self.kinds + other.kinds,
            self.false_hands + other.false_hands,
            self.refused + other.refused,
        )


def _tally(measured: Iterable[PictureResult], way: str) -> ReadingTotals:
    """Return the totals of the results with one reading method, `ONE_FRAME` or `FIVE_FRAMES`."""
    return ReadingTotals.of(one.verdict for one in measured if one.way == way)


def measure(job: GroundJob) -> GroundTotals:
    """Render the session of a job, enrol its pieces, read its tables, and return the totals."""
    if job.texture is None:
        session = SyntheticSession(job.seed, held_out_parameters.ground(job.ground, job.seed, float(job.angle)))
    else:
        session = SyntheticSession(job.seed, top=textured_table_top(job.texture, float(job.angle), job.seed))
    outcome = measure_session(
        session, f"{job.ground} {job.angle}°", range(SCENES), pointed=job.pointed, empty=job.empty
    )
    return GroundTotals.of(outcome)


def textured_table_top(picture: Path, angle: float, seed: int) -> Image:
    """Return a picture of a table top (BGR, 1 px/mm) with a photographed texture.

    picture: file with the texture; angle: its rotation, degrees clockwise; seed: of its random size and position.
    Raises ValueError where the file is no picture.
    """
    image = cv2.imread(str(picture))
    if image is None:
        raise ValueError(f"{picture} is no picture: give a folder with JPEG or PNG files.")
    rng = np.random.default_rng([held_out_parameters.checked_seed(seed), 0x7E7])
    width = float(rng.uniform(*_TEXTURE_MM))
    return tile_over_table(np.asarray(image, np.uint8), rng, angle, width / image.shape[1], cv2.BORDER_REFLECT_101)


def jobs(
    names: Sequence[str],
    textures: Sequence[Path],
    sessions: int,
    angles: Sequence[int] = ANGLES,
    *,
    pointed: bool = False,
    empty: bool = False,
    shared: bool = False,
) -> list[GroundJob]:
    """Return descriptions of the sessions to evaluate: `sessions` for each ground and angle.

    names: of `held_out_parameters.NAMES`; textures: photographs as further grounds; pointed: mark specimens at
    enrolment; empty: show the empty table first. A ground has the same cameras, people and pieces at all angles;
    with `shared`, every ground has the same ones, which differ by angle.
    """
    sources: list[tuple[str, Path | None]] = [(name, None) for name in names]
    sources += [(texture.stem, texture) for texture in textures]
    return [
        # A ground keeps its seeds whichever others are measured with it.
        GroundJob(
            name,
            angle,
            FIRST_SEED + (turn if shared else _seed_offset(name)) + 100 * session,
            texture,
            pointed,
            empty,
        )
        for name, texture in sources
        for session in range(sessions)
        for turn, angle in enumerate(angles)
    ]


def _seed_offset(name: str) -> int:
    """Return the number that a ground adds to the seeds of its sessions; it depends on the name alone."""
    return (
        held_out_parameters.NAMES.index(name) if name in held_out_parameters.NAMES else 30 + sum(name.encode()) % 70
    )


def by_group(
    measured: Sequence[tuple[GroundJob, GroundTotals]], group: Callable[[GroundJob], str]
) -> Mapping[str, GroundTotals]:
    """Return the totals of each group of sessions, in order of first occurrence. group: returns a job's group."""
    sums: dict[str, GroundTotals] = {}
    for job, figures in measured:
        sums[group(job)] = sums.get(group(job), GroundTotals()) + figures
    return sums


def row(figures: GroundTotals) -> dict[str, Any]:
    """Return totals as plain values for JSON."""
    single, rules = figures.single, figures.rules
    return {
        "hands": single.hands,
        "found_hands": single.hands_found,
        "exact_hands": single.hands_exact,
        "doubtful_hands": single.hands_doubtful,
        "silently_wrong_hands": single.hands_silently_wrong,
        "tables": single.tables,
        "exact_tables": single.tables_exact,
        "silently_wrong_tables": single.tables_silently_wrong,
        "asked_tables": single.tables_asked,
        "rules_tables": rules.tables,
        "rules_exact_tables": rules.tables_exact,
        "rules_silently_wrong_tables": rules.tables_silently_wrong,
        "rules_asked_tables": rules.tables_asked,
        "tables_without_hands": single.empty,
        "false_hands_on_empty_tables": figures.false_hands,
        "kinds_enrolled": figures.enrolled,
        "kinds": figures.kinds,
    }


def table_of(title: str, groups: Mapping[str, GroundTotals]) -> Table:
    """Return a printable table with a row per group, and one for all groups, in per cent.

    Columns: enrolled kinds; hands found and read exactly; tables read exactly, undetected errors, and tables that
    need confirmation, with one frame, then with five frames and the rules; false hands on empty tables.
    """
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("")
    for name in (
        "kinds",
        "hands",
        "found",
        "exact",
        "tables",
        "undet.",
        "asked",
        "false",
        "rules",
        "undet.",
        "asked",
    ):
        table.add_column(name, justify="right", no_wrap=True)
    total = sum(groups.values(), GroundTotals())
    for name, figures in (*groups.items(), ("all", total)):
        single, rules = figures.single, figures.rules
        table.add_row(
            name,
            _percent(figures.enrolled, figures.kinds),
            str(single.hands),
            _percent(single.hands_found, single.hands),
            _percent(single.hands_exact, single.hands),
            _percent(single.tables_exact, single.tables),
            str(single.tables_silently_wrong),
            _percent(single.tables_asked, single.tables),
            str(figures.false_hands),
            _percent(rules.tables_exact, rules.tables),
            str(rules.tables_silently_wrong),
            _percent(rules.tables_asked, rules.tables),
        )
    return table


def _percent(part: int, of: int) -> str:
    return f"{100 * part / of:.1f}" if of else "-"


@click.command()
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of photographed grounds (JPEG or PNG), besides any --ground.",
)
@click.option(
    "--ground",
    "names",
    multiple=True,
    type=click.Choice(held_out_parameters.NAMES),
    metavar="NAME",
    help="Measure only this ground; repeatable.",
)
@click.option(
    "--angle",
    "angles",
    multiple=True,
    type=click.IntRange(0, 359),
    default=ANGLES,
    show_default=True,
    help="Degrees clockwise; repeatable.",
)
@click.option(
    "--sessions", default=1, show_default=True, type=click.IntRange(1), help="Sessions for each ground and angle."
)
@click.option("--pointed-out", is_flag=True, help="Mark each specimen when pieces are enrolled.")
@click.option("--empty", is_flag=True, help="Show the empty table before the pieces (`calibrate --empty`).")
@click.option("--shared-sessions", is_flag=True, help="Use the same sessions on every ground, one per angle.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option(
    "--results",
    default=RESULTS,
    show_default="models/results/grounds.json",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the results.",
)
def main(
    data: Path | None,
    names: tuple[str, ...],
    angles: tuple[int, ...],
    sessions: int,
    pointed_out: bool,
    empty: bool,
    shared_sessions: bool,
    processes: int,
    results: Path,
) -> None:
    """Evaluate the reading of hands by ground (table top) and by angle, on looks and grounds of no training set."""
    console = Console(highlight=False, soft_wrap=True)
    console.width = max(console.width, _TABLE_WIDTH)
    textures = [] if data is None else sorted(p for p in data.iterdir() if p.suffix.lower() in (".jpg", ".png"))
    grounds_shown = names or (() if textures else held_out_parameters.GROUNDS)
    todo = jobs(grounds_shown, textures, sessions, angles, pointed=pointed_out, empty=empty, shared=shared_sessions)
    measured = list(zip(todo, over(measure, todo, processes, "sessions", console), strict=True))
    for job, figures in measured:
        for line in figures.refused:
            console.print(f"refused on {job.ground} at {job.angle}°: {line}")
    grounds = by_group(measured, lambda job: job.ground)
    turned = by_group(measured, lambda job: f"{job.angle}°")
    console.print(table_of("by ground", grounds))
    console.print(table_of("by angle", turned))
    content = {
        "pointed_out": pointed_out,
        "empty_shown": empty,
        "shared_sessions": shared_sessions,
        "sessions": sessions,
        "grounds": {name: row(figures) for name, figures in grounds.items()},
        "angles": {name: row(figures) for name, figures in turned.items()},
        "each": [
            {"ground": job.ground, "angle": job.angle, "seed": job.seed, **row(figures), "refused": figures.refused}
            for job, figures in measured
        ],
    }
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
