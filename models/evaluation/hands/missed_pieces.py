"""Error analysis of hand reading: which pieces are missed, by visible fraction, and which other errors occur.

`python -m models.evaluation.hands.missed_pieces` prints a table and writes `models/results/missed.json`. It
evaluates the open hands of held-out sessions (rendered), one frame each. The true positions of the hands are given,
so that only counting is measured; `make eval` measures how often hands are wrong in play.
"""

from __future__ import annotations

import json
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from models.evaluation import RESULTS_FOLDER
from models.evaluation.metrics.verdicts import MIN_COUNTED_FRACTION
from models.evaluation.output.report import share
from models.fitting.count_probabilities import HandCase, match_boxes, ranked_contents, session_hands
from vision.bounding_boxes import overlap
from vision.cameras.simulated.renderer import HandTruth
from vision.detector.network import SAME
from vision.hands.piece_probabilities import fitted_weights, piece_probabilities
from vision.painted_and_printed_kinds import is_printed
from vision.readings import Counts

RESULTS = RESULTS_FOLDER / "missed.json"
MIN_CLEAR_FRACTION = 0.55
"""Smallest visible fraction of any piece with which a hand without overlapping pieces is called clear."""
_BANDS = (MIN_COUNTED_FRACTION, 0.4, MIN_CLEAR_FRACTION, 0.7, 0.85, 1.0)
"""Edges of the bins of visible fractions."""
PIECES = (*(f"{100 * low:.0f} to {100 * high:.0f} % in sight" for low, high in pairwise(_BANDS)), "on each other")
"""Rows of the table that count pieces: by visible fraction, and those that overlap another piece."""
HANDS = ("clear", "others")
"""Rows of the table that count hands."""
WRONG = ("a sign made up", "a sign missed", "too many pieces", "too few pieces", "another colour")
"""Rows of the table that count errors in clear hands, by cause; the first that applies counts."""


def error_rows(case: HandCase, hand: HandTruth) -> Iterator[tuple[str, bool]]:
    """Yield all that one hand adds to the table: pairs of a row, and whether it counts there as an error.

    Each visible piece is counted in one or two rows of PIECES, and the hand in one of HANDS. A clear hand (its
    pieces do not overlap and are mostly visible) that was read wrong is also counted in all rows of WRONG, as an
    error in the row of its cause. case: candidate pieces of the hand; hand: its ground truth.
    """
    there = [piece for piece in hand.pieces if piece.visible >= MIN_COUNTED_FRACTION]
    places = [piece.box for piece in there]
    chances = piece_probabilities(case.held, fitted_weights())
    taken = [one.box for one, chance in zip(case.held, chances, strict=True) if chance > 0.5]
    found = set(match_boxes(places, taken).values())
    doubled = {
        index
        for pair in combinations(range(len(there)), 2)
        if overlap(places[pair[0]], places[pair[1]]) > SAME
        for index in pair
    }
    for index, piece in enumerate(there):
        yield PIECES[sum(piece.visible >= low for low in _BANDS[1:-1])], index not in found
        if index in doubled:
            yield PIECES[-1], index not in found
    clear = not doubled and all(piece.visible >= MIN_CLEAR_FRACTION for piece in hand.pieces)
    counts = ranked_contents(case, fitted_weights())[0].counts
    wrong = not case.right(counts)
    yield HANDS[not clear], wrong
    if clear and wrong:
        why = _error_cause(case, counts)
        yield from ((each, each == why) for each in WRONG)


def _error_cause(case: HandCase, counts: Counts) -> str:
    """Return why wrong counts were read in a hand: the first cause in WRONG that applies."""
    signs = [kind for kind in {*counts, *case.most} if is_printed(kind)]
    total = sum(counts.values())
    reasons = (
        any(counts.get(sign, 0) > case.most.get(sign, 0) for sign in signs),
        any(counts.get(sign, 0) < case.least.get(sign, 0) for sign in signs),
        total > sum(case.most.values()),
        total < sum(case.least.values()),
        True,
    )
    return WRONG[reasons.index(True)]


def _count_error_rows(seed: int, number: int) -> Counter[tuple[str, bool]]:
    """Return how often each pair of `error_rows` occurs in a session. number: index of the frame that is read."""
    return Counter(
        error_row for one in session_hands(seed, numbers=(number,)) for error_row in error_rows(one.case, one.hand)
    )


@click.command()
@click.option("--sessions", default=40, show_default=True)
@click.option("--first", default=0, show_default=True, help="Seed of the first session.")
@click.option("--number", default=0, show_default=True, help="Index of the picture as which each hand is read.")
@click.option("--results", type=click.Path(path_type=Path, dir_okay=False), default=RESULTS, show_default=True)
def main(sessions: int, first: int, number: int, results: Path) -> None:
    """Count missed pieces and the causes of errors in hands of held-out sessions, print and write the table."""
    total = Counter[tuple[str, bool]]()
    with multiprocessing.get_context("spawn").Pool() as pool:
        jobs = pool.imap(partial(_count_error_rows, number=number), range(first, first + sessions))
        for error_row in track(jobs, "Detecting in hands", total=sessions):
            total.update(error_row)
    rows = {
        row: {"of": total[row, True] + total[row, False], "wrong": total[row, True]}
        for row in (*PIECES, *HANDS, *WRONG)
    }
    results.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    table = Table(title="held-out sessions (rendered)", title_justify="left", box=None, show_header=False)
    for heads, names in (
        (("pieces", "missed"), PIECES),
        (("hands", "read wrong"), HANDS),
        (("clear, wrong", "by"), WRONG),
    ):
        table.add_row(*(f"[bold]{head}[/]" for head in heads))
        for row in names:
            table.add_row(row, share(rows[row]["wrong"], rows[row]["of"]))
    Console().print(table)


if __name__ == "__main__":
    main()
