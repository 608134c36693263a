"""How many random complete 5-player games a second the rules can play on one core.

Run it alone with  python -m tests.bench.play.games
"""

from __future__ import annotations

import random
import statistics
import time

from companion.games.wicked import apply, new_game
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.standin_deck import STANDIN

PLAYERS = 5
TARGET = 20.0
BATCHES = 9
GAMES = 40


def play(seed: int) -> int:
    """Play one random game from setup to its end; return the number of moves."""
    rng = random.Random(seed)
    state = new_game(PLAYERS, STANDIN, seed)
    moves = 0
    while state.phase != "over":
        state = apply(state, random_move(state, rng))
        moves += 1
    return moves


def run() -> list[str]:
    """Measure batches of different games in processor time, which no other program takes away; tell the median."""
    rates: list[float] = []
    moves = 0
    for batch in range(BATCHES):
        began = time.process_time()
        moves += sum(play(batch * GAMES + game) for game in range(GAMES))
        rates.append(GAMES / (time.process_time() - began))
    return [
        f"random complete {PLAYERS}-player games: {statistics.median(rates):.0f} a second on one core "
        f"(target: at least {TARGET:.0f}; batches {min(rates):.0f} to {max(rates):.0f}, "
        f"{moves / (BATCHES * GAMES):.0f} moves a game)"
    ]


def main() -> None:
    """Print what was measured."""
    print("\n".join(run()))


if __name__ == "__main__":
    main()
