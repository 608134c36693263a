"""Accuracy of enrolling each kind of piece from one picture, on several grounds (table tops) and camera tilts.

`python -m models.evaluation.pieces.enrolment_accuracy` prints a table and writes a row per kind, ground and tilt to
`models/results/enrolment.json`. Each world is a rendered table with a held-out look and pieces, one ground and one
tilt. It is calibrated from one picture of the calibration sheet, then enrolled kind by kind, as by the commands.
Areas of the specimens that are found are compared with those of their true masks in the same picture.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from calibration.camera.calibrate import calibrate
from calibration.errors import CalibrationError
from calibration.pieces.enrolment import enrol, resembled_kind, specimens_in
from calibration.pieces.segmentation import MIDDLE, PX_PER_MM, SegmentedObject, object_of_mask
from calibration.plane import TablePlane
from calibration.profile import TableProfile
from companion.adapters.wicked.bots.card_faces import card_faces
from companion.games.wicked.standin_deck import STANDIN
from models.evaluation import RESULTS_FOLDER
from models.evaluation.measuring.parallel import over_sessions
from models.evaluation.output.report import share
from models.evaluation.scenes import held_out_parameters
from models.evaluation.scenes.synthetic_sessions import KINDS, as_sent, specimens
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.appearance import TableTop
from vision.cameras.simulated.scene import Scene

RESULTS = RESULTS_FOLDER / "enrolment.json"
FIRST_SEED = 60_000
"""Seed of the first world."""
TILTS = (3.0, 12.0, 22.0, 34.0)
"""Tilts of the camera, degrees from straight down."""
GROUNDS: tuple[TableTop, ...] = ("wood", "felt", "stone")
"""Table tops of the worlds."""
SEATS = 4
"""Number of seats at a table."""
_SAME_PLACE_MM = 8.0
"""Maximum distance between a detected object and the specimen to which it is matched, mm."""
MAX_AREA_RATIO = 1.25
"""Largest right ratio of measured to true area; its inverse is the smallest."""
MIN_FOUND_SHARE = 0.5
"""Smallest fraction of a kind's specimens that must be found."""


@dataclass(frozen=True, slots=True)
class KindEnrolled:
    """Result of enrolling one kind in one world."""

    ground: str
    """Name of the ground."""
    tilt: float
    """Tilt of the camera, degrees."""
    kind: str
    """Kind of the pieces."""
    lay: int
    """Number of specimens on the table."""
    found: int
    """Number of specimens found."""
    strange: int
    """Number of objects detected where no specimen lies."""
    area_ratio: float | None
    """Median ratio of measured to true area; None where nothing was found."""
    refused: str = ""
    """Why the kind was not enrolled; empty when it was."""
    taken_for_another: bool = False
    """Whether its specimens resemble another enrolled kind."""

    @property
    def right(self) -> bool:
        """Whether the kind was enrolled from at least half of its specimens and nothing else, in the right size."""
        if self.refused or self.area_ratio is None:
            return False
        right_size = 1 / MAX_AREA_RATIO <= self.area_ratio <= MAX_AREA_RATIO
        return right_size and not self.strange and self.found >= MIN_FOUND_SHARE * self.lay


def look_of(seed: int, ground: TableTop, tilt: float) -> Look:
    """Return the held-out look of a seed with a given ground and tilt of the camera, degrees."""
    look = held_out_parameters.look(seed)
    height = look.height * float(np.cos(np.radians(0.6 * tilt)))
    return replace(look, table=ground, tilt=tilt, height=height)


