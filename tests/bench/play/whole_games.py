"""`python -m tests.bench.play.whole_games`: play whole simulated games, and print a digest of each journal.

Everything follows from the seed, so two versions of the companion agree exactly when they print the same digests.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from pathlib import Path

from companion.session import Played, Session
from companion.table import ReadingSchedule
from tests.companion.director.rehearsal import Rehearsal, Room, furnished


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--frames", type=int, default=6000, help="most frames of a game")
    arguments = parser.parse_args()
    room = furnished()
    for seed in arguments.seeds:
        print(_played(room, seed, arguments.players, arguments.frames), flush=True)


def _played(room: Room, seed: int, players: int, frames: int) -> str:
    """Play a game and return its line: seed, frames, moves, tally and digest of the journal."""
    with tempfile.TemporaryDirectory() as folder:
        rehearsal = Rehearsal(
            room, Path(folder), seed, speed=12.0, schedule=ReadingSchedule(hand_pictures=3, rest_pictures=2)
        )
        rehearsal.start(players)
        rehearsal.until(lambda: not rehearsal.game.waiting_for and rehearsal.game.state.phase == "over", frames)
        rehearsal.close()
        with Session.open(next(Path(folder).glob("*.journal")), read_only=True) as journal:
            played = [entry for entry in journal.entries if isinstance(entry, Played)]
            lines = [f"{entry.source} {journal.game.to_text(entry.move)} {entry.evidence}" for entry in played]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    return f"seed {seed}: {rehearsal.frames} frames, {len(lines)} moves, {rehearsal.director.tally}, {digest}"


if __name__ == "__main__":
    main()
