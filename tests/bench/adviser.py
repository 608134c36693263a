"""Benchmark of the adviser: time, memory, reachability of boards, and the playing strength of its advice.

`python -m tests.bench adviser`. Positions are the boards with which players begin their soul phases in random
and in greedy complete 5-player games; times are processor times, which other programs do not affect. `python -m
tests.bench.adviser prove 2000` compares the advice with exhaustive search on 2000 synthetic positions, and
branch and bound with exhaustive search on positions of games.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from companion.games.wicked import Move, State, apply, final_scores, new_game
from companion.games.wicked.adviser import EARLIER_ROUND, LAST_ROUND, advise, reachable
from companion.games.wicked.adviser.packed import Phase
from companion.games.wicked.adviser.search import best
from companion.games.wicked.adviser.valuation import Judge
from companion.games.wicked.bots import random_move
from companion.games.wicked.greedy import greedy_move
from companion.games.wicked.moves import FinishSoul
from companion.games.wicked.souls import finish
from companion.games.wicked.standin import STANDIN
from companion.games.wicked.state import Player
from tests.companion.games.wicked.adviser.exhaustive import corrupted, small_positions
from tests.companion.games.wicked.adviser.matches import margin, match, wins

PLAYERS = 5
"""Players of each game."""
GAMES = 100
"""Games per bot whose positions are timed; each has 20 positions."""
TARGET_MS = 50.0
"""Target of the 99th percentile."""
TARGET_MB = 200.0
"""Target of the peak memory."""
REACHED_GAMES = 20
"""Games per bot whose boards are checked for reachability."""
MATCHES = 1000
"""Games of an advised player against three random ones."""
TARGET_WINS = 0.95
"""Target fraction of these that the advised player wins."""
PROVED = 2000
"""Synthetic positions that are compared with exhaustive search."""
PROVED_GAMES = 25
"""Games per bot whose positions are compared with exhaustive search."""


def positions(bot: Callable[[State, random.Random], Move], games: int) -> list[tuple[State, int]]:
    """Play seeded games; return every state that begins a soul phase, once for each seat."""
    found: list[tuple[State, int]] = []
    for seed in range(games):
        rng = random.Random(seed)
        state = new_game(PLAYERS, STANDIN, seed)
        while state.phase != "over":
            before, state = state, apply(state, bot(state, rng))
            if state.phase == "soul" and before.phase != "soul":
                found += [(state, seat) for seat in range(PLAYERS)]
    return found


def measure(games: int = GAMES) -> tuple[list[float], float, float, list[str]]:
    """Return ms per position, the process's memory before and at its peak (MB), and boards without exact advice."""
    found = positions(random_move, games) + positions(greedy_move, games)
    before = _peak()
    times: list[float] = []
    doubtful: list[str] = []
    for state, seat in found:
        began = time.process_time()
        advice = advise(state, seat)
        times.append(1000 * (time.process_time() - began))
        if not advice.exact:
            doubtful.append(str(state.players[seat]))
    return times, before, _peak(), doubtful


def _peak() -> float:
    """Return the peak memory of this process, MB."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / (1024 * 1024 if sys.platform == "darwin" else 1024)


def speed() -> list[str]:
    """Return the lines about time and memory, measured in a new process."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        times, before, peak, doubtful = pool.submit(measure).result()
    times.sort()
    slow = sum(taken > TARGET_MS for taken in times) / len(times)
    p99 = times[int(0.99 * len(times))]
    return [
        f"exact advice at the start of {len(times)} soul phases: median {statistics.median(times):.1f} ms, "
        f"99th percentile {p99:.1f} ms (target {TARGET_MS:.0f}), worst {times[-1]:.0f} ms, "
        f"{100 * slow:.2f} % over {TARGET_MS:.0f} ms; {len(doubtful)} not exact",
        f"memory: {peak:.0f} MB at the peak of the whole process, {before:.0f} MB before the first advice "
        f"(target {TARGET_MB:.0f})",
    ]


def ended(bot: Callable[[State, random.Random], Move], games: int) -> Iterator[tuple[State, Player, int]]:
    """Yield of seeded games: the state at the start of a soul phase, a player's board at its end, their seat."""
    for seed in range(games):
        rng = random.Random(seed)
        state = began = new_game(PLAYERS, STANDIN, seed)
        while state.phase != "over":
            move = bot(state, rng)
            before, state = state, apply(state, move)
            if state.phase == "soul" and before.phase != "soul":
                began = state
            if isinstance(move, FinishSoul):
                yield began, finish(before.players[move.player]), move.player


