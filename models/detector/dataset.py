"""The data set on disk: crops as JPEG with YOLO labels, made by several processes, continued where it stopped."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import yaml
from rich.progress import track

from models.detector.crops import Crop, crops, label_lines
from models.detector.photographs import photographed
from models.detector.scenes import FIRST_CROWDED_SEED, FIRST_RELIT_SEED, FIRST_SEED, is_crowded, pictures
from models.traced.crops import crop, rendered
from vision.detector import CROP_PX, LABELS

_SPLITS = ("train", "val")
TRACED_VARIANTS = 4
"""So many crops are made of a path-traced picture: photographed, shifted and mirrored by lot."""
_PHOTOGRAPHS = 5_000_000
"""Stands for a seed in the names of crops of photographs, which have none."""
_WHOLE = frozenset(("open", "closed", "card"))
"""What is seen as a whole only from afar."""
_BARE_EVERY = 3
"""One crop in so many of those that show nothing is trained with, where only what is near counts."""
_JUDGED_EVERY = 25
"""One evening in so many is kept apart to watch the training by."""


def make(
    folder: Path,
    evenings: int,
    crowded: int = 0,
    relit: int = 0,
    traced: Path | None = None,
    photographs: Path | None = None,
    processes: int | None = None,
    *,
    close: bool = False,
) -> Path:
    """Make the data set of so many evenings in a folder, keeping what is there; gives its list.

    evenings, crowded, relit: how many of each range of seeds (`models.detector.scenes`). traced: a folder with
    path-traced pictures, all of which are taken (`models.traced`). photographs: a folder of photographed hands
    (`models.detector.photographs`). close: only what is seen from near, as a palm is: no whole hands or cards.
    """
    _prepare(folder)
    (folder / "done").mkdir(exist_ok=True)
    wanted = ((FIRST_SEED, evenings), (FIRST_CROWDED_SEED, crowded), (FIRST_RELIT_SEED, relit))
    seeds = [seed for first, number in wanted for seed in range(first, first + number)]
    missing = [seed for seed in seeds if not (folder / "done" / str(seed)).exists()]
    # Threads of OpenCV do not survive a fork.
    with multiprocessing.get_context("spawn").Pool(processes or os.cpu_count()) as pool:
        jobs = pool.imap_unordered(_make_one, [(folder, seed) for seed in missing])
        for _ in track(jobs, "Drawing scenes", total=len(missing)):
            pass
    taken = [] if traced is None else add_traced(folder, traced)
    taken += [] if photographs is None else [add_photographs(folder, photographs)]
    return _listed(folder, frozenset([*seeds, *taken]), close=close)


def add_traced(folder: Path, traced: Path) -> list[int]:
    """Make crops of all path-traced pictures, keeping what is there; gives their seeds."""
    seeds = []
    for seed, picture, boxes in rendered(traced):
        seeds.append(seed)
        if (folder / "done" / str(seed)).exists():
            continue
        for variant in range(TRACED_VARIANTS):
            made = crop(picture, boxes, np.random.default_rng([seed, variant, 0x7C0]))
            _keep(folder, "train", f"{seed}-{variant:02d}", made)
        (folder / "done" / str(seed)).touch()
    return seeds


def add_photographs(folder: Path, photographs: Path) -> int:
    """Make crops of photographed hands, unless they are there; gives the number that stands for their seed."""
    if not (folder / "done" / str(_PHOTOGRAPHS)).exists():
        for number, made in enumerate(photographed(photographs)):
            _keep(folder, "train", f"{_PHOTOGRAPHS}-{number:04d}", made)
        (folder / "done" / str(_PHOTOGRAPHS)).touch()
    return _PHOTOGRAPHS


def _listed(folder: Path, seeds: frozenset[int], *, close: bool) -> Path:
    """Write down the crops of these evenings for ultralytics."""
    name = f"{len(seeds)}{'close' if close else ''}"
    for split in _SPLITS:
        crops = sorted((folder / "images" / split).glob("*.jpg"))
        chosen = [str(crop.resolve()) for crop in crops if int(crop.name.split("-")[0]) in seeds]
        chosen = _near(chosen) if close else chosen
        (folder / f"{split}{name}.txt").write_text("\n".join(chosen) + "\n", "utf-8")
    return _described(folder, name)


def _described(folder: Path, name: str) -> Path:
    """Write down for ultralytics where the lists of this name lie and what the labels are called."""
    listed = folder / f"data{name}.yaml"
    lines = {"path": str(folder.resolve()), "names": dict(enumerate(LABELS))}
    lines |= {split: f"{split}{name}.txt" for split in _SPLITS}
    listed.write_text(yaml.safe_dump(lines), "utf-8")
    return listed


def _prepare(folder: Path) -> None:
    """Make room for a data set's pictures and their labels."""
    for split in _SPLITS:
        (folder / "images" / split).mkdir(parents=True, exist_ok=True)
        (folder / "labels" / split).mkdir(parents=True, exist_ok=True)


def _near(crops: Sequence[str]) -> list[str]:
    """Choose crops that show something from near, and some of those that show nothing."""
    near, bare = list[str](), list[str]()
    for file in crops:
        lines = label_file(Path(file)).read_text("utf-8").splitlines()
        labels = {LABELS[int(line.split()[0])] for line in lines}
        if not labels:
            bare.append(file)
        elif not labels & _WHOLE:
            near.append(file)
    return near + bare[::_BARE_EVERY]


def label_file(crop: Path) -> Path:
    """Name the file of labels that belongs to a crop's picture."""
    return crop.parents[2] / "labels" / crop.parent.name / f"{crop.stem}.txt"


def _make_one(job: tuple[Path, int]) -> None:
    folder, seed = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, 0xC20])
    split = "val" if seed % _JUDGED_EVERY == 0 else "train"
    number = 0
    for picture in pictures(seed):
        for made in crops(picture, rng, 3 if is_crowded(seed) else 1):
            _keep(folder, split, f"{seed}-{number:02d}", made)
            number += 1
    (folder / "done" / str(seed)).touch()


def _keep(folder: Path, split: str, name: str, made: Crop) -> None:
    picture = folder / "images" / split / f"{name}.jpg"
    cv2.imwrite(str(picture), made.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    label_file(picture).write_text(label_lines(made), "utf-8")


def _kept(picture: Path) -> Crop:
    """Read back what was kept."""
    boxes = []
    for line in label_file(picture).read_text("utf-8").splitlines():
        label, *fractions = line.split()
        x, y, width, height = (float(fraction) * CROP_PX for fraction in fractions)
        boxes.append((LABELS[int(label)], (x - width / 2, y - height / 2, width, height)))
    return Crop(np.asarray(cv2.imread(str(picture)), np.uint8), tuple(boxes))
