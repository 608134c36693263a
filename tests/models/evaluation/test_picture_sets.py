import json
from pathlib import Path
from typing import Any

import pytest

from models.evaluation.scenes.picture_sets import SetError, load


def _written(folder: Path, scene: dict[str, Any]) -> Path:
    (folder / "enrol").mkdir()
    for name in ("search-red.jpg", "sign-soul.jpg"):
        (folder / "enrol" / name).touch()
    (folder / "truth.json").write_text(json.dumps({"scenes": {"001": scene}}), "utf-8")
    return folder


def test_a_set_is_read_with_its_kinds_as_the_commands_name_them(tmp_path: Path) -> None:
    hand = {
        "seat": 1,
        "state": "open",
        "bbox": [600, 450, 740, 610],
        "pieces": [{"kind": "search-red"}, {"kind": "sign-soul", "visible_fraction": 0.1}],
    }
    pictures = load(_written(tmp_path, {"file": "scenes/001.jpg", "n": 5, "hands": [hand]}))
    assert list(pictures.enrol) == ["search:red", "sign:soul"]
    (shot,) = pictures.shots
    assert (shot.path, shot.seats) == (tmp_path / "scenes/001.jpg", 5)
    assert shot.hands[0].high == {"search:red": 1, "sign:soul": 1}
    assert shot.hands[0].low == {"search:red": 1, "sign:soul": 0}
    assert shot.hands[0].box == (600, 450, 140, 160)


def test_a_picture_outside_its_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetError, match="outside its folder"):
        load(_written(tmp_path, {"file": "../secret.jpg", "hands": []}))


NO_TRUTHS = ["", "[]", "{}", '{"scenes": {}}', '{"scenes": {"1": {"hands": [{"seat": "x"}]}}}']


def test_a_truth_that_cannot_be_read_is_reported_in_one_line(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for text in NO_TRUTHS:
        with subtests.test(f"{text!r:.60}"):
            (tmp_path / "truth.json").write_text(text, "utf-8")
            with pytest.raises(
                SetError, match=r"^[^\n]*truth\.json cannot be read: check the path of the pictures\.$"
            ):
                load(tmp_path)
