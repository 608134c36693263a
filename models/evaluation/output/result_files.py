"""Write JSON files of results: one line for the summary, one for each session."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path


def write_results(path: Path, first_seed: int, summary: Mapping[str, object], rows: Sequence[object]) -> None:
    """Write a JSON file with a summary and one row per session; create its folder if it is missing.

    first_seed: seed of the first session; summary, rows: values that `json` can write.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    head = json.dumps({"made": "rendered", "first_seed": first_seed, **summary})
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    path.write_text(f'{{"summary": {head},\n "evenings": [\n  {lines}\n]}}\n', "utf-8")
