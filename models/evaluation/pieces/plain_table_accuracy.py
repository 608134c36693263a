"""Accuracy of calibration, enrolment and counting on rendered tables without pattern, cards or boards.

`python -m models.evaluation.pieces.plain_table_accuracy` prints a table and writes every session's result to
`models/results/plain-tables.json`. Sessions are held out as defined by
`models.evaluation.scenes.held_out_parameters`: looks, shapes and paints are in no training set. Each is enrolled
from one picture of the calibration sheet and one per kind of piece. Then pieces of all kinds lie apart from each
other on the bare table, and every one has to be counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.camera.calibrate import calibrate
from calibration.errors import CalibrationError
from calibration.pieces.enrolment import enrol, specimens_in
from calibration.plane import TablePlane
from calibration.profile import TableProfile
from models.evaluation import RESULTS_FOLDER
from models.evaluation.measuring.parallel import over_sessions
from models.evaluation.output.report import share
from models.evaluation.output.result_files import write_results
from models.evaluation.scenes.synthetic_sessions import KINDS, SyntheticSession, as_sent, specimens
from vision.cameras.simulated.scene import PieceOnTable, Pose, Scene
from vision.counting.table_counter import PieceCounter

RESULTS = RESULTS_FOLDER / "plain-tables.json"
FIRST_SEED = 5000
"""Seed of the first session, distinct from those of hand reading."""
SEATS = 4
"""Number of seats at a table."""
PICTURES = 4
"""Pictures per session that are counted."""
REACH_MM = 450.0
"""Distance from the table's centre within which the camera pose is evaluated, mm."""
MIDDLE_MM = 200.0
"""Distance from the table's centre within which specimens lie, mm."""
_MAX_OFFSET_MM = 8.0
"""Largest distance between a detected object and the specimen to which it is matched, mm."""
_MIN_SEPARATION_MM = 26.0
"""Smallest distance between pieces, mm."""
_TABLE_MM = (330.0, 190.0)
"""Half width and depth of the area with pieces, mm."""
_PIECE_RANGE = (8, 34)
"""Smallest and largest number of pieces in a picture."""
Spot = tuple[float, float]
"""Position on the table (x, y), mm."""


@dataclass(frozen=True, slots=True)
class CountResult:
    """Result of counting the pieces in one picture of a plain table."""

    lying: Mapping[str, int]
    """True number of pieces by kind."""
    counted: Mapping[str, int]
    """Counted pieces by kind."""
    doubtful: int
    """Number of objects that need confirmation."""
    milliseconds: float
    """Time of the count."""

    @property
    def exact(self) -> bool:
        """Whether the counts of all kinds are right."""
        return dict(self.lying) == dict(self.counted)


@dataclass(frozen=True, slots=True)
class SessionResult:
    """Result of one session."""

    seed: int
    """Seed of the session."""
    plane_mm: tuple[float, float, float, float] | None = None
    """Errors of the camera pose, as `plane_errors` returns them; None where calibration failed."""
    found: int = 0
    """Number of specimens found."""
    lay: int = 0
    """Number of specimens on the table."""
    strange: int = 0
    """Number of objects detected where no specimen lies."""
    tables: tuple[CountResult, ...] = ()
    """Result of each counted picture."""
    refused: str = ""
    """Why it could not be enrolled; empty when it was."""


def plane_errors(session: SyntheticSession, plane: TablePlane) -> tuple[float, float, float, float]:
    """Return statistics of the error, mm, with which a calibrated plane locates points on the table.

    They are the median within MIDDLE_MM, then the median, the 95th percentile and the maximum within REACH_MM.
    """
    steps = np.arange(-REACH_MM, REACH_MM + 1, 25.0)
    points = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    away = np.linalg.norm(points, axis=1)
    points, away = points[away <= REACH_MM], away[away <= REACH_MM]
    pixels = session.renderer.view.project(np.c_[points, np.zeros(len(points))])
    seen = ((pixels >= 0) & (pixels <= np.array(plane.image_size) - 1)).all(axis=1)
    off = np.linalg.norm(plane.to_table(pixels[seen]) - points[seen], axis=1)
    middle = off[away[seen] <= MIDDLE_MM]
    typical, far, farthest = np.median(off), np.percentile(off, 95), off.max()
    return _rounded(np.median(middle)), _rounded(typical), _rounded(far), _rounded(farthest)


