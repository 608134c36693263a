"""Training data of the detectors on disk: files of crops.

There is one file per session, and one per `_CROPS_PER_FILE` crops of another source. A file (.npz) holds for each
sort of crops (`HANDS`, `PALMS`) two arrays. `SORT_images` is BGR uint8, (crops, 256, 256, 3). `SORT_boxes`, (boxes,
6), has the index of the crop, the index of the label in `LABELS`, and left, top, right, bottom in px. Files are
written atomically, so that an interrupted run resumes.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from models.detector.crops import Crop, close_crops, wide_crops
from models.detector.hand_photographs import photographed_crops
from models.detector.scenes import FIRST_SEED, session_pictures
from models.path_tracing.hand_crops import crop, rendered_boxes
from vision.detector import CROP_PX, LABELS

HANDS, PALMS = "hands", "palms"
"""Sorts of crops: wide ones at the scale of whole hands, and close ones at the scale of pieces."""
WIDE_CROPS = 3
"""Wide crops of each picture."""
TRACED_VARIANTS = 4
"""Crops per path-traced picture, each with random camera, shift and mirroring."""
_CROPS_PER_FILE = 400
"""Number of crops per file of path-traced hands or photographs."""
_HELD_OUT_EVERY = 25
"""Every n-th session is held out to evaluate the training."""
_WHOLE = frozenset(("open", "closed", "card"))
"""Labels that only wide crops have."""


@dataclass(frozen=True, slots=True)
class PackedCrops:
    """Many crops of one sort, as arrays."""

    images: NDArray[np.uint8]
    """BGR uint8, (n, 256, 256, 3)."""
    boxes: NDArray[np.float32]
    """Index of the crop, index of the label in `LABELS`, left, top, right, bottom in px; (m, 6)."""

    @classmethod
    def pack(cls, crops: Sequence[Crop]) -> PackedCrops:
        """Return crops as arrays."""
        rows = [
            (number, LABELS.index(label), x, y, x + width, y + height)
            for number, made in enumerate(crops)
            for label, (x, y, width, height) in made.boxes
        ]
        images = np.array([made.image for made in crops], np.uint8).reshape(-1, CROP_PX, CROP_PX, 3)
        return cls(images, np.array(rows, np.float32).reshape(-1, 6))


def is_held_out(seed: int) -> bool:
    """Return whether the session with this seed is held out from training."""
    return seed % _HELD_OUT_EVERY == _HELD_OUT_EVERY - 1


def session_file(folder: Path, seed: int) -> Path:
    """Return the path of the file of a session's crops; held-out sessions have their own subfolder."""
    return folder / ("judged" if is_held_out(seed) else "train") / f"{seed}.npz"


def crop_files(folder: Path, *, held_out: bool = False) -> list[Path]:
    """Return the existing files of training crops, or of the held-out ones instead, sorted by name."""
    return sorted((folder / ("judged" if held_out else "train")).glob("*.npz"))


def draw(folder: Path, sessions: int, processes: int | None = None, until: float = float("inf")) -> None:
    """Render synthetic sessions in parallel processes, and write their crops to a folder; existing files are kept.

    sessions: number of sessions, each one table with its camera, light and pieces, and one file. processes: None:
    one per processor. until: time after which no session is started, s since the epoch.
    """
    missing = [seed for seed in range(FIRST_SEED, FIRST_SEED + sessions) if not session_file(folder, seed).exists()]
    # OpenCV's threads do not survive a fork.
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        jobs = pool.imap_unordered(partial(_draw_session, folder, until), missing)
        for _ in track(jobs, "Drawing sessions", total=len(missing)):
            pass


def _draw_session(folder: Path, until: float, seed: int) -> None:
    """Render one session and write its crops, unless the time `until` (s since the epoch) has passed."""
    if time.time() > until:
        return
    cv2.setNumThreads(1)
    write(session_file(folder, seed), session_crops(seed))


def session_crops(seed: int) -> Mapping[str, PackedCrops]:
    """Render the synthetic session of a seed; return its wide crops under `HANDS`, its close ones under `PALMS`."""
    rng = np.random.default_rng([seed, 0xC20])
    wide, close = list[Crop](), list[Crop]()
    for picture in session_pictures(seed):
        wide += wide_crops(picture, rng, WIDE_CROPS)
        close += close_crops(picture, rng)
    return {HANDS: PackedCrops.pack(wide), PALMS: PackedCrops.pack(close)}


def add_traced(folder: Path, traced: Path) -> None:
    """Add close crops of all path-traced hands in a folder to the training set.

    Does nothing if the set has crops of that folder already. folder: of the data set. traced: folder of the hands,
    which `models.path_tracing` rendered.
    """
    if any((folder / "train").glob(f"{traced.name}-*.npz")):
        return
    _write_close_crops(folder, traced.name, _traced_crops(traced))


def _traced_crops(traced: Path) -> Iterator[Crop]:
    """Yield `TRACED_VARIANTS` random crops of each path-traced picture in a folder."""
    for seed, picture, boxes in rendered_boxes(traced):
        for variant in range(TRACED_VARIANTS):
            yield crop(picture, boxes, np.random.default_rng([seed, variant, 0x7C0]))


def add_photographs(folder: Path, photographs: Path) -> None:
    """Add wide and close crops of photographed hands (`models.detector.hand_photographs`) to the training set.

    Does nothing if the set has crops of photographs already. folder: of the data set. photographs: folder of the
    photographs.
    """
    if any((folder / "train").glob("photographs-*.npz")):
        return
    made = list(photographed_crops(photographs))
    wide = [one for one in made if {label for label, _ in one.boxes} & _WHOLE]
    for number, part in enumerate(_split(wide, _CROPS_PER_FILE)):
        write(folder / "train" / f"photographs-wide-{number}.npz", {HANDS: PackedCrops.pack(part)})
    _write_close_crops(folder, "photographs", (one for one in made if not one.boxes))


def _write_close_crops(folder: Path, name: str, crops: Iterable[Crop]) -> None:
    """Write close crops (`PALMS`) to numbered files of the training set. name: beginning of the file names."""
    for number, part in enumerate(_split(crops, _CROPS_PER_FILE)):
        write(folder / "train" / f"{name}-{number:03}.npz", {PALMS: PackedCrops.pack(part)})


def _split(crops: Iterable[Crop], size: int) -> Iterator[list[Crop]]:
    """Yield the crops in lists of this size; the last one may be shorter."""
    left = iter(crops)
    while part := list(islice(left, size)):
        yield part


def write(file: Path, crops: Mapping[str, PackedCrops]) -> None:
    """Write crops, by sort (`HANDS`, `PALMS`), to one file atomically."""
    arrays: dict[str, NDArray[Any]] = {f"{sort}_images": of.images for sort, of in crops.items()}
    arrays |= {f"{sort}_boxes": of.boxes for sort, of in crops.items()}
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_suffix(".half")
    with half.open("wb") as target:
        # The stub mistakes named arrays for the flag `allow_pickle`.
        np.savez(target, **arrays)  # type: ignore[arg-type]
    half.replace(file)


def read(file: Path, sort: str) -> PackedCrops | None:
    """Return the crops of one sort (`HANDS` or `PALMS`) in a file; None if it has none."""
    with np.load(file) as kept:
        if f"{sort}_images" not in kept:
            return None
        return PackedCrops(
            np.asarray(kept[f"{sort}_images"], np.uint8), np.asarray(kept[f"{sort}_boxes"], np.float32)
        )
