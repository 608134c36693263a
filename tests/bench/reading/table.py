"""A whole four-player game from frames to scoring: how often the reading needs people, and how long it takes.

`python -m tests.bench.reading.table [SEED] [PLAYERS]`
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from companion.games.wicked.moves import Reveal
from companion.table.views import ProposalView
from tests.companion.director.rehearsal import Rehearsal, furnished, in_order


def main(seed: int = 7, players: int = 4) -> None:
    """Play one game on the simulated table without threads and print what the reading did."""
    began = time.perf_counter()
    room = furnished()
    print(f"table enrolled from its own pictures in {time.perf_counter() - began:.1f} s")
    with tempfile.TemporaryDirectory() as folder:
        rehearsal = Rehearsal(room, Path(folder), seed, speed=8.0)
        rehearsal.start(players)
        began, waits = time.perf_counter(), _play(rehearsal)
        spent = time.perf_counter() - began
        # The director compares the last soul phase with what was read one frame after it has ended the game.
        rehearsal.frame()
        tally, souls = rehearsal.director.tally, rehearsal.director.concurrent
        right = in_order(rehearsal.true_state) == in_order(rehearsal.game.state)
        rehearsal.close()
    hands, things = tally.hands, tally.things
    alone = hands.shown - hands.answers - hands.corrections - hands.unread
    print(f"a game of {players} from frames to scoring: {rehearsal.frames} frames in {spent:.1f} s, seed {seed}")
    print(
        f"reveals: {hands.shown}; right without help {alone}, asked {hands.answers}, "
        f"undetected errors {hands.corrections}, entered by hand {hands.unread}"
    )
    print(
        f"layings of cards: {things.shown}; asked {things.answers}, "
        f"undetected errors {things.corrections}, entered by hand {things.unread}"
    )
    print(
        f"soul phases: {souls.phases}; asked {souls.answers}, undetected errors {souls.corrections}, "
        f"entered by hand {souls.unread}"
    )
    if waits:
        ordered = sorted(waits)
        print(
            f"reading work from a still reveal to its proposal: {1000 * ordered[len(ordered) // 2]:.0f} ms median, "
            f"{1000 * ordered[-1]:.0f} ms longest"
        )
    print(f"true final state: {'yes' if right else 'NO'}")


def _play(rehearsal: Rehearsal) -> list[float]:
    """Play to the end; give the seconds of work on the frames from each still reveal to its proposal."""
    waits: list[float] = []
    spent = 0.0
    before: ProposalView | None = None
    while rehearsal.game.state.phase != "over":
        rehearsal.frame()
        proposal = rehearsal.table.view.proposal
        state = rehearsal.table.view.camera.state
        spent = spent + rehearsal.looked if state == "reading" or proposal is not None else 0.0
        if (
            proposal is not None
            and before is None
            and isinstance(proposal.questions[0].choices[0].moves[0], Reveal)
        ):
            waits.append(spent)
        before = proposal
    return waits


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
