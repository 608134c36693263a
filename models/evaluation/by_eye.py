"""How well an eye reads the same hands, and how well the companion does.

`python -m models.evaluation.by_eye sheets FOLDER` draws hands of evenings that nothing else judges (rendered), some
of each by lot, enlarged and beside what was taught, and writes a list to fill in. The command `judge`, given that
list, tells how many of its answers are right, and how many of the companion's, which knows where the hands are. Of
which colour search pieces are is not asked.
"""

from __future__ import annotations

import csv
import json
import multiprocessing
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from calibration.plane import TablePlane
from calibration.profile import TableProfile
from models.evaluation.calibrate import found, looked_into, ranked, taught
from models.evaluation.evenings import SCENES, Evening
from models.evaluation.report import share
from vision.cameras.frame import Image
from vision.detector import CROP_PX
from vision.readings import Counts
from vision.reveal.evidence import calibrated
from vision.reveal.geometry import crop_round

ANSWERS, RESULTS = (Path(__file__).parent.parent / "results" / f"by-eye.{kind}" for kind in ("csv", "json"))
COLUMNS = ("number", "evening", "scene", "seat", "search", "witch", "soul")
ROWS = ("up to 3 pieces", "4 and more", "all")
NOT_THERE = "A hand of the list is not there: draw the sheets again, and fill in their list."
_MANY = 4
_EACH, _FIRST = 3, 40
"""So many hands of each evening, the first of which comes after those that `make eval` reads."""
_ACROSS, _DOWN = 4, 2
_SIDE, _SHOWN = 420, 0.8
"""A hand is drawn so large, px, and so much of its crop."""
_SAMPLE, _APART = 48, 58

Numbers = tuple[int, int, int]
"""Search pieces, witch's signs and soul's signs."""


def numbers(counts: Counts) -> Numbers:
    """Tell how many search pieces, of whatever colour, and signs there are."""
    searches = sum(n for kind, n in counts.items() if kind.startswith("search:"))
    return searches, counts.get("sign:witch", 0), counts.get("sign:soul", 0)


def right(told: Numbers, least: Counts, most: Counts) -> bool:
    """Tell whether what is told of a hand lies between what is seen of each and all there is."""
    return all(low <= n <= high for low, n, high in zip(numbers(least), told, numbers(most), strict=True))


def drawn(seed: int) -> list[tuple[int, int, Image]]:
    """Draw some hands of an evening by lot: scene, seat and picture of each. None where it is too dim to teach."""
    cv2.setNumThreads(1)
    evening, rng = Evening(seed), np.random.default_rng([seed, 0xE1E])
    profile = taught(evening.renderer.render, np.random.default_rng([seed, 0xE4]))
    if profile is None or profile.plane is None:
        return []
    hands = [(scene, hand.seat) for scene in range(SCENES - 1) for hand in evening.moment(scene).scene.hands
             if hand.openness == 1.0]  # fmt: skip
    chosen = sorted(hands[index] for index in rng.permutation(len(hands))[:_EACH])
    cells = []
    for scene, seat in chosen:
        image, truth = evening.renderer.render_with_truth(evening.moment(scene).scene, 100 + scene)
        (hand,) = (one for one in truth.hands if one.seat == seat)
        cells.append((scene, seat, cell(profile, profile.plane, image, found(hand).centre)))
    return cells


def cell(profile: TableProfile, plane: TablePlane, image: Image, centre_px: tuple[float, float]) -> Image:
    """Draw the hand round a pixel, enlarged, and below it what was taught."""
    return np.vstack([_enlarged(crop_round(plane, centre_px).picture(image)), _samples(profile)])


def _enlarged(crop: Image) -> Image:
    edge = round((1 - _SHOWN) / 2 * CROP_PX)
    middle = crop[edge : CROP_PX - edge, edge : CROP_PX - edge]
    return np.asarray(cv2.resize(middle, (_SIDE, _SIDE), interpolation=cv2.INTER_LANCZOS4), np.uint8)


def _samples(profile: TableProfile) -> Image:
    """Draw a specimen of each kind as it was taught, side by side."""
    strip = np.full((_SAMPLE + 20, _SIDE, 3), 40, np.uint8)
    for number, (kind, samples) in enumerate(profile.pieces.items()):
        left = 4 + number * _APART
        specimen = samples.specimens[0].crop[..., :3]
        strip[16 : 16 + _SAMPLE, left : left + _SAMPLE] = cv2.resize(specimen, (_SAMPLE, _SAMPLE))
        _write(strip, kind.partition(":")[2], (left, 12), 0.35)
    return strip


def _write(image: Image, text: str, place: tuple[int, int], size: float) -> None:
    cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), 1, cv2.LINE_AA)


def sheet(cells: Sequence[Image], first: int) -> Image:
    """Lay pictures of hands on one sheet, numbered on from the first one's number."""
    blank = np.zeros_like(cells[0])
    for number, picture in enumerate(cells, first):
        _write(picture, str(number), (8, 26), 0.9)
    filled = [*cells, *[blank] * (_ACROSS * _DOWN - len(cells))]
    rows = [np.hstack(filled[start : start + _ACROSS]) for start in range(0, len(filled), _ACROSS)]
    return np.asarray(np.vstack(rows), np.uint8)


