"""A laid table as synthetic pictures show it and the maze's reader reads it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from companion.games.master.maze import letters
from models.evaluation.maze.board_object_accuracy import enrolled_tokens
from models.evaluation.maze.random_positions import MazePosition
from models.evaluation.maze.renderer import Image
from models.evaluation.maze.synthetic_pictures import picture
from models.evaluation.maze.token_face_drawing import PRINTS
from tests.companion.adapters.master.laid_table import LaidTable
from vision.games.master.reader import MazeReader
from vision.games.master.readings import MazeReading


def pictured(table: LaidTable, seed: int, look: str = "standin", **of_picture: object) -> Image:
    """A picture of a table; of_picture: as `models.evaluation.maze.synthetic_pictures.picture`."""
    position = MazePosition(
        tuple(letters(tile) for tile in table.tiles), letters(table.spare), table.tokens, table.wizards
    )
    image, _ = picture(seed, look, position=position, **of_picture)  # type: ignore[arg-type]  # passed on
    return image


@cache
def reader(tokens: str | None) -> MazeReader:
    """A reader with the enrolled tokens of a print; None: with nothing enrolled."""
    return MazeReader({} if tokens is None else enrolled_tokens(tokens))


@dataclass
class PictureReader:
    """Takes one picture of each table, with another camera, light and print of tokens each time, and reads it."""

    dice: random.Random
    looks: Sequence[str]
    enrolled: bool = True
    """Whether the print is enrolled; otherwise the reader takes its tokens for those of the stand-in."""

    def read(self, table: LaidTable) -> list[MazeReading]:
        look, tokens, seed = self.dice.choice(self.looks), self.dice.choice(PRINTS), self.dice.randrange(10**6)
        image = pictured(table, seed, look, tokens=tokens)
        return [reader(tokens if self.enrolled else None).read(image)]
