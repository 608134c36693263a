"""The evaluation by ground and angle."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.evaluation.hands.accuracy_by_table_surface import (
    ANGLES,
    GroundTotals,
    by_group,
    jobs,
    main,
    table_of,
    textured_table_top,
)
from models.evaluation.metrics.verdicts import ReadingTotals
from models.evaluation.scenes import held_out_parameters
from models.evaluation.scenes.synthetic_sessions import SyntheticSession
from vision.cameras.simulated.table_surfaces import SPAN_MM


def test_each_ground_is_measured_at_each_angle_with_the_same_session() -> None:
    listed = jobs(held_out_parameters.GROUNDS, [], 2)
    assert len(listed) == 16 * 4 * 2
    for name in held_out_parameters.GROUNDS:
        own = [job for job in listed if job.ground == name]
        assert {job.angle for job in own} == set(ANGLES)
        assert len({job.seed for job in own}) == 2
    shared = jobs(held_out_parameters.GROUNDS, [], 2, shared=True)
    sessions = {name: {job.seed for job in shared if job.ground == name} for name in held_out_parameters.GROUNDS}
    assert all(seeds == sessions["wood"] for seeds in sessions.values())
    assert len(sessions["wood"]) == 8
    alone = jobs(("lace",), [], 2)
    assert alone == [job for job in listed if job.ground == "lace"]


def test_sixteen_grounds_are_judged_on_and_four_of_their_kinds_are_never_trained_with() -> None:
    assert len(set(held_out_parameters.GROUNDS)) == 16
    assert set(held_out_parameters.HELD_OUT_GROUNDS) <= set(held_out_parameters.GROUNDS)
    assert len(held_out_parameters.HELD_OUT_GROUNDS) == 4
    assert not set(held_out_parameters.HELD_OUT_GROUNDS) & set(held_out_parameters.TRAINING_GROUNDS)
    for name in held_out_parameters.NAMES:
        ground = held_out_parameters.ground(name, 3, 45.0)
        assert ground.angle == 45.0
        assert (ground.playmat is not None) == (name == held_out_parameters.PLAYMAT)
    with pytest.raises(ValueError, match="not held out"):
        held_out_parameters.ground("wood", held_out_parameters.FIRST_TRAINING_SEED, 0.0)


@pytest.mark.slow
def test_a_session_is_the_same_on_every_ground_but_for_the_ground() -> None:
    plain, checked = SyntheticSession(9001), SyntheticSession(9001, held_out_parameters.ground("checks", 9001, 0.0))
    assert plain.moment(1) == checked.moment(1)
    assert plain.look.ground is None
    scene = plain.moment(4).scene
    assert cv2.absdiff(plain.renderer.render(scene), checked.renderer.render(scene)).mean() > 5


def test_a_photographed_texture_covers_the_table_at_its_angle(tmp_path: Path) -> None:
    stripes = np.zeros((64, 256, 3), np.uint8)
    stripes[:, ::16] = stripes[:, 1::16] = stripes[:, 2::16] = 255
    cv2.imwrite(str(tmp_path / "stripes.png"), stripes)
    upright, lying = (textured_table_top(tmp_path / "stripes.png", angle, 5).astype(int) for angle in (0.0, 90.0))
    assert upright.shape == lying.shape == (SPAN_MM[1], SPAN_MM[0], 3)
    assert np.abs(np.diff(upright, axis=1)).mean() > 20 * np.abs(np.diff(upright, axis=0)).mean()
    assert np.abs(np.diff(lying, axis=0)).mean() > 20 * np.abs(np.diff(lying, axis=1)).mean()
    (tmp_path / "none.png").write_bytes(b"no picture")
    with pytest.raises(ValueError, match="no picture"):
        textured_table_top(tmp_path / "none.png", 0.0, 5)


def test_figures_of_a_group_are_the_sums_of_its_sessions() -> None:
    one = GroundTotals(single=ReadingTotals(hands=4, hands_found=3), enrolled=6, kinds=7, false_hands=1)
    listed = jobs(("wood", "lace"), [], 1)
    sums = by_group([(job, one) for job in listed], lambda job: job.ground)
    assert list(sums) == ["wood", "lace"]
    assert sums["wood"].single.hands_found == 12
    assert sums["lace"].kinds == 28
    assert table_of("by ground", sums).row_count == 3


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_command_measures_a_ground_and_writes_the_figures(tmp_path: Path) -> None:
    target = tmp_path / "grounds.json"
    result = CliRunner().invoke(
        main, ["--ground", "plain", "--angle", "45", "--processes", "1", "--results", str(target)]
    )
    assert result.exit_code == 0, result.output
    written = json.loads(target.read_text("utf-8"))
    figures = written["grounds"]["plain"]
    assert figures["hands"] > 8
    assert figures["found_hands"] >= 0.95 * figures["hands"]
    assert figures["kinds_enrolled"] == figures["kinds"] == 7
    assert [row["angle"] for row in written["each"]] == [45]
    assert "45°" in result.output
