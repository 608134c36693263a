"""Whole games as text files: what was played, how it was described and how it was scored, a move a line.

Print a new one with  python -m tests.companion.games.wicked.text.golden PLAYERS SEED [table]
("table": the cards come from a real table, so that dealing and laying are moves too).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator

from companion.games.wicked import Move, WickedState, apply, describe, final_scores, new_game
from companion.games.wicked.scoring.final_scores import FinalScore
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.text.notation import read_move, write_move
from tests.companion.games.wicked.greedy_bot import greedy_move
from tests.companion.games.wicked.scenarios import NAMES

WIDTH = 48


def begin(header: str) -> WickedState:
    """Begin the game that a file's first line names: "players 4 seed 7", or "seed none" for a real table."""
    _, players, _, seed = header.split()
    return new_game(int(players), STANDIN, None if seed == "none" else int(seed))


def tell(header: str, moves: Iterable[Move]) -> Iterator[str]:
    """Write a game out: its header, each move with its story, the scores."""
    yield header
    state = begin(header)
    names = NAMES[: len(state.players)]
    for move in moves:
        yield f"{write_move(move):<{WIDTH}} | {describe(state, move, names)}"
        state = apply(state, move)
    yield f"after that the game is {state.phase}"
    for score in final_scores(state):
        yield _tell_score(score, names[score.player])


def moves_of(lines: Iterable[str]) -> list[Move]:
    """Read the moves back out of a file's lines."""
    return [read_move(line.split("|")[0]) for line in lines if "|" in line]


def greedy_game(header: str, seed: int) -> Iterator[Move]:
    """Play a game of greedy players to its end."""
    rng = random.Random(seed)
    state = begin(header)
    while state.phase != "over":
        move = greedy_move(state, rng)
        yield move
        state = apply(state, move)


def _tell_score(score: FinalScore, name: str) -> str:
    arithmetic = (
        f"{score.low} low + {score.middle} middle + {score.high} high + {score.great} great + {score.small} small "
        f"- {score.impurity} impurity + {score.given_back} given back = {score.total}"
    )
    return f"{name}: {arithmetic}; place {score.place}" + (f" by {score.decided_by}" if score.decided_by else "")


if __name__ == "__main__":
    seat_count, seed_text, *table = sys.argv[1:]
    first = f"players {seat_count} seed {'none' if table else seed_text}"
    for line in tell(first, greedy_game(first, int(seed_text))):
        print(line)
