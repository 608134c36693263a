"""One piece more or less in a hand during the countdown: how often is the old count entered?"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from tests.companion.director.rehearsal import Room, furnished
from tests.companion.table.reading.scripted import ScriptedTable, hand
from vision.cameras.simulated import Look

TRIALS = 20
PLAYERS = 3
MOST_PIECES = 3


def outcome(room: Room, rng: random.Random) -> str:
    """Show a reveal, change one hand by one piece as soon as it is proposed, and name what comes of it."""
    hands = [hand(seat, rng.randint(0, MOST_PIECES), rng.randrange(1 << 30)) for seat in range(PLAYERS)]
    with tempfile.TemporaryDirectory() as folder, closing(ScriptedTable(room, Path(folder), PLAYERS)) as table:
        table.look(1.0)
        table.show(*hands)
        table.until(lambda: table.proposal is not None)
        if table.proposal is None or not table.proposal.certain:
            return "asked at first"
        changed = rng.randrange(len(hands))
        before = len(hands[changed].pieces)
        after = before + (1 if before == 0 or rng.random() < 0.5 else -1)
        hands[changed] = hand(changed, after, hands[changed].look)
        table.show(*hands)
        table.until(
            lambda: table.entered is not None or (table.proposal is not None and not table.proposal.certain)
        )
        if table.entered is None:
            return "unread" if table.proposal is None else "asked"
        return "new count" if table.entered[changed] == after else "OLD COUNT"


def main(*looks: int) -> None:
    """Print what comes of such reveals, by look; each look has other people, light, table top and paint."""
    total: Counter[str] = Counter()
    for seed in looks or (0, 3, 4, 6, 9):
        room = furnished(Look.from_seed(seed) if seed else Look())
        outcomes = Counter(outcome(room, random.Random(f"{seed} {number}")) for number in range(TRIALS))
        print(f"  look {seed} on {room.renderer.look.table}: {dict(outcomes)}", flush=True)
        total += outcomes
    print(f"  all: {dict(total)}")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
