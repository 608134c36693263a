"""Render jobs of *Master Labyrinth*, in the file `specs.json`, that the Blender script `render_mazes` runs.

A job shows a position on the board, or the tokens in the order in which they are enrolled.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np

from models.evaluation.maze.random_positions import random_position
from models.evaluation.maze.token_face_drawing import PRINTS, token_picture
from models.evaluation.maze.truth import MazeTruth
from vision.cameras.simulated.table_surfaces import Ground, draw
from vision.games.master.objects.board_orientation import turned_place
from vision.games.master.readings import NUMBERS, SIZE, STARTS
from vision.readings import Box

Kind = Literal["board", "tokens", "crowd"]
"""A position on the board, the 21 tokens in three rows in the order of their numbers, or a board with many wizards
of any colours, to train with (a crowd: several may have one colour)."""

FIRST_SEED: Final = 9_100_000
"""Seed of the first picture of a board; the seed decides the print of the tokens, too."""
FIRST_CROWD_SEED: Final = 9_500_000
"""Seed of the first crowd."""
OTHER: Final = "other"
"""Colour, in a job, of a pawn that is no wizard."""
_LEAST_CROWD: Final = 2
"""Minimum number of wizards in a crowd."""
_CROWD_AT_START: Final = 0.3
"""Probability that a wizard of a crowd stands on a start ring."""
_CROWD_ON_TOKEN: Final = 0.2
"""Probability that a wizard of a crowd stands on a token."""
_CROWD_BESIDE: Final = 0.12
"""Probability that it stands on the place of the wizard before it."""
_CROWD_OTHER: Final = 0.05
"""Fraction of pawns of other games in a crowd."""
FIRST_TOKENS_SEED: Final = 9_000_000
"""Seed of the first picture of tokens."""
TOKEN_PICTURES: Final = 2
"""Pictures of the tokens of each print."""
_GROUND_SEEDS: Final = 60
"""Number of different table tops."""


@dataclass(frozen=True, slots=True)
class MazeJob:
    """One picture of a maze, or of tokens, to render."""

    seed: int
    """Seed of everything that the job does not name: look, light, camera, small displacements."""
    kind: Kind
    """Kind of picture."""
    print: str
    """Print of the tokens, of `PRINTS`."""
    ground: str
    """File of the table top, 1 px/mm."""
    tiles: tuple[str, ...] = ()
    """Openings of the 49 tiles by place; none in a picture of tokens."""
    spare: str = ""
    """Openings of the spare."""
    tokens: tuple[tuple[int, int], ...] = ()
    """Number and place of each token on the board."""
    wizards: tuple[tuple[str, int], ...] = ()
    """Colour and place of each wizard; in a crowd several have one colour."""
    starts: tuple[tuple[str, int], ...] = tuple(STARTS.items())
    """Colour and place of each start ring."""
    taken: tuple[int, ...] = ()
    """Numbers of the tokens that lie beside the board."""


@dataclass(frozen=True, slots=True)
class CrowdTruth:
    """Ground truth of a crowd: position of the camera, and visible fractions of the objects."""

    camera: tuple[float, float, float]
    """Position of the camera, in tiles: right and down from the outer corner of place 0, and above the field."""
    visible_discs: tuple[float, ...]
    """Visible fraction of each token of the job."""
    visible_wizards: tuple[float, ...]
    """Visible fraction of each wizard of the job."""
    visible_rings: tuple[float, ...]
    """Visible fraction of each start ring of the job."""


@dataclass(frozen=True, slots=True)
class RenderedMaze:
    """Job and ground truth of a rendered picture; the pixels stay in its file."""

    job: MazeJob
    """The job."""
    truth: MazeTruth
    """Ground truth of what the picture shows."""
    tilt: float
    """Angle of the optical axis from straight down, degrees."""
    exposure: float
    """Exposure; 1 is a normal one."""
    crowd: CrowdTruth | None = None
    """Further ground truth for training; None except for crowds."""


def write_boards(folder: Path, number: int, skip: int = 0) -> None:
    """Write the jobs of random boards and of pictures of all tokens, and the picture files that they name.

    number: of boards. skip: number of seeds to skip.
    """
    _write_faces(folder)
    tokens = [
        MazeJob(
            FIRST_TOKENS_SEED + 10 * k + n,
            "tokens",
            print_,
            _write_ground(folder, k + n),
            tokens=tuple((number, 0) for number in NUMBERS),
        )
        for k, print_ in enumerate(PRINTS)
        for n in range(TOKEN_PICTURES)
    ]
    boards = [_board_job(folder, FIRST_SEED + skip + n) for n in range(number)]
    _write_jobs(folder, tokens + boards)


def write_crowds(folder: Path, number: int, skip: int = 0, most: int = 8) -> None:
    """Write the jobs of boards with many wizards (crowds), and the picture files that they name.

    number: of boards. skip: number of seeds to skip. most: maximum number of wizards on a board.
    """
    _write_faces(folder)
    _write_jobs(folder, [_crowd_job(folder, FIRST_CROWD_SEED + skip + n, most) for n in range(number)])


def _write_faces(folder: Path) -> None:
    """Write the pictures of all token faces in all prints, and create the folder of table tops."""
    for name in ("faces", "grounds"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for print_ in PRINTS:
        for token in NUMBERS:
            cv2.imwrite(str(folder / "faces" / f"{print_}-{token}.png"), token_picture(token, print_))


def _write_jobs(folder: Path, jobs: Sequence[MazeJob]) -> None:
    """Write jobs to `specs.json`."""
    (folder / "specs.json").write_text(json.dumps([asdict(job) for job in jobs]), "utf-8")


def _board_job(folder: Path, seed: int) -> MazeJob:
    """Return the job of a board in a random position, and write its table top."""
    position = random_position(np.random.default_rng([seed, 0x7B]))
    return MazeJob(
        seed,
        "board",
        PRINTS[seed % len(PRINTS)],
        _write_ground(folder, seed),
        position.tiles,
        position.spare,
        tuple((number, place) for number, place in position.tokens.items() if place is not None),
        tuple((colour, place) for colour, place in position.wizards.items() if place is not None),
        taken=position.taken,
    )


def _crowd_job(folder: Path, seed: int, most: int) -> MazeJob:
    """Return the job of a randomly turned board with many tokens and up to `most` pawns; write its table top."""
    rng = np.random.default_rng([seed, 0xC0])
    position = random_position(rng)
    turns = int(rng.integers(4))
    starts = tuple((colour, turned_place(place, turns)) for colour, place in STARTS.items())
    numbers = rng.permutation(NUMBERS)[: int(rng.integers(4, len(NUMBERS)))]
    tokens = tuple(
        (int(number), int(place))
        for number, place in zip(numbers, rng.permutation(SIZE**2)[: len(numbers)], strict=True)
    )
    wizards: list[tuple[str, int]] = []
    for _ in range(int(rng.integers(_LEAST_CROWD, most + 1))):
        colour = OTHER if rng.random() < _CROWD_OTHER else str(rng.choice(list(STARTS)))
        kind, place = rng.random(), int(rng.integers(SIZE**2))
        if kind < _CROWD_AT_START:
            place = int(rng.choice(list(STARTS.values())))
        elif kind < _CROWD_AT_START + _CROWD_ON_TOKEN:
            place = tokens[int(rng.integers(len(tokens)))][1]
        elif kind < _CROWD_AT_START + _CROWD_ON_TOKEN + _CROWD_BESIDE and wizards:
            place = wizards[-1][1]
        neighbours = [other for other, at in wizards if at == place]
        if len(neighbours) < 2 and colour not in neighbours:
            wizards.append((colour, place))
    return MazeJob(
        seed,
        "crowd",
        PRINTS[seed % len(PRINTS)],
        _write_ground(folder, seed),
        position.tiles,
        position.spare,
        tokens,
        tuple(wizards),
        starts,
        position.taken[:4],
    )


def _write_ground(folder: Path, seed: int) -> str:
    """Write the picture of a random table top if it does not exist; return its file name."""
    name = f"grounds/{seed % _GROUND_SEEDS}.jpg"
    if not (folder / name).exists():
        cv2.imwrite(str(folder / name), draw(Ground.from_seed(seed % _GROUND_SEEDS)))
    return name


def rendered_mazes(folder: Path) -> dict[int, RenderedMaze]:
    """Return jobs and ground truth of the rendered pictures in a folder, by seed."""
    jobs = {one["seed"]: one for one in json.loads((folder / "specs.json").read_text("utf-8"))}
    lines = (line for file in sorted(folder.glob("truth-*.jsonl")) for line in file.read_text("utf-8").splitlines())
    found = {}
    for made in map(json.loads, lines):
        job = MazeJob(**jobs[made["seed"]])
        box: Box | None = tuple(made["spare_box"]) if made["spare_box"] else None
        truth = MazeTruth(
            state="board",
            tiles=tuple(job.tiles),
            spare=job.spare if box else "",
            tokens=dict(job.tokens),
            wizards=dict(job.wizards),
            corners=tuple((x, y) for x, y in made["corners"]),
            spare_box=box,
        )
        crowd = _crowd_truth(made) if job.kind == "crowd" else None
        found[job.seed] = RenderedMaze(job, truth, made["tilt"], made["exposure"], crowd)
    return found


def rendered_crowd_jobs(folder: Path) -> dict[int, RenderedMaze]:
    """Return jobs and ground truth of the crowds rendered in a folder, by ascending seed.

    Raises FileNotFoundError if there are none.
    """
    found = {seed: made for seed, made in sorted(rendered_mazes(folder).items()) if made.crowd is not None}
    if not found:
        raise FileNotFoundError(f"No crowd is rendered in {folder}: run `make traced-crowds`.")
    return found


def _crowd_truth(made: Mapping[str, Any]) -> CrowdTruth:
    """Return the further ground truth of a crowd. made: its line of `truth-*.jsonl`."""
    x, y, height = made["camera"]
    visible = made["visible"]
    return CrowdTruth(
        (x, y, height),
        tuple(visible["discs"]),
        tuple(visible["wizards"]),
        tuple(visible["rings"]),
    )