def measure_world(number: int) -> list[KindEnrolled]:
    """Render one world (table, camera and pieces), enrol all kinds in it, and return one result per kind.

    number: of the world, from 0; it determines table top, tilt of the camera and seed.
    """
    ground, tilt = GROUNDS[number % len(GROUNDS)], TILTS[number // len(GROUNDS) % len(TILTS)]
    return measure(look_of(FIRST_SEED + number, ground, tilt), ground)


def measure(look: Look, ground: str) -> list[KindEnrolled]:
    """Render a table, enrol all kinds from one picture each, and return one result per kind.

    look: camera, light and table top; ground: name of the table top in the results.
    """
    cv2.setNumThreads(1)
    made = held_out_parameters.random_pieces(look.seed)
    renderer = Renderer(look, {**card_faces(STANDIN), **made.faces}, made.solids)
    rng = np.random.default_rng([look.seed, 0xE401])
    sheet = as_sent(renderer.render(Scene(SEATS, tile=False, sheet=True), 1))
    profile = TableProfile(SEATS).calibrated(calibrate(sheet, SEATS))
    rows = []
    for number, kind in enumerate(KINDS):
        scene = specimens(kind, rng)
        picture = as_sent(renderer.render(scene, 10 + number))
        truth = _true_objects(renderer, scene, profile)
        finds: Sequence[SegmentedObject] = ()
        refused, like = "", None
        try:
            finds = specimens_in(profile, kind, picture)
            like = resembled_kind(profile, kind, picture, finds)
            profile = enrol(profile, kind, [picture])
        except CalibrationError as error:
            refused = str(error)
        pairs = _pairs(finds, truth)
        ratios = [found.area_mm2 / true.area_mm2 for found, true in pairs]
        ratio = round(float(np.median(ratios)), 3) if ratios else None
        strange = len(finds) - len(pairs)
        rows.append(
            KindEnrolled(ground, look.tilt, kind, len(truth), len(pairs), strange, ratio, refused, like is not None)
        )
    return rows


def _true_objects(renderer: Renderer, scene: Scene, profile: TableProfile) -> list[SegmentedObject]:
    """Return the objects that perfect segmentation of a scene's specimens would detect."""
    if profile.plane is None:
        raise ValueError("the profile is calibrated first")
    masks = renderer.piece_masks(scene)
    found = (_object_of_camera_mask(mask, profile.plane) for mask in masks)
    return [one for one in found if one is not None]


def _object_of_camera_mask(mask: NDArray[np.bool_], plane: TablePlane) -> SegmentedObject | None:
    """Return the object that a mask in the camera's picture shows; None if it is not measurable."""
    seen = plane.rectify(mask.astype(np.uint8)[..., None] * np.uint8(255), PX_PER_MM, MIDDLE) > 127
    return object_of_mask(seen, MIDDLE, 1.0, np.inf)


def _pairs(
    finds: Sequence[SegmentedObject], truth: Sequence[SegmentedObject]
) -> list[tuple[SegmentedObject, SegmentedObject]]:
    """Return pairs of a detected object and the true specimen at its place, matched one to one."""
    left = list(finds)
    pairs = []
    for true in truth:
        away = [float(np.hypot(*np.subtract(find.centre_mm, true.centre_mm))) for find in left]
        if away and min(away) < _SAME_PLACE_MM:
            pairs.append((left.pop(int(np.argmin(away))), true))
    return pairs


def _print(console: Console, rows: Sequence[KindEnrolled]) -> None:
    table = Table(title="enrolment, one picture a kind (rendered)", title_justify="left", box=None)
    for column in ("ground", "right", "refused", "taken for another", "specimens", "strange", "wrong size"):
        table.add_column(column)
    grounds = dict.fromkeys(row.ground for row in rows)
    groups = {ground: [row for row in rows if row.ground == ground] for ground in grounds} | {"all": list(rows)}
    for name, own in groups.items():
        wrong = sum(
            row.area_ratio is not None and not 1 / MAX_AREA_RATIO <= row.area_ratio <= MAX_AREA_RATIO for row in own
        )
        table.add_row(
            name,
            share(sum(row.right for row in own), len(own)),
            str(sum(bool(row.refused) for row in own)),
            str(sum(row.taken_for_another for row in own)),
            share(sum(row.found for row in own), sum(row.lay for row in own)),
            str(sum(row.strange for row in own)),
            str(wrong),
        )
    console.print(table)
    for row in rows:
        if row.refused:
            console.print(f"{row.ground}, {row.tilt:.0f}°, {row.kind}: {row.refused}")


@click.command()
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option("--results", default=RESULTS, show_default="models/results/…", type=click.Path(path_type=Path))
def main(processes: int, results: Path) -> None:
    """Evaluate enrolment on three grounds at four tilts, print a table and write the results."""
    console = Console(highlight=False, soft_wrap=True)
    worlds = over_sessions(measure_world, 0, len(GROUNDS) * len(TILTS), processes, "Enrolling", console)
    rows = [row for world in worlds for row in world]
    _print(console, rows)
    results.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n ".join(json.dumps(asdict(row)) for row in rows)
    results.write_text(f"[{lines}]\n", "utf-8")


if __name__ == "__main__":
    main()
