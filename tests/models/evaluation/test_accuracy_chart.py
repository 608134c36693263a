from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from models.evaluation.measuring.hand_reading import FIVE_FRAMES, ONE_FRAME
from models.evaluation.output.accuracy_chart import MOST, PANELS, VERDICT_TEXTS, chart_svg, hands_by_pieces, main

SVG = "{http://www.w3.org/2000/svg}"


def hand(pieces: int, *, exact: bool = True, doubtful: bool = False, found: bool = True) -> dict[str, Any]:
    held = {"search:red": pieces} if pieces else {}
    return {"is": held, "read": held if found else None, "exact": exact, "doubtful": doubtful}


ROWS = [
    {"way": ONE_FRAME, "hands": [hand(0), hand(2), hand(2, doubtful=True), hand(12, exact=False, doubtful=True)]},
    {"way": ONE_FRAME, "hands": [hand(2, exact=False), hand(2, exact=False, found=False)]},
    {"way": FIVE_FRAMES, "hands": [hand(2)] * 3},
]


def test_hands_are_counted_by_their_pieces_and_by_what_came_of_them() -> None:
    counted = hands_by_pieces(ROWS, ONE_FRAME)
    assert counted[0] == Counter(sure=1)
    assert counted[2] == Counter(sure=1, asked=1, silent=1, asked_wrong=1)
    assert counted[MOST] == Counter(asked_wrong=1)
    assert sum(map(Counter.total, counted.values())) == 6
    assert hands_by_pieces(ROWS, FIVE_FRAMES)[2] == Counter(sure=3)


def test_bars_are_as_long_as_their_shares_and_say_what_they_are() -> None:
    counted = hands_by_pieces(ROWS, ONE_FRAME)
    picture = ElementTree.fromstring(chart_svg([("sessions", "one <frame>", counted)]))
    bars = {
        title.text: float(bar.attrib["width"])
        for bar in picture.iter(f"{SVG}rect")
        for title in bar.findall(f"{SVG}title")
    }
    of_two = [length for label, length in bars.items() if label and label.startswith("1 of 4: ")]
    assert len(of_two) == len(VERDICT_TEXTS)
    assert of_two == [of_two[0]] * 4
    assert bars["1 of 1: right, not asked about"] == pytest.approx(4 * of_two[0])
    words = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"sessions: 50.0%", "one <frame> (6)"} <= {*words}
    assert {*VERDICT_TEXTS.values()} <= {*words}


def test_the_chart_is_drawn_from_files_of_results(tmp_path: Path) -> None:
    for name in {panel[0] for panel in PANELS}:
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    result = CliRunner().invoke(main, ["--results", str(tmp_path), "--to", str(tmp_path / "chart.svg")])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "chart.svg").read_text("utf-8").count("<title>") == 6 + 1 + 6


def test_the_chart_of_the_readme_shows_the_results_that_are_kept() -> None:
    root = Path(__file__).parents[3]
    result = CliRunner().invoke(main, ["--to", "-"])
    assert result.exit_code == 0, result.output
    assert result.output == (root / "docs" / "pictures" / "accuracy.svg").read_text("utf-8")
