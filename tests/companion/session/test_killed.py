"""A process killed with SIGKILL in mid-game loses nothing announced and leaves nothing half-written."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from functools import reduce
from pathlib import Path

import pytest

from companion.games.wicked import apply, final_scores
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.moves import Move
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Played, Session
from tests.companion.session.dying_player import SEATS, next_move

LIVES = 36


def lives(seed: int) -> list[str]:
    """Ways to die, all over opening, writing and committing."""
    rng = random.Random(seed)
    ways = [f"before {rng.randrange(200, 25_000)}" for _ in range(LIVES // 3)]
    ways += [f"after {rng.randrange(500, 12_000)}" for _ in range(LIVES // 3)]
    ways += [f"statement {rng.randrange(1, 24)}" for _ in range(LIVES // 3)]
    rng.shuffle(ways)
    return ways


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes the POSIX way")
def test_a_game_killed_at_many_points_goes_on_each_time_and_ends_as_if_nothing_had_been(
    tmp_path: Path, seed: int
) -> None:
    path = tmp_path / "killed.journal"
    state = start = WICKED.new_game([seat.figure for seat in SEATS], WickedSetup(STANDIN, seed))
    moves: list[Move] = []
    while state.phase != "over":
        moves.append(next_move(state, seed, len(moves)))
        state = apply(state, moves[-1])

    announced, kills = 0, 0
    player = subprocess.Popen(
        [sys.executable, "-m", "tests.companion.session.dying_player", str(path), str(seed)],
        cwd=Path(__file__).parents[3],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert player.stdin is not None
    assert player.stdout is not None
    with player:
        for life in ["before 100", "before 2000", *lives(seed), "never"]:
            player.stdin.write(life + "\n")
            for line in player.stdout:
                if line in ("killed\n", "ended\n"):
                    break
                assert line.strip().isdecimal(), line
                announced = int(line)
            kills += line == "killed\n"
            if not path.exists():
                assert announced == 0
                continue
            with Session.open(path) as found:
                assert max(announced, 1) <= found.number <= max(announced, 1) + 1
                journaled = [entry.move for entry in found.entries if isinstance(entry, Played)]
                assert journaled == moves[: found.number - 1]
                assert found.state == reduce(apply, journaled, start)
                announced = found.number
        player.stdin.close()
    assert kills >= LIVES // 2
    with Session.open(path) as whole:
        assert (whole.number, whole.state) == (len(moves) + 1, state)
        assert final_scores(whole.state) == final_scores(state)
