"""A laid table as synthetic pictures show it and the maze's reader reads it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.games.master.maze import letters
from models.evaluation.maze.discs import enrolled
from models.evaluation.maze.drawing import Image
from models.evaluation.maze.faces import PRINTS
from models.evaluation.maze.pictures import picture
from models.evaluation.maze.positions import Position
from tests.companion.adapters.master.laid_table import LaidTable
from vision.games.master.reader import MazeReader
from vision.games.master.readings import MazeReading

_NOISE = 3.0
"""Standard deviation of a further picture's own noise, grey values."""


def pictured(table: LaidTable, seed: int, look: str = "standin", **of_picture: object) -> Image:
    """A picture of a table; of_picture: as `models.evaluation.maze.pictures.picture`."""
    position = Position(
        tuple(letters(tile) for tile in table.tiles), letters(table.spare), table.tokens, table.wizards
    )
    image, _ = picture(seed, look, position=position, **of_picture)  # type: ignore[arg-type]  # passed on
    return image


@cache
def reader(tokens: str | None) -> MazeReader:
    """A reader with the enrolled tokens of a print; None: with nothing enrolled."""
    return MazeReader({} if tokens is None else enrolled(tokens))


def still_pictures(image: Image, number: int, seed: int) -> list[Image]:
    """So many pictures of a still scene by one camera: each further one has noise of its own."""
    rng = np.random.default_rng([seed, 0x571])
    pictures = [image]
    for _ in range(number - 1):
        noise = cv2.GaussianBlur(rng.standard_normal(image.shape, dtype=np.float32), (0, 0), 0.5)
        taken = np.clip(image + noise * (_NOISE / 0.55), 0, 255).astype(np.uint8)
        _, coded = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, 90])
        pictures.append(np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8))
    return pictures


@dataclass
class PictureReader:
    """Takes pictures of each table, with another camera, light and print of tokens each time, and reads them."""

    dice: random.Random
    looks: Sequence[str]
    enrolled: bool = True
    """Whether the print is enrolled; otherwise the reader takes its tokens for those of the stand-in."""
    pictures: int = 1
    """Pictures of each table."""

    def read(self, table: LaidTable) -> list[MazeReading]:
        look, tokens, seed = self.dice.choice(self.looks), self.dice.choice(PRINTS), self.dice.randrange(10**6)
        image = pictured(table, seed, look, tokens=tokens)
        own = reader(tokens if self.enrolled else None)
        return [own.read(one) for one in still_pictures(image, self.pictures, seed)]
