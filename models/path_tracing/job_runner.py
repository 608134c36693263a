"""Runs the render jobs of a folder one after the other; used by Blender's Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def render_jobs(render: Callable[[dict[str, Any]], dict[str, Any]], folder: Path, part: Sequence[str]) -> None:
    """Run the jobs of a folder (`specs.json`), and append the ground truth of each to `truth-FIRST.jsonl`.

    Jobs whose ground truth is there already are left out. render: renders one job and returns its ground truth.
    part: indices of the first job and of the one after the last, as text; empty: all jobs. FIRST: index of the
    first job.
    """
    first, last = (int(part[0]), int(part[1])) if part else (0, None)
    truth = folder / f"truth-{first}.jsonl"
    done = {json.loads(line)["seed"] for line in truth.read_text("utf-8").splitlines()} if truth.exists() else set()
    for job in json.loads((folder / "specs.json").read_text("utf-8"))[first:last]:
        if job["seed"] not in done:
            rendered = render(job)
            with truth.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(rendered) + "\n")
