"""Files of synthetic photographs with ground truth, on which the network of the tiles' sides is trained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.maze_sides.random_textures import TextureBank
from models.maze_sides.synthetic_photographs import LabelledPicture, random_picture
from models.path_tracing.maze_jobs import rendered_crowd_jobs
from vision.games.master.readings import SIZE

PART = 200
"""Pictures per file."""
_TEXTURES = 40
"""Number of textures drawn for each file."""
_SEED = 20261128
"""Seed of all files, used together with the number of the file."""


def make(folder: Path, parts: range) -> None:
    """Draw random pictures into numbered files of a folder; existing ones are kept. parts: numbers of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in parts:
        file = folder / f"{number:03}.npz"
        if file.exists():
            continue
        rng = np.random.default_rng([_SEED, number])
        bank = TextureBank(int(rng.integers(2**31)), _TEXTURES)
        scenes = [random_picture(bank, rng) for _ in range(PART)]
        jpegs = [cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1] for scene in scenes]
        half = file.with_suffix(".half")
        with half.open("wb") as stream:
            np.savez(
                stream,
                jpegs=np.concatenate(jpegs),
                lengths=np.array([len(one) for one in jpegs]),
                field=np.array([scene.field for scene in scenes]),
                tiles=np.array([" ".join(scene.tiles) for scene in scenes]),
                spare=np.array([scene.spare for scene in scenes]),
                half_pushed=np.array([scene.half_pushed for scene in scenes]),
                covered=np.array([scene.covered for scene in scenes]),
            )
        half.rename(file)


_NO_PIXELS = np.zeros((0, 0, 3), np.uint8)
"""Picture in the ground truth of a scene whose pixels are still encoded."""


@dataclass(frozen=True, slots=True)
class StoredScene:
    """A picture in memory, still encoded as JPEG, with its ground truth."""

    jpeg: NDArray[np.uint8]
    """The picture as JPEG."""
    truth: LabelledPicture
    """Its ground truth, with an empty picture."""

    def decoded(self) -> LabelledPicture:
        """Return the decoded picture with its ground truth."""
        return replace(self.truth, image=np.asarray(cv2.imdecode(self.jpeg, cv2.IMREAD_COLOR), np.uint8))


def load_parts(folder: Path, parts: range) -> list[StoredScene]:
    """Return the pictures in some files of a folder. parts: numbers of the files."""
    return [scene for number in parts for scene in load(folder / f"{number:03}.npz")]


def load_path_traced(folder: Path) -> list[StoredScene]:
    """Return the path-traced crowds of wizards in a folder, without their spares.

    Raises FileNotFoundError if there are none.
    """
    nowhere, uncovered = np.full((4, 2), np.nan, np.float32), np.zeros(SIZE**2, bool)
    found = []
    for seed, made in rendered_crowd_jobs(folder).items():
        corners = np.array(made.truth.corners, np.float32)
        truth = LabelledPicture(_NO_PIXELS, corners, made.truth.tiles, nowhere, -1, uncovered)
        found.append(StoredScene(np.fromfile(folder / f"{seed}.jpg", np.uint8), truth))
    return found


def load(file: Path) -> Iterator[StoredScene]:
    """Yield the pictures in one file."""
    with np.load(file) as kept:
        values = {name: kept[name] for name in kept.files}
    ends = np.cumsum(values["lengths"])
    for i, jpeg in enumerate(np.split(values["jpegs"], ends[:-1])):
        truth = LabelledPicture(
            _NO_PIXELS,
            values["field"][i],
            tuple(str(values["tiles"][i]).split()),
            values["spare"][i],
            int(values["half_pushed"][i]),
            values["covered"][i],
        )
        yield StoredScene(jpeg, truth)
