"""Accuracy of `companion count` with pieces that are not enrolled, and with long shadows (rendered).

`python -m models.evaluation.pieces.unknown_kinds` prints two tables and writes every session's result to
`models/results/unknown-kinds.json`. Sessions are held out as defined by
`models.evaluation.scenes.held_out_parameters`. Each kind is left out of the profile in turn. Pieces of other games
(strangers' pieces: cubes, discs, cylinders, meeples and other shapes in random paints) are never enrolled. Pieces
are counted in the light of enrolment, in another light, and under a lamp 15 to 40 degrees above the table. A piece
is counted silently when it is counted and no doubtful entry covers it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path

import click
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.camera.calibrate import calibrate
from calibration.errors import CalibrationError
from calibration.pieces.enrolment import enrol
from calibration.profile import TableProfile
from companion.adapters.wicked.bots.card_faces import card_faces
from companion.games.wicked.standin_deck import STANDIN
from models.evaluation import RESULTS_FOLDER
from models.evaluation.measuring.parallel import over_sessions
from models.evaluation.scenes import held_out_parameters
from models.evaluation.scenes.held_out_shapes import silhouette
from models.evaluation.scenes.synthetic_sessions import KINDS, as_sent, specimens
from vision.bounding_boxes import centre
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import PieceOnTable, Pose, Scene
from vision.cameras.simulated.solids import Solid
from vision.counting.table_counter import PieceCounter
from vision.games.wicked.simulated_piece_shapes import solid
from vision.readings import Box, CountReading

RESULTS = RESULTS_FOLDER / "unknown-kinds.json"
FIRST_SEED = 5000
"""Seed of the first session."""
SEATS = 4
"""Number of seats at a table."""
PICTURES = 2
"""Pictures per session in each light."""
STRANGERS = 14
"""Pieces of other games per session, which are never enrolled."""
LOW_LAMPS_DEG = (15.0, 20.0, 25.0, 30.0, 35.0, 40.0)
"""Elevations of the lamp in the pictures with long shadows, degrees above the table."""
MIN_PAINT_DISTANCE = 20.0
"""CIELAB distance of paints from which on people do not confuse an unknown piece with an enrolled one."""
_MIN_SEPARATION_MM = 34.0
"""Smallest distance between pieces, mm."""
_TABLE_MM = (330.0, 190.0)
"""Half width and depth of the area with pieces, mm."""
_STRANGER = "stranger:"
"""Prefix of the kinds of other games' pieces."""


@dataclass(frozen=True, slots=True)
class LoosePieces:
    """A picture of loose pieces on a bare table, with ground truth."""

    setting: str
    """Name of the light, as in the rows of the results."""
    image: Image
    """BGR picture."""
    lying: tuple[tuple[str, Box], ...]
    """Kind and box (px) of each piece."""


@dataclass(frozen=True, slots=True)
class EnrolledTable:
    """One session's table: its profile, and pictures to count."""

    profile: TableProfile
    """Profile with all kinds enrolled."""
    tables: tuple[LoosePieces, ...]
    """Pictures to count."""
    paint_distance: Mapping[str, float]
    """CIELAB distance of each other game's piece to the nearest paint of an enrolled kind, by kind."""