def _rounded(mm: np.floating) -> float:
    return round(float(mm), 3)


def count_matches(found: Sequence[Spot], lying: Sequence[Spot]) -> int:
    """Return the number of specimens that were detected, matched one to one.

    found: positions of the detected objects; lying: true positions of the specimens.
    """
    left = list(found)
    pairs = 0
    for x, y in lying:
        near = min(left, key=lambda spot: np.hypot(spot[0] - x, spot[1] - y), default=None)
        if near is not None and np.hypot(near[0] - x, near[1] - y) <= _MAX_OFFSET_MM:
            left.remove(near)
            pairs += 1
    return pairs


def random_plain_table(rng: np.random.Generator) -> Scene:
    """Return a random scene with separate pieces of random kinds on a bare table."""
    width, depth = _TABLE_MM
    lying: list[PieceOnTable] = []
    number = int(rng.integers(_PIECE_RANGE[0], _PIECE_RANGE[1] + 1))
    while len(lying) < number:
        pose = Pose(
            float(rng.uniform(-width, width)), float(rng.uniform(-depth, depth)), float(rng.uniform(0, 360))
        )
        if all(np.hypot(pose.x - other.pose.x, pose.y - other.pose.y) >= _MIN_SEPARATION_MM for other in lying):
            lying.append(PieceOnTable(str(rng.choice(KINDS)), pose))
    return Scene(SEATS, tile=False, pieces=tuple(lying))


def measure(seed: int) -> SessionResult:
    """Render and enrol the session of a seed, count the pieces on its plain tables, and return the result."""
    cv2.setNumThreads(1)
    session = SyntheticSession(seed)
    renderer = session.renderer
    rng = np.random.default_rng([seed, 0x7EAC])
    errors, found, lay, strange = None, 0, 0, 0
    try:
        sheet = as_sent(renderer.render(Scene(SEATS, tile=False, sheet=True), 1))
        profile = TableProfile(SEATS).calibrated(calibrate(sheet, SEATS))
        if profile.plane is not None:
            errors = plane_errors(session, profile.plane)
        for number, kind in enumerate(KINDS):
            scene = specimens(kind, rng)
            picture = as_sent(renderer.render(scene, 10 + number))
            spots = [find.centre_mm for find in specimens_in(profile, kind, picture)]
            pairs = count_matches(spots, [(piece.pose.x, piece.pose.y) for piece in scene.pieces])
            found, lay, strange = found + pairs, lay + len(scene.pieces), strange + len(spots) - pairs
            profile = enrol(profile, kind, [picture])
        counter = PieceCounter(profile)
        tables = tuple(_counted(session, counter, rng, number) for number in range(PICTURES))
    except CalibrationError as error:
        return SessionResult(seed, errors, found, lay, strange, refused=str(error))
    return SessionResult(seed, errors, found, lay, strange, tables)


def _counted(
    session: SyntheticSession, counter: PieceCounter, rng: np.random.Generator, number: int
) -> CountResult:
    """Render a random plain table, count its pieces, and return the result. number: of the picture."""
    scene = random_plain_table(rng)
    reading = counter.count(as_sent(session.renderer.render(scene, 100 + number)))
    lying = dict(sorted(Counter(piece.kind for piece in scene.pieces).items()))
    return CountResult(lying, dict(reading.counts), len(reading.doubtful), round(reading.milliseconds, 1))


