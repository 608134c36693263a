"""How fast Master Labyrinth's mazes are played and its best turns are found: `python -m tests.bench master`.

Times are processor times, which no other program takes away. `python -m tests.bench.play.master prove 1000`
compares the best turn with every turn on so many random positions, and the best pair with every pair on a tenth of
them.
`python -m tests.bench.play.master duels 10` plays so many games between bots of two strengths.
"""

from __future__ import annotations

import itertools
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from companion.adapters.master.turn_tips import turn_aids
from companion.games.master.adviser.bot_turns import STRENGTHS
from companion.games.master.adviser.turn_search import (
    Advice,
    Position,
    best_pair,
    best_turn,
)
from companion.games.master.components import FORMULA_POINTS, WAND_POINTS
from companion.games.master.maze import ARROWS, CARRIED, OPPOSITE, ROTATIONS, Arrow, places
from companion.games.master.rules.setup import random_board
from companion.games.master.scoring import final_scores
from companion.games.master.state import MasterState
from tests.companion.games.master.bot_games import bot_game
from tests.companion.games.master.mazes import random_position
from tests.companion.games.master.reply_search import best_against_reply

TURNS = 100_000
POSITIONS = 200
ENOUGH_TURNS_PER_SECOND = 20_000
SEARCHES: dict[str, tuple[Callable[[MasterState, int], Advice], float]] = {
    "one turn": (best_turn, 2.0),
    "two turns with a wand": (best_pair, 40.0),
    "one turn against the next reply": (best_against_reply, 60.0),
}
"""Search, and the median that is wanted, ms."""


def turns_per_second() -> float:
    """Shifts and moves of one wizard, at random, on one core."""
    dice = random.Random(1)
    maze, _ = random_board(dice)
    wizard, closed = 16, None
    before = time.process_time()
    for _ in range(TURNS):
        arrow: Arrow = dice.choice(ARROWS)
        while arrow == closed:
            arrow = dice.choice(ARROWS)
        maze = maze.shifted(arrow, dice.choice(ROTATIONS[maze.spare]))
        wizard = dice.choice(places(maze.reached(CARRIED[arrow][wizard])))
        closed = OPPOSITE[arrow]
    return TURNS / (time.process_time() - before)


def best_by_trying(position: Position, state: MasterState, wizard: int, wands: int) -> int:
    """The most points of one turn, or of two with a wand, by trying every turn."""
    formula = state.players[state.mover].formula or ()
    best = 0
    for arrow, _, after in position.shifts():
        here = CARRIED[arrow][wizard]
        for place in places(after.maze.reached(here)):
            gain, left = 0, after
            if after.tokens and place != here and after.tokens[0][1] == place:
                number = after.tokens[0][0]
                gain, left = number + FORMULA_POINTS * (number in formula), after.without_next()
            for won, rest in {(gain, left), (0, after)}:
                best = max(best, won)
                if wands and rest.tokens:
                    best = max(best, won + best_by_trying(rest, state, place, 0) - WAND_POINTS)
    return best


def prove(number: int) -> int:
    """Compare searches with trying everything; return how many answers differ."""
    wrong = 0
    for seed in range(number):
        state = random_position(seed)
        position, wizard = Position.of(state), state.wizards[state.mover]
        wrong += best_turn(state, state.mover).gain != best_by_trying(position, state, wizard, 0)
        if seed % 10 == 0:
            wrong += best_pair(state, state.mover).gain != best_by_trying(position, state, wizard, 1)
    return wrong


def duels(games: int) -> None:
    """Print how many games bots of each strength win against those of the one below it, and their points."""
    for weaker, stronger in itertools.pairwise(STRENGTHS):
        wins, points = 0.0, [0, 0]
        for seed in range(games):
            order = (weaker, stronger) if seed % 2 else (stronger, weaker)
            scores = final_scores(bot_game(seed, order)[-1].after)
            own, other = scores[order.index(stronger)], scores[order.index(weaker)]
            wins += (own.total > other.total) + 0.5 * (own.total == other.total)
            points[0] += own.total
            points[1] += other.total
        print(
            f"{stronger} against {weaker}: {wins:g} of {games} games, {points[0] / games:.0f} to "
            f"{points[1] / games:.0f} points"
        )


def _time(search: Callable[[MasterState, int], object], state: MasterState) -> float:
    """Return the processor time of a search, ms."""
    before = time.process_time()
    search(state, state.mover)
    return 1000 * (time.process_time() - before)


def main() -> None:
    """Print the figures."""
    rate = turns_per_second()
    print(f"random turns a second, one core: {rate:,.0f} (wanted: {ENOUGH_TURNS_PER_SECOND:,})")
    positions = [random_position(seed) for seed in range(POSITIONS)]
    for name, (search, wanted) in SEARCHES.items():
        times = [_time(search, state) for state in positions]
        print(
            f"best turn, {name}: median {statistics.median(times):.1f} ms (wanted: {wanted:g}), "
            f"95th percentile {statistics.quantiles(times, n=20)[-1]:.1f} ms"
        )
    times = [_time(turn_aids, replace(state, tips=True)) for state in positions]
    print(f"tip in words: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["duels"]:
        duels(int(sys.argv[2]))
    elif sys.argv[1:2] == ["prove"]:
        count = int(sys.argv[2])
        print(f"answers that differ from trying everything on {count} positions: {prove(count)}")
    else:
        main()
