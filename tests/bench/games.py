"""Speed of the rules: random complete 5-player games per second on one core: `python -m tests.bench.games`."""

from __future__ import annotations

import random
import statistics
import time

from companion.games.wicked import apply, new_game
from companion.games.wicked.bots import random_move
from companion.games.wicked.standin import STANDIN

PLAYERS = 5
"""Players of each game."""
TARGET = 20.0
"""Target, games per second."""
BATCHES = 9
"""Timed batches; the median is reported."""
GAMES = 40
"""Games per batch."""


def play(seed: int) -> int:
    """Play one random game to its end and return the number of moves."""
    rng = random.Random(seed)
    state = new_game(PLAYERS, STANDIN, seed)
    moves = 0
    while state.phase != "over":
        state = apply(state, random_move(state, rng))
        moves += 1
    return moves


def run() -> list[str]:
    """Return the line about the median rate, in processor time, which other programs do not affect."""
    rates: list[float] = []
    moves = 0
    for batch in range(BATCHES):
        began = time.process_time()
        moves += sum(play(batch * GAMES + game) for game in range(GAMES))
        rates.append(GAMES / (time.process_time() - began))
    return [
        f"random complete {PLAYERS}-player games: {statistics.median(rates):.0f} a second on one core "
        f"(target {TARGET:.0f}; batches {min(rates):.0f} to {max(rates):.0f}, "
        f"{moves / (BATCHES * GAMES):.0f} moves a game)"
    ]


def main() -> None:
    """Print what was measured."""
    print("\n".join(run()))


if __name__ == "__main__":
    main()
