"""How well an eye reads hands over tables that others drew, and how well the companion does.

`python -m models.evaluation.by_eye_others sheets DATA FOLDER` draws all open hands of `table-reveals` in a folder
of pictures that others made, in an order by lot, enlarged and beside what was taught, and writes a list to fill in.
The command `judge`, given that list, tells how many of its answers are right, and how many of the companion's, as
`make eval` wrote them down: there it had to find the hands, too.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np

from calibration.errors import TeachError
from calibration.pictures import read_picture
from calibration.profile import TableProfile
from models.evaluation import commands, sets
from models.evaluation.by_eye import (
    NOT_THERE,
    answered,
    cell,
    conclude,
    numbers,
    right,
    summary,
    write_list,
    write_sheets,
)
from models.evaluation.judging import INSIDE
from vision.boxes import centre
from vision.cameras.frame import Image

_FOLDER = Path(__file__).parent.parent / "results"
READ, ANSWERS, RESULTS = (
    _FOLDER / name for name in ("table-reveals.jsonl", "by-eye-others.csv", "by-eye-others.json")
)
COLUMNS = ("number", "picture", "seat", "search", "witch", "soul")
_LOT = 0xE1E


def drawn(folder: Path) -> Iterator[tuple[str, int, Image]]:
    """Draw the open hands over one table: name of the picture, seat and picture of each.

    Raises SetError or TeachError where its truth or a picture cannot be read, or the table cannot be taught in.
    """
    pictures = sets.load(folder)
    with tempfile.TemporaryDirectory() as temporary:
        refused = commands.teach(pictures, Path(temporary) / "profile")
        if refused:
            raise TeachError(refused[0])
        profile = TableProfile.load(Path(temporary) / "profile")
    if profile.plane is None:
        raise TeachError(f"{pictures.name}: the table is not calibrated.")
    for shot in pictures.shots:
        image = read_picture(shot.path)
        for hand in shot.hands:
            if hand.state == "open" and hand.inside > INSIDE and hand.box is not None:
                seen = cell(profile, profile.plane, image, centre(hand.box))
                yield f"{pictures.name}/{shot.name}", hand.seat, seen


@click.group()
def main() -> None:
    """Read hands over others' tables by eye, and compare."""


@main.command()
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
def sheets(data: Path, folder: Path) -> None:
    """Draw sheets of hands, and a list to fill in: number of search pieces, of witch's and of soul's signs."""
    tables = sets.of_others(data)
    if not tables:
        raise click.ClickException(f"There is no table-reveals in {data}.")
    try:
        hands = [hand for table in tables for hand in drawn(table)]
    except (sets.SetError, TeachError) as error:
        raise click.ClickException(str(error)) from error
    lot = [hands[index] for index in np.random.default_rng(_LOT).permutation(len(hands))]
    folder.mkdir(parents=True, exist_ok=True)
    write_sheets(folder, [seen for *_, seen in lot])
    write_list(folder / ANSWERS.name, COLUMNS, [which for *which, _ in lot])


@main.command()
@click.argument("answers", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=ANSWERS)
@click.option("--read", default=READ, show_default=True, type=click.Path(exists=True, path_type=Path))
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, show_default=True)
def judge(answers: Path, read: Path, results: Path) -> None:
    """Tell how many of the answers in a list are right, and how many of the companion's."""
    rows = map(json.loads, read.read_text("utf-8").splitlines())
    hands = {(row["picture"], hand["seat"]): hand for row in rows for hand in row["hands"]}
    compared = []
    for row, (seat, searches, witch, soul) in answered(answers, COLUMNS[2:]):
        hand = hands.get((row["picture"], seat))
        if hand is None:
            raise click.ClickException(NOT_THERE)
        least, most = hand["seen"], hand["is"]
        found = hand["state"] == "open" and right(numbers(hand["read"]), least, most)
        compared.append((sum(most.values()), right((searches, witch, soul), least, most), found))
    if not compared:
        raise click.ClickException(NOT_THERE)
    conclude(summary(compared), results)


if __name__ == "__main__":
    main()
