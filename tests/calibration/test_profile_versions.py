"""Profiles of format 6, which kept pictures with marked pieces, still load, and keep which ground they lay on."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from pydantic import TypeAdapter

from calibration.errors import ProfileError
from calibration.files import crash_safe_files
from calibration.pieces.enrolment import enrol_marked
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from calibration.profile_sharing import export_profile, read_profile

SIZE, SIDE = (480, 320), 24.0
SPOTS = ((60.0, 60.0), (220.0, 60.0), (380.0, 60.0), (60.0, 220.0), (220.0, 220.0), (380.0, 220.0))
BOXES = [(x, y, SIDE, SIDE) for x, y in SPOTS]
BLUE, RED = (170, 80, 30), (40, 40, 190)


def picture(paint: tuple[int, int, int], *, printed: bool) -> Image:
    """Draw six pieces on a plain table or on a board printed in many colours."""
    rng = np.random.default_rng(2)
    inks = rng.integers(60, 220, (10, 15, 3)).astype(np.uint8)
    image = np.full((SIZE[1], SIZE[0], 3), 150, np.uint8)
    if printed:
        image = np.asarray(cv2.resize(inks, SIZE, interpolation=cv2.INTER_NEAREST), np.uint8)
    for x, y in SPOTS:
        cv2.circle(image, (int(x + SIDE / 2), int(y + SIDE / 2)), int(SIDE / 2) - 2, paint, cv2.FILLED)
    return image


def write_in_format_6(folder: Path) -> None:
    """Write a profile with a kind marked on a plain table and another on a printed board."""
    profile, boards = TableProfile(4).with_flat(2.0, 4), []
    for kind, paint, printed in (("token:blue", BLUE, False), ("token:red", RED, True)):
        image = picture(paint, printed=printed)
        profile = enrol_marked(profile, kind, image, boxes=BOXES, force=True)
        file = crash_safe_files.write_named(folder, "board", ".jpg", cv2.imencode(".jpg", image)[1].tobytes())
        plane = json.loads(TypeAdapter(TablePlane).dump_json(TablePlane.flat(2.0, SIZE)))
        boards.append({"file": file, "plane": plane, "marks": {kind: BOXES}, "source": "0" * 16})
    kept = {path.name: path.read_bytes() for path in folder.glob("board-*.jpg")}
    profile.save(folder)
    for name, data in kept.items():
        (folder / name).write_bytes(data)
    pieces = json.loads((folder / "profile.json").read_text())["games"]["wicked"]["pieces"]
    rewrite(folder, version=6, games={"wicked": {"pieces": pieces, "boards": boards}})


def rewrite(folder: Path, **changes: object) -> None:
    content = json.loads((folder / "profile.json").read_text())
    (folder / "profile.json").write_text(json.dumps({**content, **changes}))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    write_in_format_6(tmp_path)
    return tmp_path


def test_the_kinds_that_lay_on_print_are_kept_and_the_pictures_are_dropped(old: Path) -> None:
    profile = TableProfile.load(old)
    assert (sorted(profile.pieces), profile.on_pattern) == (["token:blue", "token:red"], {"token:red"})
    profile.save(old)
    assert list(old.glob("board-*.jpg")) == []
    again = TableProfile.load(old)
    assert (sorted(again.pieces), again.on_pattern) == (["token:blue", "token:red"], {"token:red"})


def test_an_exported_profile_of_format_6_is_imported(old: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("export") / "p.zip"
    with zipfile.ZipFile(file, "w") as archive:
        for path in old.iterdir():
            archive.write(path, path.name)
    imported = read_profile(file)
    assert (sorted(imported.pieces), imported.on_pattern) == (["token:blue", "token:red"], {"token:red"})
    export_profile(imported, file)
    assert read_profile(file).on_pattern == {"token:red"}
    assert not any(name.startswith("board") for name in zipfile.ZipFile(file).namelist())


@pytest.mark.parametrize("data", [None, b"no picture"], ids=["missing", "damaged"])
def test_kinds_of_a_lost_picture_are_taken_for_printed_on(old: Path, data: bytes | None) -> None:
    for path in old.glob("board-*.jpg"):
        path.unlink() if data is None else path.write_bytes(data)
    assert TableProfile.load(old).on_pattern == {"token:blue", "token:red"}


@pytest.mark.parametrize("boards", [[{"file": "../../x.jpg"}], {"a": 1}, [None], 7])
def test_an_invalid_list_of_pictures_is_refused_in_one_line(old: Path, boards: object) -> None:
    rewrite(old, games={"wicked": {"boards": boards}})
    with pytest.raises(ProfileError, match="is damaged at"):
        TableProfile.load(old)


@pytest.mark.parametrize("games", [{"wicked": 3}, [], {"wicked": {"boards": [], "more": 1}}])
def test_other_content_of_a_wrong_form_is_refused_in_one_line(old: Path, games: object) -> None:
    rewrite(old, games=games)
    with pytest.raises(ProfileError, match="is damaged at “games"):
        TableProfile.load(old)
