"""Draw an SVG chart of the accuracy on hands by their number of pieces.

`python -m models.evaluation.output.accuracy_chart` draws the chart of `docs/accuracy.md` from the results that
`make eval` wrote.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TextIO
from xml.sax.saxutils import escape

import click

from models.evaluation import RESULTS_FOLDER
from models.evaluation.measuring.hand_reading import FIVE_FRAMES, ONE_FRAME

ROOT = Path(__file__).parents[3]
Verdict = Literal["sure", "asked", "asked_wrong", "silent"]
"""Right or wrong (`asked_wrong`, `silent`), with or without a need for confirmation (`sure`, `silent`)."""
VERDICT_TEXTS: Mapping[Verdict, str] = {
    "sure": "right, not asked about",
    "asked": "right, asked about",
    "asked_wrong": "wrong, asked about",
    "silent": "wrong without a question",
}
PANELS = (
    ("held-out", ONE_FRAME, "held-out sessions", "one frame, no rule known"),
    ("held-out", FIVE_FRAMES, "held-out sessions", "five frames, rules known"),
    ("table-reveals", ONE_FRAME, "another renderer", "one frame, no rule known"),
)
"""Name of the results file, reading method, title and subtitle of each panel."""
MOST = 8
"""Number of pieces from which on hands share one bar."""

_WIDTH = 960
"""Width of the chart, px."""
_LEFT = 56
"""Left margin, px."""
_TOP = 78
"""Top margin, px."""
_ROW = 27
"""Height of a row, px."""
_BAR = 19
"""Height of a bar, px."""
_FOOT = 96
"""Height of the legend, px."""
_PANEL = 250
"""Width of a panel, px."""
_GAP = 32
"""Distance between panels, px."""
# Shades of one gold from light to dark, and a red with stripes: they differ without colour, too.
_FILLS: Mapping[Verdict, str] = {
    "sure": "#c9a45c",
    "asked": "#7d6a45",
    "asked_wrong": "url(#asked)",
    "silent": "#d0453b",
}


def hands_by_pieces(rows: Iterable[Mapping[str, Any]], way: str) -> Mapping[int, Counter[Verdict]]:
    """Return how many open hands got each verdict, by number of pieces in the hand (MOST: that many or more).

    rows: of a results file, one per picture; way: reading method, `ONE_FRAME` or `FIVE_FRAMES`.
    """
    counted: dict[int, Counter[Verdict]] = {pieces: Counter() for pieces in range(MOST + 1)}
    for row in rows:
        if row["way"] == way:
            for hand in row["hands"]:
                counted[min(MOST, sum(hand["is"].values()))][_verdict(hand)] += 1
    return counted


def _verdict(hand: Mapping[str, Any]) -> Verdict:
    """Return the verdict on a hand of a results file."""
    if hand["exact"]:
        return "asked" if hand["doubtful"] else "sure"
    # A hand that is not detected is no undetected error: the table waits for it.
    return "asked_wrong" if hand["doubtful"] or hand["read"] is None else "silent"


def chart_svg(panels: Sequence[tuple[str, str, Mapping[int, Counter[Verdict]]]]) -> str:
    """Return the SVG text of a chart with panels side by side. panels: title, subtitle and `hands_by_pieces`."""
    height = _TOP + _ROW * (MOST + 1) + _FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img"'
        ' font-family="Georgia, \'Times New Roman\', serif" aria-label="How many open hands are read right, asked'
        ' about or wrong, by the number of pieces in them">',
        '<defs><pattern id="asked" width="7" height="7" patternUnits="userSpaceOnUse"'
        ' patternTransform="rotate(45)"><rect width="7" height="7" fill="#3a3347"/>'
        '<rect width="2" height="7" fill="#efe6d3"/></pattern></defs>',
        f'<rect width="{_WIDTH}" height="{height}" fill="#14121a"/>',
    ]
    for number, (title, second, counted) in enumerate(panels):
        parts += _panel(_LEFT + number * (_PANEL + _GAP), title, second, counted)
    parts += [
        _text(_LEFT - 12, _TOP + pieces * _ROW + 15, f"{pieces}{'+' if pieces == MOST else ''}", 15, "end")
        for pieces in range(MOST + 1)
    ]
    parts += _legend(height)
    return "\n".join([*parts, "</svg>\n"])


def _panel(left: float, title: str, second: str, counted: Mapping[int, Counter[Verdict]]) -> Iterator[str]:
    """Yield the SVG elements of a panel. left: x of its left edge, px; second: its subtitle."""
    hands = sum(sum(count.values()) for count in counted.values())
    right = sum(count["sure"] + count["asked"] for count in counted.values())
    yield _text(left, 28, f"{title}: {right / max(1, hands):.1%}", 17, fill="#c9a45c")
    yield _text(left, 50, f"{second} ({hands})", 14)
    for pieces, count in counted.items():
        top, at = _TOP + pieces * _ROW, left
        total = sum(count.values())
        for verdict in VERDICT_TEXTS:
            if count[verdict]:
                wide = (_PANEL - 40) * count[verdict] / total
                yield (
                    f'<rect x="{at:.1f}" y="{top}" width="{wide:.1f}" height="{_BAR}" fill="{_FILLS[verdict]}">'
                    f"<title>{count[verdict]} of {total}: {escape(VERDICT_TEXTS[verdict])}</title></rect>"
                )
                at += wide
        if total:
            yield _text(left + _PANEL - 34, top + 15, f"{(count['sure'] + count['asked']) / total:.0%}", 14)


def _legend(height: int) -> Iterator[str]:
    """Yield the SVG elements of the legend. height: of the chart, px."""
    yield _text(
        _LEFT, height - 58, "Rows: pieces in the hand. Percentages: hands that are right. Rendered pictures.", 14
    )
    for number, (verdict, text) in enumerate(VERDICT_TEXTS.items()):
        left = _LEFT + 215 * number
        yield f'<rect x="{left}" y="{height - 38}" width="18" height="18" fill="{_FILLS[verdict]}"/>'
        yield _text(left + 26, height - 23, text, 14)


def _text(x: float, y: float, words: str, size: int, anchor: str = "start", fill: str = "#efe6d3") -> str:
    """Return an SVG text element.

    x, y: point on its baseline, px, at which it starts, or ends with `anchor` "end"; size: of the font, px.
    """
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>'
    )


def read_rows(file: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a results file (JSON, one per line)."""
    return map(json.loads, file.read_text("utf-8").splitlines())


@click.command()
@click.option("--results", default=RESULTS_FOLDER, type=click.Path(exists=True, path_type=Path))
@click.option("--to", default=str(ROOT / "docs" / "pictures" / "accuracy.svg"), type=click.File("w", "utf-8"))
def main(results: Path, to: TextIO) -> None:
    """Draw the accuracy on hands from the results of `make eval`, and write the SVG file."""
    panels = [
        (title, second, hands_by_pieces(read_rows(results / f"{name}.jsonl"), way))
        for name, way, title, second in PANELS
    ]
    to.write(chart_svg(panels))


if __name__ == "__main__":
    main()