def reaching(games: int = REACHED_GAMES) -> list[str]:
    """Return the lines about whether final boards are found reachable, as they are and with one spot misread."""
    rng = random.Random(5)
    right: list[float] = []
    wrong: list[float] = []
    unsure = flagged = 0
    for bot in (random_move, greedy_move):
        for state, after, seat in ended(bot, games):
            for seen, times in ((after, right), (corrupted(after, rng), wrong)):
                began = time.process_time()
                reached = reachable(state.players[seat], seen, STANDIN, seat)
                times.append(1000 * (time.process_time() - began))
                unsure += reached.reachable is None
                flagged += seen is not after and reached.reachable is False
                if seen is after and not reached.reachable:
                    raise AssertionError(f"A board that was reached is not found: {after}")
    lines = [
        f"whether a board is reachable, {name}: median {statistics.median(times):.1f} ms, "
        f"99th percentile {sorted(times)[int(0.99 * len(times))]:.1f} ms, worst {max(times):.0f} ms, "
        f"{len(times)} boards"
        for name, times in (("as it is", right), ("with one spot misread", wrong))
    ]
    return [
        *lines,
        f"{flagged} of {len(wrong)} misread boards are flagged, the others can be reached; {unsure} unsure",
    ]


def matches(games: int = MATCHES) -> list[str]:
    """Return the line about games of one advised player against three random ones, in each seat in turn."""
    played = [(match(seed, seed % 4), seed % 4) for seed in range(games)]
    won = sum(wins(scores, seat) for scores, seat in played) / games
    ahead = statistics.mean(margin(scores, seat) for scores, seat in played)
    own = statistics.mean(scores[seat].total for scores, seat in played)
    others = statistics.mean(s.total for scores, seat in played for s in scores if s.player != seat)
    return [
        f"one advised player against three random ones: wins {100 * won:.1f} % of {games} games "
        f"(target {100 * TARGET_WINS:.0f}), {ahead:.1f} points ahead of the best of them on average; "
        f"{own:.1f} points, the others {others:.1f}"
    ]


def prove(count: int = PROVED) -> list[str]:
    """Compare advice for the last round with exhaustive search. Raises AssertionError on a difference."""
    boards = 0
    for number, (state, reached) in enumerate(small_positions(count, seed=99)):
        last = replace(state, round=4)
        highest = max(
            final_scores(replace(last, players=(player, *last.players[1:])))[0].total for player in reached
        )
        advice = advise(last, 0)
        boards += len(reached)
        if not advice.exact or advice.points != highest:
            raise AssertionError(f"Position {number}: {advice.points} points advised, {highest} are reachable.")
    return [f"advice is exact at all {count} positions, {boards} boards reached one by one"]


def prove_in_games(games: int = PROVED_GAMES) -> list[str]:
    """Compare branch and bound with exhaustive search in games. Raises AssertionError on a difference."""
    found = positions(random_move, games) + positions(greedy_move, games)
    most = 0
    for state, seat in found:
        phase = Phase(state.players[seat], state.deck)
        for valuation in (LAST_ROUND, EARLIER_ROUND):
            judge = Judge(phase, valuation)
            tried, promised = best(phase, judge, few=10**7), best(phase, judge, few=0)
            most = max(most, tried.tried)
            if not promised.proved or promised.value != tried.value:
                raise AssertionError(f"{promised.value} promised, {tried.value} reachable: {state.players[seat]}")
    return [
        f"branch and bound finds the same optimum as exhaustive search at all {len(found)} boards of games, "
        f"by both valuations, with up to {most} boards tried"
    ]


def main() -> None:
    """Print what was measured."""
    print("\n".join(speed()), flush=True)
    print("\n".join(reaching()), flush=True)
    print("\n".join(matches()))


if __name__ == "__main__":
    if sys.argv[1:2] == ["prove"]:
        print("\n".join(prove_in_games()), flush=True)
        print("\n".join(prove(int(sys.argv[2]) if len(sys.argv) > 2 else PROVED)))
    else:
        main()