def summary(sessions: Sequence[SessionResult]) -> dict[str, float | int]:
    """Return the totals over sessions as plain values for JSON."""
    planes = np.array([one.plane_mm for one in sessions if one.plane_mm is not None]).reshape(-1, 4)
    tables = [table for one in sessions for table in one.tables]
    pairs = [(table.lying.get(kind, 0), table.counted.get(kind, 0)) for table in tables for kind in KINDS]
    times = [table.milliseconds for table in tables]
    wrong = [table for table in tables if not table.exact]
    return {
        "evenings": len(sessions),
        "not_taught": sum(bool(one.refused) for one in sessions),
        "plane_middle_mm_median": round(float(np.median(planes[:, 0])), 3),
        "plane_mm_median": round(float(np.median(planes[:, 1])), 3),
        "plane_mm_95th": round(float(np.median(planes[:, 2])), 3),
        "plane_mm_worst": round(float(planes[:, 3].max()), 3),
        "specimens": sum(one.lay for one in sessions),
        "specimens_found": sum(one.found for one in sessions),
        "strange_things_taken": sum(one.strange for one in sessions),
        "tables": len(tables),
        "tables_exact": len(tables) - len(wrong),
        "tables_silently_wrong": sum(not table.doubtful for table in wrong),
        "tables_exact_but_asked": sum(table.exact and bool(table.doubtful) for table in tables),
        "pieces": sum(lying for lying, _ in pairs),
        "pieces_off": sum(abs(lying - counted) for lying, counted in pairs),
        "milliseconds_median": round(float(np.median(times)), 1) if times else 0.0,
        "milliseconds_95th": round(float(np.percentile(times, 95)), 1) if times else 0.0,
    }


def _print(console: Console, summarised: Mapping[str, float | int], sessions: Sequence[SessionResult]) -> None:
    table = Table(title="enrolment and plain tables (rendered, held-out looks)", title_justify="left", box=None)
    table.add_column("")
    table.add_column(f"{summarised['evenings']} sessions")
    for name, value in (
        ("plane's error in the middle, median", f"{summarised['plane_middle_mm_median']} mm"),
        (
            "… out to 450 mm, median (95th)",
            f"{summarised['plane_mm_median']} mm ({summarised['plane_mm_95th']} mm)",
        ),
        ("… the worst of all", f"{summarised['plane_mm_worst']} mm"),
        ("specimens found", f"{summarised['specimens_found']} of {summarised['specimens']}"),
        ("things taken that are none", str(summarised["strange_things_taken"])),
        ("plain tables counted exactly", share(int(summarised["tables_exact"]), int(summarised["tables"]))),
        ("… undetected errors", str(summarised["tables_silently_wrong"])),
        ("… right, but asked about", str(summarised["tables_exact_but_asked"])),
        ("pieces too many or too few", f"{summarised['pieces_off']} of {summarised['pieces']}"),
        (
            "a picture, median (95th)",
            f"{summarised['milliseconds_median']} ms ({summarised['milliseconds_95th']} ms)",
        ),
    ):
        table.add_row(name, value)
    console.print(table)
    for one in sessions:
        if one.refused:
            console.print(f"{one.seed}: not enrolled: {one.refused}")
        for number, plain in enumerate(one.tables):
            if not plain.exact:
                marked = f"{plain.doubtful} doubtful" if plain.doubtful else "silently"
                console.print(f"{one.seed}/{number}: {_format_count_errors(plain)}; {marked}")


def _format_count_errors(plain: CountResult) -> str:
    """Format the wrong counts as in "search:red 3 of 4" (counted of lying)."""
    kinds = sorted({*plain.lying, *plain.counted})
    pairs = [(kind, plain.lying.get(kind, 0), plain.counted.get(kind, 0)) for kind in kinds]
    return ", ".join(f"{kind} {counted} of {lying}" for kind, lying, counted in pairs if lying != counted)


@click.command()
@click.option("--sessions", default=20, show_default=True, type=click.IntRange(1, 500), help="Four tables each.")
@click.option("--first", default=FIRST_SEED, show_default=True, help="Seed of the first session.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option(
    "--results",
    default=RESULTS,
    show_default="models/results/plain-tables.json",
    type=click.Path(path_type=Path, dir_okay=False),
)
def main(sessions: int, first: int, processes: int, results: Path) -> None:
    """Evaluate calibration, enrolment and counting on plain tables, print a table and write the results."""
    console = Console(highlight=False, soft_wrap=True)
    measured = over_sessions(measure, first, sessions, processes, "Enrolling", console)
    summarised = summary(measured)
    _print(console, summarised, measured)
    write_results(results, first, summarised, [asdict(one) for one in measured])


if __name__ == "__main__":
    main()
