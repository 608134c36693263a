"""A player whose process is killed in mid-game, again and again.

Run as `python -m tests.companion.session.dying_player JOURNAL SEED`. Each line on standard input begins one life in
a process of its own that opens the game (or creates it), plays on and tells each state number after `play`
has returned, until SIGKILL strikes:
  "before MICROSECONDS"   so long after the life began, opening included
  "after MICROSECONDS"    so long after the game was opened
  "statement N"           as SQLite begins the N-th statement of playing
  "never"                 it plays to the end
Moves depend on the seed and on how many count, so the game is the same however often its player dies.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.moves import Move
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from companion.session import Seat, Session

SEATS = tuple(
    Seat(name, colour)
    for name, colour in (("Ada", "purple"), ("Bo", "green"), ("Cy", "red"), ("Di", "black"), ("Ed", "yellow"))
)


MOVES_A_LIFE = 4
"""A fast computer must not finish the game before it was killed often: it waits for its end then."""


def next_move(state: WickedState, seed: int, played: int) -> Move:
    return random_move(state, random.Random(f"{seed}:{played}"))


def strike() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def strike_later(seconds: float) -> None:
    timer = threading.Timer(seconds, strike)
    timer.daemon = True
    timer.start()


def connections() -> list[sqlite3.Connection]:
    """Return the list of the SQLite connections that this process opens from now on."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def noting(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **options))
        return opened[-1]

    vars(sqlite3)["connect"] = noting
    return opened


def live(path: Path, seed: int, how: str, when: int) -> None:
    if how == "before":
        strike_later(when / 1e6)
    opened = connections() if how == "statement" else []
    session = (
        Session.open(path) if path.exists() else Session.create(path, WICKED, SEATS, WickedSetup(STANDIN, seed))
    )
    if how == "after":
        strike_later(when / 1e6)
    if how == "statement":
        left = iter(range(when - 1, -1, -1))
        for connection in opened:
            with suppress(sqlite3.ProgrammingError):  # some are closed again
                connection.set_trace_callback(lambda _: None if next(left) else strike())
    first = session.number
    while session.state.phase != "over":
        if how in ("before", "after") and session.number - first == MOVES_A_LIFE:
            signal.pause()
        number = session.play(next_move(session.state, seed, len(session.steps)), source="bot")
        os.write(1, f"{number}\n".encode())
    session.close()


def main() -> None:
    path, seed = Path(sys.argv[1]), int(sys.argv[2])
    for line in sys.stdin:
        how, _, when = line.strip().partition(" ")
        child = os.fork()
        if child == 0:
            try:
                live(path, seed, how, int(when or 0))
            except BaseException as error:
                os.write(1, f"failed: {error!r}\n".encode())
            os._exit(0)
        _, status = os.waitpid(child, 0)
        os.write(1, b"killed\n" if os.WIFSIGNALED(status) else b"ended\n")


if __name__ == "__main__":
    main()
