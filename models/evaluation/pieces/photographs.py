"""Photographs by others, in no training set: wooden pieces on printed boards, and cards on real grounds.

`python -m models.evaluation.pieces.photographs DATA` prints a table and writes every picture's result to
`models/results/photographs.json`. DATA holds `wooden-pieces-photos` and `card-photos`, not part of the project.

Pieces: each colour is enrolled from two boards by the boxes of its pieces (at most 24 per colour and board, as by
`companion enrol pieces --boxes`). All design decisions were made on the six boards of SET_APART, which are used for
enrolment only; the others are evaluated. Several photographs of one board, including rotated or mirrored copies,
count as one. A find is right when colour and position agree: intersection over union of 0.3 or more, matched one to
one; an error is undetected when it needs no confirmation.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from xml.etree import ElementTree

import click
import cv2
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from calibration.picture_files import read_picture
from calibration.pieces.enrolment import enrol_marked
from calibration.pieces.samples import MOST_SPECIMENS
from calibration.plane import Image
from calibration.profile import TableProfile
from models.evaluation import RESULTS_FOLDER
from models.evaluation.measuring.edge_card_baseline import find_cards
from models.evaluation.metrics.confidence import Bin, expected_calibration_error, reliability
from vision.boxes import overlap
from vision.counting.table_counter import PieceCounter
from vision.readings import Box

RESULTS = RESULTS_FOLDER / "photographs.json"
COLOURS = ("blue", "orange", "red", "white")
KINDS = dict(zip(COLOURS, ("token:blue", "token:yellow", "token:red", "token:green"), strict=True))
"""Kinds of the profile that represent the four colours; the assignment is arbitrary."""
ENROLLED_PAIRS = (("board6", "board19"), ("board1", "board16"), ("board8", "board21"))
"""Pairs of boards for enrolment, one from each of two rooms; not chosen by their results."""
SET_APART = tuple(sorted({name for pair in ENROLLED_PAIRS for name in pair}))
PX_PER_MM = 2.0
"""Assumed scale of the photographs, px/mm."""
PIECE_OVERLAP = 0.3
"""Intersection over union from which a piece is found."""
CARD_OVERLAP = 0.5
"""Intersection over union from which a card is found."""
SAME_LABEL = 0.6
"""Intersection over union above which two labels of one kind are the same object."""

Labelled = tuple[str, Box]


@dataclass(frozen=True, slots=True)
class Photograph:
    """A photograph with its labels: names and boxes (x, y, width, height) in px."""

    name: str
    """Name without variants."""
    image: Image
    """BGR picture."""
    labels: tuple[Labelled, ...]
    """Name and box (x, y, width, height in px) of each object."""


@dataclass(frozen=True, slots=True)
class DetectionScore:
    """Numbers of right finds, wrong finds, misses, and wrong finds without confirmation (silent), by name."""

    right: Counter[str]
    """Right finds, by name."""
    wrong: Counter[str]
    """Wrong finds, by name."""
    missed: Counter[str]
    """Objects that were not found, by name."""
    silent: Counter[str]
    """Wrong finds that need no confirmation, by name."""

    def __add__(self, other: DetectionScore) -> DetectionScore:
        """Return the sum of two scores."""
        return DetectionScore(
            self.right + other.right,
            self.wrong + other.wrong,
            self.missed + other.missed,
            self.silent + other.silent,
        )

    def precision(self, names: Sequence[str]) -> float:
        """Return the fraction of finds that are right."""
        right = sum(self.right[name] for name in names)
        return right / max(1, right + sum(self.wrong[name] for name in names))

    def recall(self, names: Sequence[str]) -> float:
        """Return the fraction of true objects that were found."""
        right = sum(self.right[name] for name in names)
        return right / max(1, right + sum(self.missed[name] for name in names))


NOTHING = DetectionScore(Counter(), Counter(), Counter(), Counter())


def score_finds(
    found: Sequence[Labelled],
    true: Sequence[Labelled],
    taken: Mapping[int, int],
    doubtful: Collection[Box] = (),
) -> DetectionScore:
    """Return the score of finds. taken: from `paired`. doubtful: boxes of finds that need confirmation."""
    return DetectionScore(
        Counter(found[i][0] for i in taken),
        Counter(name for i, (name, _) in enumerate(found) if i not in taken),
        Counter(name for j, (name, _) in enumerate(true) if j not in taken.values()),
        Counter(name for i, (name, box) in enumerate(found) if i not in taken and box not in doubtful),
    )


def paired(found: Sequence[Labelled], true: Sequence[Labelled], least: float) -> dict[int, int]:
    """Return the index of the true object by index of the find, matched one to one by name and best overlap."""
    pairs = sorted(
        (
            (overlap(box, place), i, j)
            for i, (name, box) in enumerate(found)
            for j, (own, place) in enumerate(true)
            if name == own and overlap(box, place) >= least
        ),
        reverse=True,
    )
    taken: dict[int, int] = {}
    for _, i, j in pairs:
        if i not in taken and j not in taken.values():
            taken[i] = j
    return taken


def boards(folder: Path) -> dict[str, Photograph]:
    """Return one photograph of each distinct board, by the first part of its file name."""
    kept: dict[str, Photograph] = {}
    histograms: list[np.ndarray] = []
    for path in sorted(folder.glob("*/*.jpg")):
        name = path.name.split("_")[0]
        labels = _yolo(path.with_suffix(".txt"), 640, 640)
        if name in kept or not labels:
            continue
        image = read_picture(path)
        lab = cv2.cvtColor(image, cv2.COLOR_BGR2Lab)
        # Histograms are invariant to rotation and mirroring.
        histogram = cv2.calcHist([lab], [0, 1, 2], None, [16, 16, 16], [0, 256] * 3)
        if any(cv2.compareHist(histogram, other, cv2.HISTCMP_CORREL) > 0.999 for other in histograms):
            continue
        histograms.append(histogram)
        kept[name] = Photograph(path.name, image, labels)
    return kept


def _yolo(path: Path, width: int, height: int) -> tuple[Labelled, ...]:
    """Read a YOLO label file; a piece that is labelled twice counts once."""
    labels: list[Labelled] = []
    for line in path.read_text().splitlines():
        number, x, y, w, h = (float(value) for value in line.split())
        box = ((x - w / 2) * width, (y - h / 2) * height, w * width, h * height)
        name = COLOURS[int(number) // 3]
        if all(name != other or overlap(box, place) <= SAME_LABEL for other, place in labels):
            labels.append((name, box))
    return tuple(labels)


def evaluated_boards(
    photographs: Mapping[str, Photograph], shown: Collection[str], *, choosing: bool
) -> list[Photograph]:
    """Return the boards to evaluate. shown: used for enrolment. choosing: those of SET_APART, not all others."""
    return [one for name, one in photographs.items() if (name in SET_APART) is choosing and name not in shown]


def enrolled_profile(shown: Sequence[Photograph], without: str = "") -> TableProfile:
    """Return a profile enrolled from the labelled pieces on some boards. without: colour to leave out."""
    profile = TableProfile(4).with_flat(PX_PER_MM, 4)
    for photograph in shown:
        height, width = photograph.image.shape[:2]
        for colour, kind in KINDS.items():
            if colour == without:
                continue
            boxes = [_inside(box, width, height) for name, box in photograph.labels if name == colour]
            profile = enrol_marked(profile, kind, photograph.image, boxes=boxes[:MOST_SPECIMENS], force=True)
    return profile


def _inside(box: Box, width: int, height: int) -> Box:
    x, y = max(0.0, box[0]), max(0.0, box[1])
    return x, y, min(box[0] + box[2], width) - x, min(box[1] + box[3], height) - y


Judged = tuple[str, DetectionScore, Sequence[tuple[float, bool]]]
"""A photograph's name, its score, and (confidence, right) of each find."""


