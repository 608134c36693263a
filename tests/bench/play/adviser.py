"""How long exact advice takes, what it needs, whether boards are found again, and how well who follows it plays.

`python -m tests.bench adviser`. Positions are the boards with which players begin their soul phases in random and
in greedy complete 5-player games; times are processor times, which no other program takes away.
`python -m tests.bench.play.adviser prove 2000` holds advice against plain exhaustive search by the engine's own
moves on so many made-up positions, and the bound against trying everything on those of games.
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

from companion.games.wicked import Move, WickedState, apply, final_scores, new_game
from companion.games.wicked.adviser import EARLIER_ROUND, LAST_ROUND, advise, reachable
from companion.games.wicked.adviser.best_board import find_best_board
from companion.games.wicked.adviser.packed_board import SoulPhase
from companion.games.wicked.adviser.valuation import BoardEvaluator
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import FinishSoul
from companion.games.wicked.rules.soul_phase import finish
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedPlayer
from tests.companion.games.wicked.adviser.exhaustive import corrupted, small_positions
from tests.companion.games.wicked.adviser.matches import margin, match, wins
from tests.companion.games.wicked.greedy_bot import greedy_move

PLAYERS = 5
GAMES = 100
"""Of each kind; every game gives 20 positions."""
ENOUGH_MS = 50.0
ENOUGH_MB = 200.0
REACHED_GAMES = 20
MATCHES = 1000
ENOUGH_WINS = 0.95
PROVED = 2000
PROVED_GAMES = 25


def positions(bot: Callable[[WickedState, random.Random], Move], games: int) -> list[tuple[WickedState, int]]:
    """Play seeded games; return every state that begins a soul phase, once for each seat."""
    found: list[tuple[WickedState, int]] = []
    for seed in range(games):
        rng = random.Random(seed)
        state = new_game(PLAYERS, STANDIN, seed)
        while state.phase != "over":
            before, state = state, apply(state, bot(state, rng))
            if state.phase == "soul" and before.phase != "soul":
                found += [(state, seat) for seat in range(PLAYERS)]
    return found


def measure(games: int = GAMES) -> tuple[list[float], float, float, list[str]]:
    """Return ms for each position, the process's memory in MB before and at its peak, and what was not exact."""
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
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / (1024 * 1024 if sys.platform == "darwin" else 1024)


def speed() -> list[str]:
    """Measure in a process of its own, whose memory nothing else has used."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        times, before, peak, doubtful = pool.submit(measure).result()
    times.sort()
    slow = sum(taken > ENOUGH_MS for taken in times) / len(times)
    p99 = times[int(0.99 * len(times))]
    return [
        f"exact advice at the start of {len(times)} soul phases: median {statistics.median(times):.1f} ms, "
        f"99th percentile {p99:.1f} ms (target: at most {ENOUGH_MS:.0f}), worst {times[-1]:.0f} ms, "
        f"{100 * slow:.2f} % over {ENOUGH_MS:.0f} ms; {len(doubtful)} not exact",
        f"memory: {peak:.0f} MB at the peak of the whole process, {before:.0f} MB before the first advice "
        f"(target: at most {ENOUGH_MB:.0f})",
    ]


def ended(
    bot: Callable[[WickedState, random.Random], Move], games: int
) -> Iterator[tuple[WickedState, WickedPlayer, int]]:
    """Play seeded games; give each soul phase as it began, a player's board when they ended it, and their seat."""
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
    """Ask whether boards at the end of soul phases can come from those at the beginning, also if misread."""
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
    """Play games of one advised player against three random ones, the seats in turn."""
    played = [(match(seed, seed % 4), seed % 4) for seed in range(games)]
    won = sum(wins(scores, seat) for scores, seat in played) / games
    ahead = statistics.mean(margin(scores, seat) for scores, seat in played)
    own = statistics.mean(scores[seat].total for scores, seat in played)
    others = statistics.mean(s.total for scores, seat in played for s in scores if s.player != seat)
    return [
        f"one advised player against three random ones: wins {100 * won:.1f} % of {games} games "
        f"(target: at least {100 * ENOUGH_WINS:.0f}), {ahead:.1f} points ahead of the best of them on average; "
        f"{own:.1f} points, the others {others:.1f}"
    ]


def prove(count: int = PROVED) -> list[str]:
    """Hold advice for the last round against exhaustive search; raise AssertionError where it errs."""
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
    """Hold the two ways to search against each other where games lead; raise AssertionError where they differ."""
    found = positions(random_move, games) + positions(greedy_move, games)
    most = 0
    for state, seat in found:
        phase = SoulPhase(state.players[seat], state.deck)
        for valuation in (LAST_ROUND, EARLIER_ROUND):
            evaluator = BoardEvaluator(phase, valuation)
            tried, promised = find_best_board(phase, evaluator, few=10**7), find_best_board(phase, evaluator, few=0)
            most = max(most, tried.tried)
            if not promised.proved or promised.value != tried.value:
                raise AssertionError(f"{promised.value} promised, {tried.value} reachable: {state.players[seat]}")
    return [
        f"what is promised is what is reachable at all {len(found)} boards of games, by both valuations, "
        f"with up to {most} boards tried one by one"
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
