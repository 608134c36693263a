"""The data set on disk: crops as JPEG with YOLO labels, made by several processes, continued where it stopped."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import cv2
import numpy as np
import yaml
from rich.progress import track

from models.detector.crops import crops, label_lines
from models.detector.scenes import FIRST_CROWDED_SEED, FIRST_RELIT_SEED, FIRST_SEED, is_crowded, pictures
from vision.detector import LABELS

_JUDGED_EVERY = 25
"""One evening in so many is kept apart to watch the training by."""


def make(folder: Path, evenings: int, crowded: int = 0, relit: int = 0, processes: int | None = None) -> Path:
    """Make the data set of so many evenings in a folder, keeping what is there; gives its list.

    evenings, crowded, relit: how many of each range of seeds (`models.detector.scenes`).
    """
    for split in ("train", "val"):
        (folder / "images" / split).mkdir(parents=True, exist_ok=True)
        (folder / "labels" / split).mkdir(parents=True, exist_ok=True)
    (folder / "done").mkdir(exist_ok=True)
    wanted = ((FIRST_SEED, evenings), (FIRST_CROWDED_SEED, crowded), (FIRST_RELIT_SEED, relit))
    seeds = [seed for first, number in wanted for seed in range(first, first + number)]
    missing = [seed for seed in seeds if not (folder / "done" / str(seed)).exists()]
    # Threads of OpenCV do not survive a fork.
    with multiprocessing.get_context("spawn").Pool(processes or os.cpu_count()) as pool:
        jobs = pool.imap_unordered(_make_one, [(folder, seed) for seed in missing])
        for _ in track(jobs, "Drawing scenes", total=len(missing)):
            pass
    return _listed(folder, frozenset(seeds))


def _listed(folder: Path, seeds: frozenset[int]) -> Path:
    """Write down the crops of these evenings for ultralytics."""
    for split in ("train", "val"):
        crops = sorted((folder / "images" / split).glob("*.jpg"))
        chosen = [str(crop.resolve()) for crop in crops if int(crop.name.split("-")[0]) in seeds]
        (folder / f"{split}{len(seeds)}.txt").write_text("\n".join(chosen) + "\n", "utf-8")
    listed = folder / f"data{len(seeds)}.yaml"
    lines = {"path": str(folder.resolve()), "names": dict(enumerate(LABELS))}
    lines |= {split: f"{split}{len(seeds)}.txt" for split in ("train", "val")}
    listed.write_text(yaml.safe_dump(lines), "utf-8")
    return listed


def _make_one(job: tuple[Path, int]) -> None:
    folder, seed = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, 0xC20])
    split = "val" if seed % _JUDGED_EVERY == 0 else "train"
    number = 0
    for picture in pictures(seed):
        for crop in crops(picture, rng, 3 if is_crowded(seed) else 1):
            name = f"{seed}-{number:02d}"
            number += 1
            cv2.imwrite(str(folder / "images" / split / f"{name}.jpg"), crop.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
            (folder / "labels" / split / f"{name}.txt").write_text(label_lines(crop), "utf-8")
    (folder / "done" / str(seed)).touch()
