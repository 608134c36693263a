"""Accuracy of detecting cards by their edges alone, on photographs by others.

`python -m models.evaluation.cards_and_boards.photographed_cards DATA` prints a table and writes every picture's
result to `models/results/photographed-cards.json`. DATA holds `card-photos`, not part of the project. Detections
and labelled cards are matched one to one; a detection is right from an intersection over union of 0.5.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from xml.etree import ElementTree

import click
from rich.console import Console
from rich.table import Table

from calibration.files.picture_files import read_picture
from calibration.plane import Image
from models.evaluation import RESULTS_FOLDER
from models.evaluation.measuring.edge_card_baseline import find_cards
from vision.bounding_boxes import overlap
from vision.readings import Box

RESULTS = RESULTS_FOLDER / "photographed-cards.json"
MIN_OVERLAP = 0.5
"""Smallest intersection over union of a right detection and its card."""


@dataclass(frozen=True, slots=True)
class Photograph:
    """A photograph of cards with their labels."""

    name: str
    """File name."""
    image: Image
    """BGR picture."""
    cards: tuple[Box, ...]
    """Labelled boxes (x, y, width, height in px) of all cards."""


@dataclass(frozen=True, slots=True)
class DetectionScore:
    """Numbers of right and wrong detections and of missed cards."""

    right: int = 0
    """Right detections."""
    wrong: int = 0
    """Wrong detections."""
    missed: int = 0
    """Cards that were not detected."""

    def __add__(self, other: DetectionScore) -> DetectionScore:
        """Return the sum of two scores."""
        return DetectionScore(self.right + other.right, self.wrong + other.wrong, self.missed + other.missed)

    @property
    def precision(self) -> float:
        """Fraction of detections that are right."""
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Fraction of cards that were detected."""
        return self.right / max(1, self.right + self.missed)


def score_finds(found: Sequence[Box], true: Sequence[Box]) -> DetectionScore:
    """Match detected and true boxes one to one, best overlap first, and count right, wrong and missed ones."""
    pairs = sorted(
        ((overlap(box, place), i, j) for i, box in enumerate(found) for j, place in enumerate(true)), reverse=True
    )
    taken: dict[int, int] = {}
    for shared, i, j in pairs:
        if shared >= MIN_OVERLAP and i not in taken and j not in taken.values():
            taken[i] = j
    return DetectionScore(len(taken), len(found) - len(taken), len(true) - len(taken))


def photographs(folder: Path) -> Iterator[Photograph]:
    """Yield the labelled photographs in a folder's subfolders; labels are XML files in the format of Pascal VOC."""
    for path in sorted(folder.glob("*/*.xml")):
        picture = next(iter(sorted(path.parent.glob(f"{path.stem}.[jJ]*"))), None)
        if picture is None:
            continue
        root = ElementTree.parse(path).getroot()  # noqa: S314 - somebody's own data folder
        image = read_picture(picture)
        width = float(root.findtext("size/width") or image.shape[1])
        scale = image.shape[1] / width
        boxes = []
        for box in root.iter("bndbox"):
            left, top, right, bottom = (
                float(box.findtext(side) or 0) * scale for side in ("xmin", "ymin", "xmax", "ymax")
            )
            boxes.append((left, top, right - left, bottom - top))
        yield Photograph(picture.name, image, tuple(boxes))


@click.command()
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(data: Path) -> None:
    """Evaluate all photographs, print the table and write the results. DATA: folder of the photographs."""
    scores = {one.name: score_finds(find_cards(one.image), one.cards) for one in photographs(data / "card-photos")}
    total = sum(scores.values(), start=DetectionScore())
    table = Table(title="Photographed cards, by their edges", title_justify="left", box=None)
    for heading in ("pictures", "cards", "precision", "recall", "wrong"):
        table.add_column(heading)
    shares = (f"{100 * total.precision:.1f} %", f"{100 * total.recall:.1f} %")
    table.add_row(str(len(scores)), str(total.right + total.missed), *shares, str(total.wrong))
    Console(highlight=False, soft_wrap=True).print(table)
    results = {name: asdict(score) for name, score in scores.items()}
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
