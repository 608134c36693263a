"""Accuracy of reading hands on disturbed pictures: with noise, blur, other light, sizes and tone curves.

`python -m models.evaluation.hands.disturbed_pictures` disturbs the pictures of held-out sessions (rendered), or
with `--data DIR` those of tables by another renderer, and reads them by the commands, one frame each, without
rules. Some disturbances change every picture, as another camera would. Others change only the pictures after
enrolment, as a camera that adjusts its white balance would, or a lamp that is switched on. Prints a table and
writes `models/results/disturbed.json`.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.files.picture_files import read_picture
from models.evaluation import RESULTS_FOLDER
from models.evaluation.measuring.hand_reading import measure_set
from models.evaluation.measuring.parallel import over
from models.evaluation.metrics.verdicts import ReadingTotals
from models.evaluation.output.report import share
from models.evaluation.scenes.picture_changes import Change, blurred, contrasted, curved, grained, lit, sized
from models.evaluation.scenes.picture_sets import external_sets
from models.evaluation.scenes.synthetic_sessions import SyntheticSession

RESULTS = RESULTS_FOLDER / "disturbed.json"
_QUALITY = 92
"""JPEG quality of disturbed pictures."""


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A named change of pictures."""

    name: str
    """Name in the results."""
    change: Change | None
    """Change of each picture; None: files are copied unchanged."""
    since: bool = False
    """Whether it changes only the pictures of scenes, as if it had begun after enrolment."""


DISTURBANCES = (
    Disturbance("as they are", None),
    Disturbance("saved once more", lambda image, _: image),
    Disturbance("1 grey level of noise", grained(1)),
    Disturbance("8 grey levels of noise", grained(8)),
    Disturbance("out of focus by 1 px", blurred(1)),
    Disturbance("960 px wide", sized(960)),
    Disturbance("1920 px wide", sized(1920)),
    Disturbance("from the other side", lambda image, _: np.asarray(cv2.rotate(image, cv2.ROTATE_180), np.uint8)),
    Disturbance("a third of the light", lit(0.35, 0.35, 0.35)),
    Disturbance("warm light", lit(0.55, 0.9, 1.25)),
    Disturbance("harder tones", curved(1.5)),
    Disturbance("paler tones", curved(0.7)),
    Disturbance("more contrast", contrasted(1.35)),
    Disturbance("warm light since the lesson", lit(0.55, 0.9, 1.25), since=True),
    Disturbance("a third of the light since", lit(0.35, 0.35, 0.35), since=True),
    Disturbance("harder tones since", curved(1.5), since=True),
)


def write_disturbed(source: Path, target: Path, disturbance: Disturbance) -> None:
    """Copy a picture set (`models.evaluation.scenes.picture_sets`) and disturb the pictures of the copy.

    source, target: folders; target must not exist yet. Equal arguments give equal pictures.
    """
    shutil.copytree(source, target)
    if disturbance.change is None:
        return
    rng = np.random.default_rng(0xD157)
    for path in sorted(target.rglob("*.jpg")):
        if disturbance.since and path.parent.name != "scenes":
            continue
        image = disturbance.change(read_picture(path), rng)
        path.chmod(0o644)  # a copy of what nobody may write to is not to be written to either
        path.write_bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes())


def read_disturbed(source: Path | int) -> list[ReadingTotals]:
    """Disturb and read the pictures of one table; return the totals under each of DISTURBANCES, in order.

    source: folder of a picture set, or seed of a held-out session.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if isinstance(source, int):
            SyntheticSession(source).write(folder / "drawn")
            source = folder / "drawn"
        return [_read_one(source, folder / str(number), one) for number, one in enumerate(DISTURBANCES)]


def _read_one(source: Path, disturbed: Path, disturbance: Disturbance) -> ReadingTotals:
    """Write a disturbed copy of a picture set to a new folder, enrol and read it, and return the totals."""
    write_disturbed(source, disturbed, disturbance)
    # Where enrolment is not disturbed, its pictures are equal and one profile serves all.
    enrolled_alike = disturbance.change is None or disturbance.since
    profile = disturbed.parent / "profile" if enrolled_alike else None
    return ReadingTotals.of(one.verdict for one in measure_set(disturbed, "disturbed", profile).measured)


@click.command()
@click.option(
    "--sessions",
    default=12,
    show_default=True,
    type=click.IntRange(1),
    help="Held-out sessions to draw; five tables each.",
)
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Read the tables of DIR/table-reveals instead of sessions.",
)
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option(
    "--results",
    default=RESULTS,
    show_default="models/results/disturbed.json",
    type=click.Path(path_type=Path, dir_okay=False),
)
def main(sessions: int, data: Path | None, processes: int, results: Path) -> None:
    """Read the same tables under each disturbance, print a table and write the results."""
    console = Console(highlight=False, soft_wrap=True)
    title = "held-out sessions" if data is None else "tables by another renderer"
    sources: Sequence[Path | int] = range(sessions) if data is None else external_sets(data)
    if not sources:
        console.print(f"{title} are left out: there is no table-reveals in {data}.")
        return
    measured = over(read_disturbed, sources, processes, title, console)
    tallies = {
        one.name: sum(of, start=ReadingTotals())
        for one, of in zip(DISTURBANCES, zip(*measured, strict=True), strict=True)
    }
    console.print(_table(title, tallies))
    known = json.loads(results.read_text("utf-8")) if results.exists() else {}
    counted = {name: _counts_of(tally) for name, tally in tallies.items()}
    results.write_text(json.dumps({**known, f"{title} (rendered)": counted}, indent=1) + "\n", "utf-8")


def _table(title: str, tallies: Mapping[str, ReadingTotals]) -> Table:
    table = Table(title=f"{title} (rendered), disturbed, one frame each", title_justify="left", box=None)
    for heading in ("pictures", "exact hands", "exact tables", "undetected errors", "asked about", "ghosts"):
        table.add_column(heading)
    for name, tally in tallies.items():
        table.add_row(
            name,
            share(tally.hands_exact, tally.hands),
            share(tally.tables_exact, tally.tables),
            share(tally.tables_silently_wrong, tally.tables),
            share(tally.tables_asked, tally.tables),
            str(tally.ghosts),
        )
    return table


def _counts_of(tally: ReadingTotals) -> Mapping[str, int]:
    return {
        "hands": tally.hands,
        "exact_hands": tally.hands_exact,
        "tables": tally.tables,
        "exact_tables": tally.tables_exact,
        "silently_wrong_tables": tally.tables_silently_wrong,
        "asked_tables": tally.tables_asked,
        "ghost_hands": tally.ghosts,
    }


if __name__ == "__main__":
    main()