@click.group()
def main() -> None:
    """Read hands by eye, and compare."""


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--evenings", default=40, show_default=True, type=click.IntRange(1))
@click.option("--first", default=_FIRST, show_default=True, help="Seed of the first evening.")
def sheets(folder: Path, evenings: int, first: int) -> None:
    """Draw sheets of hands, and a list to fill in: number of search pieces, of witch's and of soul's signs."""
    folder.mkdir(parents=True, exist_ok=True)
    seeds = range(first, first + evenings)
    with multiprocessing.get_context("spawn").Pool() as pool:
        made = list(track(pool.imap(drawn, seeds), "Drawing hands", total=evenings))
    hands = [(seed, *hand) for seed, of in zip(seeds, made, strict=True) for hand in of]
    write_sheets(folder, [picture for *_, picture in hands])
    write_list(folder / ANSWERS.name, COLUMNS, [which for *which, _ in hands])


def write_sheets(folder: Path, cells: Sequence[Image]) -> None:
    """Write numbered sheets of hands into a folder."""
    for start in range(0, len(cells), _ACROSS * _DOWN):
        laid = sheet(cells[start : start + _ACROSS * _DOWN], start + 1)
        cv2.imwrite(str(folder / f"sheet-{start + 1:03d}.png"), laid)


def write_list(path: Path, columns: Sequence[str], hands: Iterable[Sequence[object]]) -> None:
    """Write a list of hands, numbered, to be filled in."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(columns)
        rows.writerows((number, *which, "", "", "") for number, which in enumerate(hands, 1))


def answered(path: Path, whole: Sequence[str]) -> Iterator[tuple[dict[str, str], list[int]]]:
    """Read a list that was filled in: what stands in each row, and what stands in columns of whole numbers.

    Raises click.ClickException where a row is not filled in.
    """
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            try:
                yield row, [int(row[column]) for column in whole]
            except (KeyError, TypeError, ValueError) as error:
                number = row.get("number")
                raise click.ClickException(f"Number {number} is not filled in with whole numbers.") from error


def _compared(job: tuple[int, Mapping[tuple[int, int], Numbers]]) -> list[tuple[int, bool, bool]]:
    """Tell of each hand of an evening how many pieces there are, whether the eye is right, and the companion."""
    seed, answers = job
    compared = []
    for one in looked_into(seed, scenes={scene for scene, _ in answers}.intersection(range(SCENES - 1))):
        told = answers.get((one.scene, one.hand.seat))
        if told is not None:
            least, most = one.case.least, one.case.most
            read = numbers(ranked(one.case, calibrated())[0].counts)
            compared.append((sum(most.values()), right(told, least, most), right(read, least, most)))
    return compared


def summary(compared: Sequence[tuple[int, bool, bool]]) -> dict[str, dict[str, int]]:
    """Sum up hands, each with how many pieces there are and whether the eye and the companion are right."""
    many, *judged = (np.array(column, int) for column in zip(*compared, strict=True))
    of = dict(zip(ROWS, (many < _MANY, many >= _MANY, many >= 0), strict=True))
    return {row: _row(*(each[chosen] > 0 for each in judged)) for row, chosen in of.items()}


def _row(eye: NDArray[np.bool_], companion: NDArray[np.bool_]) -> dict[str, int]:
    either = int((eye | companion).sum())
    return {"hands": len(eye), "eye": int(eye.sum()), "companion": int(companion.sum()), "either": either}


@main.command()
@click.argument("answers", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=ANSWERS)
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, show_default=True)
def judge(answers: Path, results: Path) -> None:
    """Tell how many of the answers in a list are right, and how many of the companion's."""
    by_evening: dict[int, dict[tuple[int, int], Numbers]] = defaultdict(dict)
    for _, (evening, scene, seat, *told) in answered(answers, COLUMNS[1:]):
        by_evening[evening][scene, seat] = (told[0], told[1], told[2])
    with multiprocessing.get_context("spawn").Pool() as pool:
        jobs = pool.imap(_compared, sorted(by_evening.items()))
        compared = [one for of in track(jobs, "Looking into hands", total=len(by_evening)) for one in of]
    if not compared or len(compared) < sum(map(len, by_evening.values())):
        raise click.ClickException(NOT_THERE)
    conclude(summary(compared), results)


def conclude(rows: Mapping[str, Mapping[str, int]], results: Path) -> None:
    """Write down what was summed up, and print it."""
    results.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    table = Table(title="hands told right (rendered, one frame)", title_justify="left", box=None)
    for title in ("", "by eye", "by the companion", "by one of them"):
        table.add_column(title)
    for name, of in rows.items():
        table.add_row(name, *(share(of[key], of["hands"]) for key in ("eye", "companion", "either")))
    Console().print(table)


if __name__ == "__main__":
    main()