def evaluate_boards(shown: Sequence[Photograph], others: Sequence[Photograph]) -> Iterator[Judged]:
    """Enrol from the boards `shown`; yield the result of each of the others."""
    counter = PieceCounter(enrolled_profile(shown))
    names = {kind: colour for colour, kind in KINDS.items()}
    for photograph in others:
        reading = counter.count(photograph.image)
        found = [(names[piece.kind], piece.box) for piece in reading.pieces]
        doubtful = {thing.box for thing in reading.doubtful}
        taken = paired(found, photograph.labels, PIECE_OVERLAP)
        said = [(piece.confidence, number in taken) for number, piece in enumerate(reading.pieces)]
        yield photograph.name, score_finds(found, photograph.labels, taken, doubtful), said


def cards(folder: Path) -> Iterator[Photograph]:
    """Yield the photographs of cards with their labels."""
    for path in sorted(folder.glob("*/*.xml")):
        picture = next(iter(sorted(path.parent.glob(f"{path.stem}.[jJ]*"))), None)
        if picture is None:
            continue
        root = ElementTree.parse(path).getroot()  # noqa: S314 - somebody's own data folder
        image = read_picture(picture)
        width = float(root.findtext("size/width") or image.shape[1])
        scale = image.shape[1] / width
        labels = []
        for box in root.iter("bndbox"):
            left, top, right, bottom = (
                float(box.findtext(side) or 0) * scale for side in ("xmin", "ymin", "xmax", "ymax")
            )
            labels.append(("card", (left, top, right - left, bottom - top)))
        yield Photograph(picture.name, image, tuple(labels))


