from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.light.light_field import linear
from models.evaluation.hands.disturbed_pictures import (
    DISTURBANCES,
    Disturbance,
    main,
    read_disturbed,
    write_disturbed,
)
from models.evaluation.scenes.picture_changes import contrasted, curved, lit, sized
from models.evaluation.scenes.picture_sets import kind_of
from models.evaluation.scenes.synthetic_sessions import SyntheticSession
from vision.cameras.frame import Image

pytestmark = pytest.mark.slow

PICTURES = ("calibration.jpg", "enrol/search-red.jpg", "scenes/1.jpg")
RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a held-out session with one of its tables, and of the pieces those in its hands."""
    folder = tmp_path_factory.mktemp("session") / "drawn"
    session = SyntheticSession(5)
    session.write(folder, [1])
    held = {kind for hand in session.moment(1).scene.hands for kind in hand.pieces}
    for picture in (folder / "enrol").iterdir():
        if kind_of(picture.stem) not in held:
            picture.unlink()
    return folder


def picture(path: Path) -> Image:
    return np.asarray(cv2.imread(str(path)), np.uint8)


@pytest.mark.parametrize("disturbance", DISTURBANCES, ids=lambda one: one.name)
def test_a_disturbance_changes_the_pictures_that_it_should_and_no_other(
    drawn: Path, tmp_path: Path, disturbance: Disturbance
) -> None:
    write_disturbed(drawn, tmp_path / "one", disturbance)
    write_disturbed(drawn, tmp_path / "two", disturbance)
    for name in PICTURES:
        before, after = (folder.joinpath(name).read_bytes() for folder in (drawn, tmp_path / "one"))
        kept = disturbance.change is None or (disturbance.since and not name.startswith("scenes"))
        assert (before == after) == kept
        assert after == (tmp_path / "two" / name).read_bytes()
    assert (tmp_path / "one" / "truth.json").read_bytes() == (drawn / "truth.json").read_bytes()


def test_light_and_size_are_changed_as_described(drawn: Path) -> None:
    image = picture(drawn / PICTURES[2])
    warm = lit(0.5, 1.0, 1.2)(image, RNG)
    middle = (image > 40).all(axis=2) & (image < 180).all(axis=2)
    gains = np.median(linear(warm)[middle] / linear(image)[middle], axis=0)
    assert gains == pytest.approx([0.5, 1.0, 1.2], rel=0.03)
    assert sized(640)(image, RNG).shape == (360, 640, 3)
    assert curved(2.0)(np.full((1, 1, 3), 128, np.uint8), RNG)[0, 0, 0] == 64
    assert contrasted(1.5)(np.full((1, 1, 3), 148, np.uint8), RNG)[0, 0, 0] == 158


def test_a_table_is_read_under_each_disturbance_and_none_is_silently_wrong(drawn: Path) -> None:
    readings = read_disturbed(drawn)
    assert len(readings) == len(DISTURBANCES)
    assert {(one.tables, one.hands) for one in readings} == {(1, readings[0].hands)}
    assert readings[0].hands_near == readings[1].hands_near == readings[0].hands > 0
    assert not any(one.tables_silently_wrong for one in readings)


def test_where_others_drew_nothing_it_is_said_and_nothing_written(tmp_path: Path) -> None:
    results = tmp_path / "disturbed.json"
    said = CliRunner().invoke(main, ["--data", str(tmp_path), "--results", str(results)])
    assert said.exit_code == 0
    assert "there is no table-reveals in" in said.output
    assert not results.exists()
