"""`python -m models.evaluation`: evaluate the reading of hands and cards, print tables, write results per picture.

`make eval` runs it first, then the other evaluations.
"""

from __future__ import annotations

import json
import multiprocessing
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from models.evaluation import RESULTS_FOLDER
from models.evaluation.measuring.card_reading import CardsMeasured, measure_cards
from models.evaluation.measuring.hand_reading import PictureResult, SetResult, measure_held_out, measure_set
from models.evaluation.output import report
from models.evaluation.output.error_pictures import stack_strips
from models.evaluation.output.report import Summary
from models.evaluation.scenes.picture_sets import external_sets

ROOT = Path(__file__).parents[2]
RESULTS, ARTEFACTS = RESULTS_FOLDER, ROOT / "artefacts"
PARTS = ("held-out", "table-reveals", "cards")
_T = TypeVar("_T")
_Job = tuple[Callable[..., _T], tuple[Any, ...]]


@click.command()
@click.option(
    "--data",
    envvar="EVAL_DATA",
    type=click.Path(path_type=Path),
    help="Folder with external pictures (table-reveals/…); skipped when missing.",
)
@click.option("--sessions", default=40, show_default=True, help="Held-out sessions to draw, five moments each.")
@click.option("--card-sessions", default=24, show_default=True, help="Held-out sessions for card reading.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option("--only", type=click.Choice(PARTS), multiple=True, help="Measure only this; repeatable.")
@click.option("--results", default=RESULTS, show_default="models/results", type=click.Path(path_type=Path))
def main(
    data: Path | None, sessions: int, card_sessions: int, processes: int, only: tuple[str, ...], results: Path
) -> None:
    """Evaluate readings of held-out data, which no network was trained on."""
    console = Console(highlight=False, soft_wrap=True)
    parts = only or PARTS
    sets = external_sets(data) if data is not None and "table-reveals" in parts else []
    if "table-reveals" in parts and not sets:
        where = "EVAL_DATA (or --data) names no folder" if data is None else f"there is no table-reveals in {data}"
        console.print(f"table-reveals is left out: {where}.")
    reveals: list[_Job[SetResult]] = []
    if "held-out" in parts:
        reveals += [(measure_held_out, (seed, "held-out")) for seed in range(sessions)]
    reveals += [(measure_set, (folder, "table-reveals")) for folder in sets]
    cards: list[_Job[tuple[tuple[CardsMeasured, ...], tuple[str, ...]]]] = []
    if "cards" in parts:
        cards = [(measure_cards, (seed,)) for seed in range(card_sessions)]
    measured: list[PictureResult] = []
    laid: list[CardsMeasured] = []
    refused: list[str] = []
    # A forked child would inherit the locks of OpenCV's threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool, _progress(console) as progress:
        for outcome in _run_jobs(pool, progress, "hands", reveals):
            measured += outcome.measured
            refused += outcome.refused
        for some, lines in _run_jobs(pool, progress, "cards", cards):
            laid += some
            refused += lines
    if not measured and not laid:
        return
    summaries = _summaries(measured)
    card_summaries = _card_summaries(laid)
    _print(console, summaries, card_summaries, sorted(refused))
    _write(results, measured, laid, [*summaries, *card_summaries])
    _write_misses(console, measured)


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)


def _run_jobs(pool: ProcessPoolExecutor, progress: Progress, name: str, jobs: Sequence[_Job[_T]]) -> Iterator[_T]:
    """Run jobs in a pool with a progress bar, and yield each result as soon as its job ends."""
    if not jobs:
        return
    task = progress.add_task(name, total=len(jobs))
    for future in as_completed([pool.submit(work, *arguments) for work, arguments in jobs]):
        yield future.result()
        progress.advance(task)


def _summaries(measured: Sequence[PictureResult]) -> list[Summary]:
    """Return the totals of results on hands, per set and reading method."""
    groups = defaultdict(list)
    for one in measured:
        groups[one.group, one.way].append(one)
    return [report.reveal_summary(groups[key]) for key in sorted(groups, reverse=True)]


def _card_summaries(laid: Sequence[CardsMeasured]) -> list[Summary]:
    """Return the totals of results on cards, per reading method."""
    groups = defaultdict(list)
    for one in laid:
        groups[one.way].append(one)
    return [report.card_summary(groups[way]) for way in sorted(groups)]


def _print(
    console: Console, summaries: Sequence[Summary], card_summaries: Sequence[Summary], refused: Sequence[str]
) -> None:
    for line in refused:
        console.print(f"refused: {line}")
    if summaries:
        console.print(report.reveal_table(summaries))
    if card_summaries:
        console.print(report.card_table(card_summaries))
    if summaries or card_summaries:
        console.print(report.reliability_table([*summaries, *card_summaries]))


def _write(
    folder: Path, measured: Sequence[PictureResult], laid: Sequence[CardsMeasured], summaries: Sequence[Summary]
) -> None:
    """Write each set's results to a JSONL file, one line per picture, and replace its totals in summary.json."""
    for group in sorted({one.group for one in measured}):
        rows = report.reveal_rows(one for one in measured if one.group == group)
        report.write_rows(folder / f"{group}.jsonl", rows)
    if laid:
        report.write_rows(folder / "cards.jsonl", report.card_rows(laid))
    path = folder / "summary.json"
    known = json.loads(path.read_text("utf-8")) if path.exists() else []
    fresh = {(s["set"], s["way"]) for s in summaries}
    kept = [s for s in known if (s["set"], s["way"]) not in fresh]
    path.parent.mkdir(parents=True, exist_ok=True)
    ordered = sorted([*kept, *summaries], key=lambda s: (s["set"], s["way"]))
    path.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")


def _write_misses(console: Console, measured: Sequence[PictureResult]) -> None:
    """Write to ARTEFACTS one PNG per set that shows its wrong readings of hands, undetected errors first."""
    for group in sorted({one.group for one in measured}):
        wrong = sorted(
            (one for one in measured if one.group == group and one.error_strip is not None),
            key=lambda one: (not one.verdict.silently_wrong, one.way, one.picture),
        )
        sheet = stack_strips([one.error_strip for one in wrong if one.error_strip is not None])
        if sheet is not None:
            ARTEFACTS.mkdir(exist_ok=True)
            path = ARTEFACTS / f"misses-{group}.png"
            path.write_bytes(sheet)
            console.print(f"{len(wrong)} readings with misses of {group}: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
