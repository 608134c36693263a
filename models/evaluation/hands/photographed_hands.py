"""Accuracy of the networks on photographs of empty hands: false pieces, and open hands confused with fists.

`python -m models.evaluation.hands.photographed_hands DATA` prints a table and writes
`models/results/photographed-hands.json`. DATA holds `hands-photos/open` and `/fist`, not part of the project:
cropped pictures of empty hands raised towards a webcam, in no training set. In play, hands are seen from above,
with arms, and hold pieces. So this measures how detectors trained on renders transfer to photographs, not the
accuracy of reading a reveal.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from calibration.files.picture_files import read_picture
from models.detector.hand_photographs import CLOSE_PX, STATES, WIDE_PX, framed, photograph_files
from models.evaluation import RESULTS_FOLDER
from models.evaluation.output.report import share
from vision.detector import CLOSE_PX_PER_MM, CROP_PX
from vision.detector.inference_augmentation import detect_augmented
from vision.detector.model_set import ModelSet
from vision.detector.open_closed_classifier import hand_patch
from vision.hands.hand_contents_reader import MAX_PASSES
from vision.hands.hand_detection import fuse_hands, with_combined_state

RESULTS = RESULTS_FOLDER / "photographed-hands.json"
_MIN_SCORE = 0.2
"""Smallest score of a detected piece or hand."""


def measure(data: Path, networks: ModelSet) -> dict[str, dict[str, int]]:
    """Return numbers of photographs by outcome, for open hands ("open") and for fists ("fist").

    Outcomes: all photographs; those in which a piece is detected although the hand is empty; and those in which the
    hand is detected as open, as closed, or not at all.
    """
    by_state = {}
    for state in STATES:
        counts: Counter[str] = Counter()
        for file in photograph_files(data / "hands-photos", state, held_out=True):
            photo = read_picture(file)
            counts["photographs"] += 1
            close = framed(photo, CLOSE_PX, CROP_PX)
            counts["with_a_piece"] += bool(
                detect_augmented(networks.hand_crop_detectors, close, "piece", _MIN_SCORE, MAX_PASSES)
            )
            hands = fuse_hands(networks.hands.detect([framed(photo, WIDE_PX, CROP_PX)], _MIN_SCORE)[0])
            (look,) = networks.open_closed.log_odds(
                [hand_patch(close, (0.0, 0.0, CROP_PX, CROP_PX), CLOSE_PX_PER_MM)]
            )
            counts[with_combined_state(hands[0], float(look)).state if hands else "not_found"] += 1
        by_state[state] = {
            name: counts[name] for name in ("photographs", "with_a_piece", "open", "closed", "not_found")
        }
    return by_state


@click.command()
@click.argument("data", type=click.Path(path_type=Path, exists=True, file_okay=False))
def main(data: Path) -> None:
    """Evaluate the networks on photographed hands, print a table and write the results."""
    if not (data / "hands-photos").is_dir():
        raise click.ClickException(f"There is no hands-photos in {data}.")
    by_state = measure(data, ModelSet.shipped())
    table = Table(title="hands raised towards a webcam (photographed)", title_justify="left", box=None)
    for title in ("", "open", "fists"):
        table.add_column(title)
    for title, name in (
        ("empty, yet a piece is seen", "with_a_piece"),
        ("taken for an open hand", "open"),
        ("taken for a fist", "closed"),
        ("not found", "not_found"),
    ):
        table.add_row(title, *(share(counts[name], counts["photographs"]) for counts in by_state.values()))
    Console().print(table)
    RESULTS.write_text(json.dumps(by_state, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
