"""Photographed hands, never trained on: are fingers taken for pieces, and are open hands and fists told apart?

`python -m models.evaluation.photographed_hands DATA` prints a table and writes
`models/results/photographed-hands.json`. DATA holds `hands-photos/open` and `/fist`, no part of the project: empty
hands that are raised towards a webcam, cut out close. A hand over a table is seen from above, with its arm, and
holds something: this shows how a detector trained on renders takes to photographs, not how well a reveal is read.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.pictures import read_picture
from models.evaluation.report import share
from vision.cameras.frame import Image
from vision.detector import CROP_PX
from vision.detector.network import Network

RESULTS = Path(__file__).parent.parent / "results" / "photographed-hands.json"
_CLOSE_PX, _WIDE_PX = 230, 64
"""A hand's longer side at the scales of pieces and of hands: some 145 and 195 mm, for what is cut out varies."""
_LEAST = 0.2


def framed(photo: Image, longer_px: int, side_px: int) -> Image:
    """Bring a photograph to a size and lay it on a square of its own middling colour."""
    scale = longer_px / max(photo.shape[:2])
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=flags)
    square = np.empty((side_px, side_px, 3), np.uint8)
    square[:] = np.median(small.reshape(-1, 3), axis=0)
    top, left = (side_px - small.shape[0]) // 2, (side_px - small.shape[1]) // 2
    square[top : top + small.shape[0], left : left + small.shape[1]] = small
    return square


def measure(data: Path, network: Network) -> dict[str, dict[str, int]]:
    """Count, for open hands and fists: photographs, those with a "piece", and what the hand is taken for."""
    told = {}
    for state in ("open", "fist"):
        counts: Counter[str] = Counter()
        for file in sorted((data / "hands-photos" / state).glob("*.*")):
            photo = read_picture(file)
            counts["photographs"] += 1
            close = network.detect([framed(photo, _CLOSE_PX, CROP_PX)], _LEAST)[0]
            counts["with_a_piece"] += any(seen.label == "piece" for seen in close)
            wide = network.detect([framed(photo, _WIDE_PX, CROP_PX)], _LEAST)[0]
            hands = [seen for seen in wide if seen.label in ("open", "closed")]
            counts[max(hands, key=lambda seen: seen.score).label if hands else "not_found"] += 1
        told[state] = {
            name: counts[name] for name in ("photographs", "with_a_piece", "open", "closed", "not_found")
        }
    return told


@click.command()
@click.argument("data", type=click.Path(path_type=Path, exists=True, file_okay=False))
def main(data: Path) -> None:
    """Measure on photographed hands and write down the result."""
    if not (data / "hands-photos").is_dir():
        raise click.ClickException(f"There is no hands-photos in {data}.")
    told = measure(data, Network())
    table = Table(title="hands raised towards a webcam (photographed)", title_justify="left", box=None)
    for title in ("", "open", "fists"):
        table.add_column(title)
    for title, name in (("empty, yet a piece is seen", "with_a_piece"), ("taken for an open hand", "open"),
                        ("taken for a fist", "closed"), ("not found", "not_found")):  # fmt: skip
        table.add_row(title, *(share(counts[name], counts["photographs"]) for counts in told.values()))
    Console().print(table)
    RESULTS.write_text(json.dumps(told, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
