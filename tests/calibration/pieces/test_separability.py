from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from calibration.pieces.samples import CROP_PX, PieceSamples, Specimen
from calibration.pieces.separability import measure
from calibration.profile import TableProfile
from companion.cli import main

RED, YELLOW, BLACK = (45.0, 60.0, 40.0), (75.0, 8.0, 65.0), (15.0, 1.0, 1.0)


def _kind(lab: tuple[float, float, float], area: float = 180.0, count: int = 5, seed: int = 0) -> PieceSamples:
    rng = np.random.default_rng(seed)
    crop = np.zeros((CROP_PX, CROP_PX, 4), np.uint8)
    crop[20:36, 20:36, 3] = 255
    side = float(np.sqrt(area))
    return PieceSamples(
        tuple(
            Specimen(
                rng.normal(np.array(lab) + rng.normal(0, 1.5, 3), 3.0, (120, 3)).astype(np.float32),
                (side, side),
                area * float(rng.uniform(0.95, 1.05)),
                crop,
                f"{seed}",
            )
            for _ in range(count)
        )
    )


def test_kinds_of_clearly_different_colours_are_distinguished() -> None:
    found = measure({"search:red": _kind(RED), "search:yellow": _kind(YELLOW), "search:black": _kind(BLACK)})
    assert found.confusable == ()
    assert found.worst < 0.01
    for table in (found.whole, found.hidden):
        assert np.allclose(table.sum(axis=1), 1.0)


def test_two_kinds_that_look_the_same_are_confused_about_half_of_the_time() -> None:
    found = measure({"search:red": _kind(RED, seed=1), "search:green": _kind(RED, seed=2)})
    (pair,) = found.confusable
    assert (pair.one, pair.other) == ("search:red", "search:green")
    assert 0.3 < np.mean([found.whole[0, 1], found.whole[1, 0]]) < 0.7
    assert pair.advice


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (_kind(RED, area=420.0, seed=3), "differ in size only"),
        (_kind((45.0, 57.0, 38.0), count=2, seed=3), "one more picture of each"),
        (_kind((46.0, 59.0, 38.0), seed=3), "whiter lamp"),
    ],
)
def test_the_advice_says_what_would_help(other: PieceSamples, says: str) -> None:
    (pair,) = measure({"search:red": _kind(RED), "token:red": other}).confusable
    assert says in pair.advice
    assert max(pair.whole, pair.hidden) > 0.02


def test_dark_kinds_ask_for_more_light() -> None:
    (pair,) = measure({"search:black": _kind(BLACK), "search:purple": _kind((16.0, 3.0, -1.0), seed=3)}).confusable
    assert "more light" in pair.advice


def test_figures_are_the_same_each_time_and_one_specimen_is_enough() -> None:
    pieces = {"search:red": _kind(RED, count=1), "search:black": _kind(BLACK)}
    assert np.array_equal(measure(pieces).whole, measure(pieces).whole)
    assert measure({}).worst == 0.0


def test_the_report_command_names_what_is_confused_and_what_is_missing(tmp_path: Path) -> None:
    words = ["enrol", "report", "-p", str(tmp_path / "p")]
    table = TableProfile(4).with_flat(2.0, 4).with_pieces("search:red", _kind(RED))
    table.save(tmp_path / "p")
    done = CliRunner().invoke(main, words)
    assert (done.exit_code, "Fewer than two" in done.stderr) == (3, True)
    table.with_pieces("search:green", _kind(RED, seed=2)).save(tmp_path / "p")
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0
    assert "search:red and search:green may be confused" in done.output
    assert "Not known yet: search:purple" in done.output