@dataclass(frozen=True, slots=True)
class PieceOutcomes:
    """How many of some pieces were counted, and as what."""

    pieces: int = 0
    """Number of pieces on the table."""
    silent: int = 0
    """Of these, counted as another kind without confirmation."""
    asked: int = 0
    """Of these, counted as another kind, with confirmation."""
    unknown: int = 0
    """Of these, reported as an unknown kind."""
    pointed_at: int = 0
    """Of these, reported as objects that are not counted."""
    right: int = 0
    """Of these, counted as their own kind without confirmation."""
    right_asked: int = 0
    """Of these, counted as their own kind, with confirmation."""
    missed: int = 0
    """Of these, not reported."""

    def __add__(self, other: PieceOutcomes) -> PieceOutcomes:
        """Return the sum of two results, field by field."""
        return PieceOutcomes(*map(sum, zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class FalsePieces:
    """Pieces counted where none lies."""

    tables: int = 0
    """Pictures."""
    silent: int = 0
    """Pieces counted without confirmation."""
    asked: int = 0
    """Pieces counted that need confirmation."""

    def __add__(self, other: FalsePieces) -> FalsePieces:
        """Return the sum of two results, field by field."""
        return FalsePieces(*map(sum, zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class UnknownKindsResult:
    """Result of one session."""

    seed: int
    """Seed of the session."""
    outcomes: Mapping[str, PieceOutcomes]
    """Outcomes of pieces, by row of the table."""
    false_pieces: Mapping[str, FalsePieces]
    """Pieces counted where none lies, by light."""
    refused: str = ""
    """Why the session could not be enrolled; empty when it was."""


def session(seed: int) -> EnrolledTable:
    """Render and enrol the session of a seed; return its profile and the pictures to count.

    Raises EnrolError or SheetError where enrolment fails.
    """
    look = held_out_parameters.look(seed)
    made = held_out_parameters.random_pieces(seed)
    rng = np.random.default_rng([seed, 0x0DD5])
    strangers = {f"{_STRANGER}{number}": _random_stranger(rng, number) for number in range(STRANGERS)}
    solids = {**made.solids, **strangers}
    faces = {**card_faces(STANDIN), **made.faces}

    def renderer(lit: Look) -> Renderer:
        return Renderer(lit, faces, solids)

    own = renderer(look)
    profile = TableProfile(SEATS).calibrated(
        calibrate(as_sent(own.render(Scene(SEATS, tile=False, sheet=True), 1)), SEATS)
    )
    for number, kind in enumerate(KINDS):
        profile = enrol(profile, kind, [as_sent(own.render(specimens(kind, rng), 10 + number))])
    tables = [_render_table(own, "light of enrolment", rng, number) for number in range(PICTURES)]
    for number in range(PICTURES):
        tables.append(_render_table(renderer(relit(look, rng)), "another light", rng, PICTURES + number))
    elevation = LOW_LAMPS_DEG[seed % len(LOW_LAMPS_DEG)]
    low = replace(look, light_elevation=elevation, light_azimuth=float(rng.uniform(0, 360)))
    for number in range(PICTURES):
        tables.append(
            _render_table(renderer(low), f"lamp at {elevation:.0f}°", rng, 2 * PICTURES + number, strangers=False)
        )
    paints = [_lab(solids.get(kind, solid(kind)).paint) for kind in KINDS]
    distance = {
        name: min(float(np.linalg.norm(_lab(one.paint) - paint)) for paint in paints)
        for name, one in strangers.items()
    }
    return EnrolledTable(profile, tuple(tables), distance)


def relit(look: Look, rng: np.random.Generator) -> Look:
    """Return a copy of a look with a random position of the lamp, colour of light and exposure."""
    warm = float(rng.uniform(-0.08, 0.16))
    return replace(
        look,
        light_azimuth=float(rng.uniform(0, 360)),
        light_elevation=float(rng.uniform(35, 75)),
        ambient=float(rng.uniform(0.35, 0.65)),
        tint=(1.0 - 1.1 * warm, 1.0 - 0.25 * warm, 1.0 + 0.35 * warm),
        falloff=float(rng.uniform(0.12, 0.4)),
        exposure=look.exposure * float(rng.uniform(0.65, 1.3)),
    )


def _random_stranger(rng: np.random.Generator, number: int) -> Solid:
    """Return a random piece of another game, 9 to 24 mm wide, in any paint.

    number: decides whether it is a cube, a disc, a cylinder or a figure, and is part of its kind's name.
    """
    hue, saturation, value = rng.uniform(0, 180), rng.uniform(0, 255), rng.uniform(30, 250)
    pixel = np.array([[(hue, saturation, value)]], np.uint8)
    blue, green, red = (int(v) for v in cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0])
    wide = float(rng.uniform(9, 24))
    turns = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    ring = tuple((float(wide / 2 * np.cos(turn)), float(wide / 2 * np.sin(turn))) for turn in turns)
    half = wide / 2
    outline, thickness = (
        (((-half, -half), (half, -half), (half, half), (-half, half)), wide),
        (ring, float(rng.uniform(2, 5))),
        (ring, float(rng.uniform(10, 18))),
        (silhouette(rng, wide), float(rng.uniform(6, 10))),
    )[number % 4]
    return Solid(f"{_STRANGER}{number}", outline, thickness, (blue, green, red))


def _lab(paint: tuple[int, int, int]) -> np.ndarray:
    """Return a paint (BGR) in CIELAB, (3,)."""
    pixel = np.array([[paint]], np.float32) / 255
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2Lab)[0, 0], np.float32)


def _render_table(
    renderer: Renderer, setting: str, rng: np.random.Generator, number: int, *, strangers: bool = True
) -> LoosePieces:
    """Return a rendered picture with ground truth: three pieces of each kind spread at random on the bare table.

    setting: name of the light; number: of the picture; strangers: whether pieces of other games lie there, too.
    """
    names = [*KINDS] * 3 + [f"{_STRANGER}{one}" for one in range(STRANGERS)] * strangers
    width, depth = _TABLE_MM
    lying: list[PieceOnTable] = []
    while len(lying) < len(names):
        pose = Pose(
            float(rng.uniform(-width, width)), float(rng.uniform(-depth, depth)), float(rng.uniform(0, 360))
        )
        if all(np.hypot(pose.x - other.pose.x, pose.y - other.pose.y) >= _MIN_SEPARATION_MM for other in lying):
            lying.append(PieceOnTable(names[len(lying)], pose))
    scene = Scene(SEATS, tile=False, pieces=tuple(lying))
    image, truth = renderer.render_with_truth(scene, 100 + number)
    return LoosePieces(setting, as_sent(image), tuple((piece.kind, piece.box) for piece in truth.pieces))


def piece_outcomes(table: LoosePieces, reading: CountReading, chosen: Iterable[str]) -> PieceOutcomes:
    """Return how many pieces of the chosen kinds on a table had each outcome. reading: of its picture."""
    doubtful = [thing.box for thing in reading.doubtful]
    total = PieceOutcomes()
    for kind in chosen:
        for box in (box for name, box in table.lying if name == kind):
            counted = [piece for piece in reading.pieces if near(piece.box, box)]
            asked = any(near(thing, box) for thing in doubtful)
            if counted:
                right = any(piece.kind == kind for piece in counted)
                fate = ("right_asked" if right else "asked") if asked else ("right" if right else "silent")
            elif any(near(one.box, box) for one in reading.unknown):
                fate = "unknown"
            else:
                fate = "pointed_at" if asked else "missed"
            total += PieceOutcomes(pieces=1, **{fate: 1})
    return total


def false_pieces(table: LoosePieces, reading: CountReading) -> FalsePieces:
    """Return how many pieces were counted where none lies. reading: of the picture."""
    doubtful = [thing.box for thing in reading.doubtful]
    false = [piece.box for piece in reading.pieces if not any(near(piece.box, box) for _, box in table.lying)]
    asked = sum(any(near(thing, box) for thing in doubtful) for box in false)
    return FalsePieces(1, len(false) - asked, asked)


def near(box: Box, other: Box) -> bool:
    """Return whether the centre of either box lies within the other."""
    return _contains(box, centre(other)) or _contains(other, centre(box))


def _contains(box: Box, point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[0] + box[2] and box[1] <= point[1] <= box[1] + box[3]


def measure(seed: int) -> UnknownKindsResult:
    """Render and enrol the session of a seed, and return the result of `evaluate`, or why enrolment failed."""
    cv2.setNumThreads(1)
    try:
        made = session(seed)
        return evaluate(seed, made)
    except CalibrationError as error:
        return UnknownKindsResult(seed, {}, {}, refused=str(error))


def evaluate(seed: int, made: EnrolledTable) -> UnknownKindsResult:
    """Count the pieces on a session's tables with all kinds enrolled, and with each kind left out in turn.

    Return the results. Raises ProfileError if the pieces are too small in the pictures to be counted.
    """
    outcomes: dict[str, PieceOutcomes] = {}
    false: dict[str, FalsePieces] = {}

    def add(row: str, outcome: PieceOutcomes) -> None:
        outcomes[row] = outcomes.get(row, PieceOutcomes()) + outcome

    for left_out in (None, *KINDS):
        kinds = [kind for kind in KINDS if kind != left_out]
        profile = replace(made.profile, pieces={kind: made.profile.pieces[kind] for kind in kinds})
        counter = PieceCounter(profile)
        for table in made.tables:
            low = table.setting.startswith("lamp")
            if left_out is not None and low:
                continue
            reading = counter.count(table.image)
            if left_out is not None:
                add(f"kind left out, {table.setting}", piece_outcomes(table, reading, [left_out]))
                continue
            add(f"enrolled kinds, {'low lamp' if low else table.setting}", piece_outcomes(table, reading, KINDS))
            far: list[str] = []
            like: list[str] = []
            for name, distance in made.paint_distance.items():
                (far if distance >= MIN_PAINT_DISTANCE else like).append(name)
            if not low:
                add(f"stranger's piece, other paint, {table.setting}", piece_outcomes(table, reading, far))
                add(f"stranger's piece, like paint, {table.setting}", piece_outcomes(table, reading, like))
            false[table.setting] = false.get(table.setting, FalsePieces()) + false_pieces(table, reading)
    return UnknownKindsResult(seed, outcomes, false)


def summary(measured: Sequence[UnknownKindsResult]) -> tuple[dict[str, PieceOutcomes], dict[str, FalsePieces]]:
    """Return the totals over sessions: outcomes of pieces by row of the table, and false pieces by light."""
    outcomes: dict[str, PieceOutcomes] = {}
    false: dict[str, FalsePieces] = {}
    for one in measured:
        for row, outcome in one.outcomes.items():
            outcomes[row] = outcomes.get(row, PieceOutcomes()) + outcome
        for setting, pieces in one.false_pieces.items():
            false[setting] = false.get(setting, FalsePieces()) + pieces
    return dict(sorted(outcomes.items())), dict(sorted(false.items()))


def _print(console: Console, measured: Sequence[UnknownKindsResult]) -> None:
    outcomes, false = summary(measured)
    taken = sum(not one.refused for one in measured)
    table = Table(title=f"Loose pieces, {taken} held-out sessions (rendered)", title_justify="left", box=None)
    names = ("silent", "asked", "unknown", "pointed_at", "right", "right_asked", "missed")
    for heading in ("", "pieces", *(name.replace("_", " ") for name in names)):
        table.add_column(heading, no_wrap=True)
    for row, outcome in outcomes.items():
        shares = (100 * getattr(outcome, name) / max(1, outcome.pieces) for name in names)
        table.add_row(row, str(outcome.pieces), *(f"{share:.1f} %" for share in shares))
    console.print(table)
    table = Table(title="Pieces counted where none lies", title_justify="left", box=None)
    for heading in ("", "tables", "silent", "asked"):
        table.add_column(heading)
    for row, pieces in false.items():
        table.add_row(row, *map(str, astuple(pieces)))
    console.print(table)
    for one in measured:
        if one.refused:
            console.print(f"{one.seed}: not enrolled: {one.refused}")


@click.command()
@click.option("--sessions", default=20, show_default=True, type=click.IntRange(1, 500))
@click.option("--first", default=FIRST_SEED, show_default=True, help="Seed of the first session.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option(
    "--results",
    default=RESULTS,
    show_default="models/results/unknown-kinds.json",
    type=click.Path(path_type=Path, dir_okay=False),
)
def main(sessions: int, first: int, processes: int, results: Path) -> None:
    """Evaluate counting with pieces of unknown kinds and with shadows, print tables and write the results."""
    console = Console(highlight=False, soft_wrap=True, width=160)
    measured = over_sessions(measure, first, sessions, processes, "Counting", console)
    _print(console, measured)
    outcomes, false = summary(measured)
    content = {
        "made": "rendered",
        "first_seed": first,
        "outcomes": {row: asdict(outcome) for row, outcome in outcomes.items()},
        "false_pieces": {row: asdict(pieces) for row, pieces in false.items()},
        "sessions": [asdict(one) for one in measured],
    }
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text(json.dumps(content) + "\n", "utf-8")


if __name__ == "__main__":
    main()
