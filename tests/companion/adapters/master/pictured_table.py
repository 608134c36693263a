"""A laid table as synthetic pictures show it and the maze's reader reads it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.games.master.maze import letters
from models.evaluation.maze.drawing import Image
from models.evaluation.maze.pictures import picture
from models.evaluation.maze.positions import Position
from tests.companion.adapters.master.laid_table import LaidTable
from vision.games.master.reader import MazeReader
from vision.games.master.readings import MazeReading


def pictured(table: LaidTable, seed: int, look: str = "standin", **of_picture: object) -> Image:
    """A picture of a table; of_picture: as `models.evaluation.maze.pictures.picture`."""
    position = Position(
        tuple(letters(tile) for tile in table.tiles), letters(table.spare), table.tokens, table.wizards
    )
    image, _ = picture(seed, look, position=position, **of_picture)  # type: ignore[arg-type]  # passed on
    return image


@dataclass
class PictureReader:
    """Takes one picture of each table, under another camera and light, and reads it."""

    dice: random.Random
    looks: Sequence[str]
    reader: MazeReader = field(default_factory=MazeReader)

    def read(self, table: LaidTable) -> list[MazeReading]:
        look = self.dice.choice(self.looks)
        return [self.reader.read(pictured(table, self.dice.randrange(10**6), look))]
