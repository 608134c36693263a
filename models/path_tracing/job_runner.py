"""Rendering the orders of a folder one after the other; run by Blender's Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def render_jobs(render: Callable[[dict[str, Any]], dict[str, Any]], folder: Path, part: Sequence[str]) -> None:
    """Render the orders of a folder (`specs.json`) and write their ground truth, a line each (`truth-FIRST.jsonl`).

    Orders that have a line already are left out. part: first and last order, as text; empty for all.
    """
    first, last = (int(part[0]), int(part[1])) if part else (0, None)
    truth = folder / f"truth-{first}.jsonl"
    done = {json.loads(line)["seed"] for line in truth.read_text("utf-8").splitlines()} if truth.exists() else set()
    for job in json.loads((folder / "specs.json").read_text("utf-8"))[first:last]:
        if job["seed"] not in done:
            rendered = render(job)
            with truth.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(rendered) + "\n")
