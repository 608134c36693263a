"""Which crops a network is trained with."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from models.detector.dataset import label_file, make
from vision.detector import LABELS

SPLITS = ("train", "val")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    make(folder, 2, 1, processes=1)
    return folder


def listed(folder: Path, data: Path) -> dict[str, list[Path]]:
    told = yaml.safe_load(data.read_text("utf-8"))
    return {split: [Path(line) for line in (folder / told[split]).read_text("utf-8").split()] for split in SPLITS}


def labels(crop: Path) -> set[str]:
    return {LABELS[int(line.split()[0])] for line in label_file(crop).read_text("utf-8").splitlines()}


def test_who_looks_into_hands_is_trained_with_what_is_seen_from_near(drawn: Path) -> None:
    every, near = listed(drawn, make(drawn, 2, 1)), listed(drawn, make(drawn, 2, 1, close=True))
    for split in SPLITS:
        assert set(near[split]) < set(every[split])
        assert all(not labels(crop) & {"open", "closed", "card"} for crop in near[split])
        lacking = set(every[split]) - set(near[split])
        assert all(labels(crop) & {"open", "closed", "card"} for crop in lacking if labels(crop))
    assert any("piece" in labels(crop) for crop in near["train"])
