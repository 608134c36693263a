"""Orders for Blender: positions of Master Labyrinth to render, and the tokens in order for enrolment."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np

from models.evaluation.maze.faces import PRINTS, token_picture
from models.evaluation.maze.positions import random_position
from models.evaluation.maze.truth import MazeTruth
from vision.cameras.simulated.grounds import Ground, draw
from vision.games.master.readings import NUMBERS, STARTS
from vision.readings import Box

Kind = Literal["board", "tokens"]
"""A position on the board, or the 21 tokens in three rows in the order of their numbers."""

FIRST_SEED: Final = 9_100_000
"""Seed of the first picture of a board; the seed decides the print of the tokens, too."""
FIRST_TOKENS_SEED: Final = 9_000_000
"""Seed of the first picture of tokens."""
TOKEN_PICTURES: Final = 2
"""Pictures of the tokens of each print."""
_GROUND_SEEDS: Final = 60
"""Number of different table tops."""


@dataclass(frozen=True, slots=True)
class MazeOrder:
    """One picture to render."""

    seed: int
    """Seed of everything that the order does not name: look, light, camera, disorder."""
    kind: Kind
    """What the picture shows."""
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
    """Colour and place of each wizard."""
    starts: tuple[tuple[str, int], ...] = tuple(STARTS.items())
    """Colour and place of each start ring."""
    taken: tuple[int, ...] = ()
    """Numbers of the tokens that lie beside the board."""


@dataclass(frozen=True, slots=True)
class RenderedMaze:
    """A rendered order."""

    order: MazeOrder
    """The order."""
    truth: MazeTruth
    """What the picture shows."""
    tilt: float
    """Angle of the optical axis from straight down, degrees."""
    exposure: float
    """Exposure relative to a usual one."""


def write(folder: Path, number: int, skip: int = 0) -> None:
    """Write the orders of a number of boards and of the tokens (`specs.json`), with faces and grounds as files."""
    for name in ("faces", "grounds"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for print_ in PRINTS:
        for token in NUMBERS:
            cv2.imwrite(str(folder / "faces" / f"{print_}-{token}.png"), token_picture(token, print_))
    tokens = [
        MazeOrder(
            FIRST_TOKENS_SEED + 10 * k + n,
            "tokens",
            print_,
            _ground(folder, k + n),
            tokens=tuple((number, 0) for number in NUMBERS),
        )
        for k, print_ in enumerate(PRINTS)
        for n in range(TOKEN_PICTURES)
    ]
    boards = [_board(folder, FIRST_SEED + skip + n) for n in range(number)]
    (folder / "specs.json").write_text(json.dumps([asdict(order) for order in tokens + boards]), "utf-8")


def _board(folder: Path, seed: int) -> MazeOrder:
    position = random_position(np.random.default_rng([seed, 0x7B]))
    return MazeOrder(
        seed,
        "board",
        PRINTS[seed % len(PRINTS)],
        _ground(folder, seed),
        position.tiles,
        position.spare,
        tuple((number, place) for number, place in position.tokens.items() if place is not None),
        tuple((colour, place) for colour, place in position.wizards.items() if place is not None),
        taken=position.taken,
    )


def _ground(folder: Path, seed: int) -> str:
    name = f"grounds/{seed % _GROUND_SEEDS}.jpg"
    if not (folder / name).exists():
        cv2.imwrite(str(folder / name), draw(Ground.from_seed(seed % _GROUND_SEEDS)))
    return name


def rendered_mazes(folder: Path) -> dict[int, RenderedMaze]:
    """Return what is rendered in a folder, by seed; of pictures of tokens the truth says no more than the order."""
    orders = {one["seed"]: one for one in json.loads((folder / "specs.json").read_text("utf-8"))}
    lines = (line for file in sorted(folder.glob("truth-*.jsonl")) for line in file.read_text("utf-8").splitlines())
    found = {}
    for made in map(json.loads, lines):
        order = MazeOrder(**orders[made["seed"]])
        box: Box | None = tuple(made["spare_box"]) if made["spare_box"] else None
        truth = MazeTruth(
            state="board",
            tiles=tuple(order.tiles),
            spare=order.spare if box else "",
            tokens=dict(order.tokens),
            wizards=dict(order.wizards),
            corners=tuple((x, y) for x, y in made["corners"]),
            spare_box=box,
        )
        found[order.seed] = RenderedMaze(order, truth, made["tilt"], made["exposure"])
    return found