PARTS = ("pieces", "cards")


@click.command()
@click.option("--only", type=click.Choice(PARTS), multiple=True, help="Evaluate only this; other results are kept.")
@click.option("--choosing", is_flag=True, help="Evaluate pieces on the boards set apart instead; writes nothing.")
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(data: Path, only: tuple[str, ...], choosing: bool) -> None:
    """Evaluate pieces and cards, print the table and write the results. DATA: folder of the photographs."""
    console = Console(highlight=False, soft_wrap=True)
    table = Table(title="Photographs, never trained on", title_justify="left", box=None)
    for heading in ("photographs", "pictures", "things", "precision", "recall", "wrong", "silently"):
        table.add_column(heading)
    results: dict[str, object] = {}
    if choosing or "pieces" in (only or PARTS):
        results |= _judge_pieces(data / "wooden-pieces-photos", table, console, choosing=choosing)
    if not choosing and "cards" in (only or PARTS):
        results |= _judge_cards(data / "card-photos", table)
    console.print(table)
    if not choosing:
        known = json.loads(RESULTS.read_text("utf-8")) if only and RESULTS.exists() else {}
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps({**known, **results}, indent=1, sort_keys=True) + "\n", "utf-8")


def _judge_pieces(folder: Path, table: Table, console: Console, *, choosing: bool) -> dict[str, object]:
    results: dict[str, object] = {}
    photographs = boards(folder)
    whole, pictures = NOTHING, 0
    answers: list[tuple[float, bool]] = []
    for pair in ENROLLED_PAIRS:
        others = evaluated_boards(photographs, pair, choosing=choosing)
        judging = evaluate_boards([photographs[name] for name in pair], others)
        scores = {}
        for name, score, said in track(judging, " and ".join(pair), total=len(others), console=console):
            scores[name] = score
            answers += said
        total = sum(scores.values(), start=NOTHING)
        whole, pictures = whole + total, pictures + len(scores)
        results["pieces after " + " and ".join(pair)] = {name: _counts_of(score) for name, score in scores.items()}
        _row(table, f"pieces by colour, taught {' and '.join(pair)}", len(scores), total, COLOURS)
    for colour in COLOURS:
        _row(table, f"all three: {colour}", pictures, whole, (colour,))
    _row(table, "all three: all colours", pictures, whole, COLOURS)
    bins = reliability(answers)
    results["pieces: said to be so sure, and right"] = [asdict(one) for one in bins]
    console.print(_reliability(bins))
    return results


def _reliability(bins: Sequence[Bin]) -> Table:
    """Return a printable table of accuracy by confidence."""
    table = Table(title="Pieces among print: right of those said to be so sure", title_justify="left", box=None)
    for heading in ("said", "finds", "said on average", "right"):
        table.add_column(heading)
    for one in bins:
        said, right = f"{100 * one.confidence:.0f} %", f"{100 * one.right:.0f} %"
        table.add_row(f"{one.low:.2f} to {one.high:.2f}", str(one.count), said, right)
    table.add_row("off on average", "", f"{100 * expected_calibration_error(bins):.1f} %", "")
    return table


def _judge_cards(folder: Path, table: Table) -> dict[str, object]:
    scores = {}
    for photograph in cards(folder):
        found = [("card", box) for box in find_cards(photograph.image)]
        scores[photograph.name] = score_finds(
            found, photograph.labels, paired(found, photograph.labels, CARD_OVERLAP)
        )
    _row(table, "cards as such, by their edges", len(scores), sum(scores.values(), start=NOTHING), ("card",))
    return {"cards": {name: _counts_of(score) for name, score in scores.items()}}


def _row(table: Table, told: str, pictures: int, score: DetectionScore, names: Sequence[str]) -> None:
    things = sum(score.right[name] + score.missed[name] for name in names)
    shares = (f"{100 * score.precision(names):.1f} %", f"{100 * score.recall(names):.1f} %")
    wrong, silent = (str(sum(counter[name] for name in names)) for counter in (score.wrong, score.silent))
    table.add_row(told, str(pictures), str(things), *shares, wrong, silent)


def _counts_of(score: DetectionScore) -> dict[str, list[int]]:
    """Return a score as plain values for JSON: right, wrong, missed, and undetected errors by name."""
    names = sorted(score.right | score.wrong | score.missed)
    return {name: [score.right[name], score.wrong[name], score.missed[name], score.silent[name]] for name in names}


if __name__ == "__main__":
    main()
