"""How well reveals are read from pixels: `python -m tests.bench.reading.reveals [--tables 50]`.

Tables, looks, hands and heaps come from seeds that nothing was fitted on. Every result is written to
artefacts/reading.json. A hand is right when every count lies between the pieces of which a quarter or more is in
sight and all that are there; a table when all its hands are, and none is read that is not there.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.synthetic_hand_reveals import KINDS, SyntheticReveal, SyntheticTable
from vision.hands import DOUBTFUL_BELOW, HandReader
from vision.readings import Expectation, HandReading

FRAMES = 5
PER_LOOK = 10
WAYS = ("one frame, nothing known", "one frame, limits known", "five frames, limits known")
ARTEFACT = Path(__file__).parents[3] / "artefacts" / "reading.json"
WHOLE_BOX = {kind: 8 if kind.startswith("search:") else 1 for kind in KINDS}

Result = dict[str, Any]
Vote = tuple[str, dict[str, int], bool]
"""State, counts, doubtful."""


def main() -> None:
    """Print how the reader does, and keep every result."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=50)
    tables = parser.parse_known_args()[0].tables
    looks = range(0, tables, PER_LOOK)
    # A forked child would inherit the locks of OpenCV's threads that an earlier benchmark has started.
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        results = [result for some in pool.map(_read_look, looks) for result in some if result["seed"] < tables]
    ARTEFACT.parent.mkdir(exist_ok=True)
    ARTEFACT.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    for way in WAYS:
        print(f"  {way}: {_summary([result for result in results if result['way'] == way])}")
    times = sorted(result["milliseconds"] for result in results if result["way"] == WAYS[1])
    p95 = times[int(0.95 * (len(times) - 1))]
    print(f"  a reading takes {times[len(times) // 2]:.0f} ms (95th percentile {p95:.0f} ms)")


def _read_look(first: int) -> list[Result]:
    cv2.setNumThreads(1)
    table = SyntheticTable(first)
    reader = HandReader(table.profile)
    return [
        result
        for seed in range(first, first + PER_LOOK)
        for result in _read_table(reader, table.reveal(seed, FRAMES))
    ]


def _read_table(reader: HandReader, shown: SyntheticReveal) -> list[Result]:
    known = shown.expectation
    nothing = Expectation(known.seats, (WHOLE_BOX,) * known.seats)
    alone = reader.read(shown.frames[0], nothing, shown.background)
    readings = [reader.read(frame, known, shown.background, number) for number, frame in enumerate(shown.frames)]
    ways = (
        (WAYS[0], [alone.hands], alone.milliseconds),
        (WAYS[1], [readings[0].hands], readings[0].milliseconds),
        (WAYS[2], [reading.hands for reading in readings], sum(reading.milliseconds for reading in readings)),
    )
    return [_result(shown, way, _votes(frames), milliseconds) for way, frames, milliseconds in ways]


def _votes(frames: Sequence[Sequence[HandReading]]) -> dict[int, Vote]:
    """Return the frames' vote on each seat's hand, weighted by their probabilities."""
    chances: dict[int, dict[tuple[str, tuple[tuple[str, int], ...]], float]] = defaultdict(
        lambda: defaultdict(float)
    )
    for hands in frames:
        for hand in hands:
            for counts, chance in (
                (hand.counts, hand.confidence),
                *((a.counts, a.confidence) for a in hand.alternatives),
            ):
                chances[hand.seat][hand.state, tuple(sorted(counts.items()))] += chance / len(frames)
    votes: dict[int, Vote] = {}
    for seat, answers in chances.items():
        (state, content), chance = max(answers.items(), key=lambda entry: entry[1])
        votes[seat] = (state, dict(content), chance < DOUBTFUL_BELOW)
    return votes


def _result(shown: SyntheticReveal, way: str, votes: Mapping[int, Vote], milliseconds: float) -> Result:
    hands = []
    for truth in shown.hands:
        state, counts, doubtful = votes.get(truth.seat, ("missed", {}, True))
        there = Counter(shown.counts[truth.seat])
        seen = Counter(piece.kind for piece in truth.pieces if piece.visible >= 0.25)
        right = state == truth.state and (
            state == "closed" or all(seen[kind] <= counts.get(kind, 0) <= there[kind] for kind in {*there, *counts})
        )
        off = sum(abs(counts.get(kind, 0) - there[kind]) for kind in {*there, *counts})
        hands.append(
            {
                "seat": truth.seat,
                "is": dict(there),
                "read": counts,
                "state": state,
                "right": right,
                "off": off if state == truth.state else 9,
                "doubtful": doubtful,
            }
        )
    ghosts = sorted(set(votes) - {truth.seat for truth in shown.hands})
    return {"seed": shown.seed, "way": way, "milliseconds": milliseconds, "hands": hands, "ghosts": ghosts}


def _summary(results: Sequence[Result]) -> str:
    hands = [hand for result in results for hand in result["hands"]]
    exact = [
        result for result in results if not result["ghosts"] and all(hand["right"] for hand in result["hands"])
    ]
    doubted = [result for result in results if any(hand["doubtful"] for hand in result["hands"])]
    silent = [result for result in results if result not in exact and result not in doubted]

    def share(part: int, of: int) -> str:
        return f"{part} of {of} ({100 * part / max(1, of):.0f} %)"

    return (
        f"exact tables {share(len(exact), len(results))}, undetected errors {share(len(silent), len(results))}, "
        f"doubtful {share(len(doubted), len(results))}; "
        f"exact hands {share(sum(hand['right'] for hand in hands), len(hands))}, "
        f"off by at most one {share(sum(hand['right'] or hand['off'] <= 1 for hand in hands), len(hands))}, "
        f"undetected errors {share(sum(not one['right'] and not one['doubtful'] for one in hands), len(hands))}, "
        f"doubtful {share(int(np.sum([hand['doubtful'] for hand in hands])), len(hands))}"
    )


if __name__ == "__main__":
    main()
