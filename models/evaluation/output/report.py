"""Results on hands and cards: totals, printable tables, and files with a row per picture."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from companion.adapters.wicked.card_proposals import MIN_CARD_CONFIDENCE
from models.evaluation.measuring.card_reading import (
    MIN_EXPECTED_FRACTION,
    MIN_REQUIRED_FRACTION,
    CardsMeasured,
    CardVerdict,
    card_row,
)
from models.evaluation.measuring.hand_reading import PictureResult, picture_row
from models.evaluation.metrics.confidence_calibration import Bin, expected_calibration_error, reliability
from models.evaluation.metrics.verdicts import ReadingTotals

Summary = dict[str, Any]
"""Totals as plain values for JSON, by name."""


def reveal_summary(measured: Sequence[PictureResult]) -> Summary:
    """Return the totals over pictures of hands, all of one set and read with one method."""
    tally = ReadingTotals.of(one.verdict for one in measured)
    times = [one.milliseconds for one in measured if one.milliseconds]
    bins = reliability([pair for one in measured for pair in one.verdict.sure])
    return {
        "set": measured[0].group,
        "way": measured[0].way,
        "made": "rendered" if measured[0].rendered else "photographed",
        "hands": tally.hands,
        "exact_hands": tally.hands_exact,
        "off_by_one_at_most": tally.hands_near,
        "found_hands": tally.hands_found,
        "doubtful_hands": tally.hands_doubtful,
        "silently_wrong_hands": tally.hands_silently_wrong,
        "tables": tally.tables,
        "exact_tables": tally.tables_exact,
        "silently_wrong_tables": tally.tables_silently_wrong,
        "asked_tables": tally.tables_asked,
        "ghost_hands": tally.ghosts,
        "tables_without_hands": tally.empty,
        "tables_without_hands_clean": tally.empty_clean,
        **_times(times),
        **_calibration(bins),
    }


def card_summary(measured: Sequence[CardsMeasured]) -> Summary:
    """Return the totals over pictures of a ring of cards, all read with one method."""
    cards = [card for one in measured for card in one.cards]
    laid = [card for card in cards if card.slot is not None]
    viewed = [card for card in laid if card.visible >= MIN_REQUIRED_FRACTION]
    covered = [card for card in laid if MIN_EXPECTED_FRACTION <= card.visible < MIN_REQUIRED_FRACTION]
    bins = reliability([(card.confidence, card.right) for card in cards if card.read is not None])
    return {
        "set": "cards",
        "way": measured[0].way,
        "made": "rendered",
        "pictures": len(measured),
        "in_view": len(viewed),
        "named": sum(card.right for card in viewed),
        "named_and_sure": sum(card.right and card.confidence >= MIN_CARD_CONFIDENCE for card in viewed),
        "slot_right": sum(card.right and card.placed == card.slot for card in viewed),
        "slot_wrong": sum(card.placed is not None and card.placed != card.slot for card in laid),
        "upright": sum(card.right and card.upright for card in viewed),
        "partly_covered": len(covered),
        "partly_covered_named": sum(card.right for card in covered),
        "wrong": sum(card.wrong for card in cards),
        "silently_wrong": sum(_is_undetected_error(card) for card in cards),
        **_times([one.milliseconds for one in measured]),
        **_calibration(bins),
    }


def _is_undetected_error(card: CardVerdict) -> bool:
    return card.wrong and card.confidence >= MIN_CARD_CONFIDENCE


def _times(times: Sequence[float]) -> Summary:
    """Return the median and the 95th percentile of times, ms; None without times."""
    if not times:
        return {"milliseconds_median": None, "milliseconds_95th": None}
    middle, slow = (round(float(np.percentile(times, share)), 1) for share in (50, 95))
    return {"milliseconds_median": middle, "milliseconds_95th": slow}


def _calibration(bins: Sequence[Bin]) -> Summary:
    """Return the expected calibration error and the reliability table."""
    return {
        "expected_calibration_error": round(expected_calibration_error(bins), 4),
        "reliability": [
            {
                "from": b.low,
                "to": b.high,
                "answers": b.count,
                "confidence": round(b.confidence, 3),
                "right": round(b.right, 3),
            }
            for b in bins
        ],
    }


def share(part: int, total: int) -> str:
    """Format a fraction as in "97.3 % (146/150)"; return "-" if the total is 0."""
    return f"{100 * part / total:.1f} % ({part}/{total})" if total else "-"


def reveal_table(summaries: Iterable[Summary]) -> Table:
    """Return a printable table of results on hands, one column per set and method."""
    table = Table(title="hands", title_justify="left", box=None, pad_edge=False)
    table.add_column("")
    rows: list[list[str]] = [[] for _ in range(12)]
    names = (
        "", "", "exact tables", "undetected errors", "tables asked about", "exact hands", "off by one at most",
        "undetected errors in hands", "doubtful hands", "open hands where none is", "tables without hands clean",
        "a picture, median (95th)",
    )  # fmt: skip # headings in order
    for s in summaries:
        table.add_column(f"{s['set']} ({s['made']})")
        cells = (
            s["way"],
            "",
            share(s["exact_tables"], s["tables"]),
            share(s["silently_wrong_tables"], s["tables"]),
            share(s["asked_tables"], s["tables"]),
            share(s["exact_hands"], s["hands"]),
            share(s["off_by_one_at_most"], s["hands"]),
            share(s["silently_wrong_hands"], s["hands"]),
            share(s["doubtful_hands"], s["hands"]),
            str(s["ghost_hands"]),
            share(s["tables_without_hands_clean"], s["tables_without_hands"]),
            _format_times(s),
        )
        for cell, row in zip(cells, rows, strict=True):
            row.append(cell)
    for name, row in zip(names, rows, strict=True):
        table.add_row(name, *row)
    return table


def card_table(summaries: Iterable[Summary]) -> Table:
    """Return a printable table of results on cards, one column per method."""
    table = Table(title="cards (rendered)", title_justify="left", box=None, pad_edge=False)
    table.add_column("")
    columns = list(summaries)
    for s in columns:
        table.add_column(s["way"])
    for name, key, of in (
        ("named, of those in full view", "named", "in_view"),
        (f"… and sure ({MIN_CARD_CONFIDENCE} or more)", "named_and_sure", "in_view"),
        ("slot right", "slot_right", "named"),
        ("right way up", "upright", "named"),
        ("named, of those partly covered", "partly_covered_named", "partly_covered"),
    ):
        table.add_row(name, *(share(s[key], s[of]) for s in columns))
    table.add_row("called another, silently", *(f"{s['wrong']}, {s['silently_wrong']}" for s in columns))
    table.add_row("put in a wrong slot", *(str(s["slot_wrong"]) for s in columns))
    table.add_row("a picture, median (95th)", *(_format_times(s) for s in columns))
    return table


def reliability_table(summaries: Sequence[Summary]) -> Table:
    """Return a printable table of accuracy by range of confidence, one column per summary."""
    table = Table(title="confidence: right of those so sure", title_justify="left", box=None, pad_edge=False)
    table.add_column("confidence")
    for s in summaries:
        table.add_column(f"{s['set']}, {s['way']}")
    bins = sorted({(b["from"], b["to"]) for s in summaries for b in s["reliability"]})
    for low, high in bins:
        cells = []
        for s in summaries:
            found = [b for b in s["reliability"] if (b["from"], b["to"]) == (low, high)]
            cells.append(f"{100 * found[0]['right']:.0f} % of {found[0]['answers']}" if found else "")
        table.add_row(f"{low:.2f} to {high:.2f}", *cells)
    table.add_row("expected calibration error", *(f"{s['expected_calibration_error']:.3f}" for s in summaries))
    return table


def _format_times(s: Summary) -> str:
    middle, slow = s["milliseconds_median"], s["milliseconds_95th"]
    return "-" if middle is None else f"{middle:.0f} ms ({slow:.0f} ms)"


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows to a file, one line of JSON each, sorted by picture and method."""
    ordered = sorted(rows, key=lambda row: (row["picture"], row["way"]))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in ordered), "utf-8")


def reveal_rows(measured: Iterable[PictureResult]) -> list[Mapping[str, Any]]:
    """Return one row per picture of hands, as plain values for JSON."""
    return [picture_row(one) for one in measured]


def card_rows(measured: Iterable[CardsMeasured]) -> list[Mapping[str, Any]]:
    """Return one row per picture of cards, as plain values for JSON."""
    return [card_row(one) for one in measured]
