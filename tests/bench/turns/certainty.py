"""How surely turns of Master Labyrinth are read from boards at rest: `python -m tests.bench turns`.

Readings err at random as a reader of the required accuracy may (`Noise`). `python -m tests.bench.turns.certainty
pictures 50` reads so many turns from rendered pictures, one each, half of them of looks that train nothing; the
live table takes five of a still scene unless the first ones lead to a certain turn. Tokens are of three prints and
enrolled; `unenrolled 50` leaves that out. Times are processor times of one core, of the interpretation alone.
`tests.bench.turns.pictured_turns` measures more turns, and keeps them.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from calibration.games.master.art.maze_picture_styles import HELD_OUT, LOOKS
from companion.adapters.master.adapter import ADAPTER
from companion.adapters.master.questions import did_two_turns_pass
from companion.adapters.master.turns.table_faults import Fault, fault_line
from companion.games.master.components import COLOURS
from companion.games.master.moves import Move, Shift, Stay
from companion.games.master.rules.engine import apply
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.games.master.state import MasterState
from companion.referee.finding import Finding
from companion.table.game_adapter import Situation, StillReadings
from tests.companion.adapters.master.laid_table import LaidTable, NoisyReader
from tests.companion.adapters.master.pictured_table import PictureReader
from tests.companion.adapters.master.scenarios import (
    broken_tables,
    random_turn,
    two_lines,
)
from vision.games.master.readings import MazeReading

TURNS = 2000
SEED = 1
LEVELS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.01)
"""Bounds of the probabilities whose turns are counted together."""
NAMES = ("Ada", "Bruno", "Chie", "Dora")


class TableReader(Protocol):
    """Reads a still table."""

    def read(self, table: LaidTable) -> list[MazeReading]: ...


class Figures:
    """What came of the turns of random games."""

    def __init__(self, dice: random.Random, reader: TableReader) -> None:
        self.dice = dice
        self.reader = reader
        self.reliability: list[tuple[float, bool]] = []
        """Probability of the likeliest turn of every legal table, and whether it was made."""
        self.unreadable = 0
        """Tables of which no picture could be read."""
        self.legal: Counter[str] = Counter()
        self.broken: Counter[tuple[str, bool]] = Counter()
        self.milliseconds: list[float] = []

    def read(self, state: MasterState, table: LaidTable) -> Finding[Move]:
        return self.interpret(state, self.reader.read(table))

    def interpret(self, state: MasterState, readings: Sequence[MazeReading]) -> Finding[Move]:
        """Return what readings mean; as at the live table, of the first ones alone if that is certain."""
        situation = Situation(state, NAMES[: len(state.players)], lambda point: 0)
        for pictures in range(1, len(readings) + 1):
            before = time.process_time()
            finding = ADAPTER.interpret(situation, StillReadings((), readings[:pictures]))
            self.milliseconds.append(1000 * (time.process_time() - before))
            if finding.proposal is not None and finding.proposal.certain:
                break
        return finding

    def play(self, turns: int) -> None:
        """Read so many legal turns of games, each after the last one as it should be in the journal."""
        journal = state = self._new_game()
        while self.legal["turns"] < turns:
            if state.phase != "shift":
                journal = state = self._new_game()
            self._break(journal, state)
            moves, after = random_turn(state, self.dice)
            should = after
            if isinstance(moves[-1], Stay):  # entered with the next turn
                should = state
                for move in moves[:-1]:
                    should = apply(should, move)
            self.count(journal, should, self.read(journal, LaidTable.of(after)))
            journal, state = should, after

    def _new_game(self) -> MasterState:
        return new_game(COLOURS[: self.dice.choice((2, 3, 4))], MasterSetup(self.dice.randrange(10**6)))

    def count(self, journal: MasterState, should: MasterState, finding: Finding[Move]) -> None:
        """Count the finding of a legal table. should: the position that is to be entered."""
        self.legal["turns"] += 1
        proposal = finding.proposal
        if proposal is None or not proposal.answerable:
            self.legal["false alarm" if finding.unread else "nothing read"] += 1
            return
        ends = []
        for choice in proposal.questions[0].choices:
            state = journal
            for move in choice.moves:
                state = apply(state, move)
            ends.append(state)
        right = ends[0] == should
        self.reliability.append((proposal.questions[0].choices[0].probability, right))
        self.legal["asked"] += not proposal.certain
        self.legal["recognised"] += right
        self.legal["offered"] += should in ends
        self.legal["wrong without a question"] += proposal.certain and not right
        if not right and proposal.questions[0].doubts and _is_alarm(proposal.questions[0].doubts[0].question):
            self.legal["false alarm"] += 1

    def _break(self, journal: MasterState, state: MasterState) -> None:
        """Read one table that breaks a rule, where the journal has everything."""
        if journal is not state:
            return
        one = self.dice.choice(list(broken_tables(state, self.dice)))
        self.count_broken(one.before, one.fault, self.read(one.before, one.table))
        table, *lines = two_lines(state, self.dice)
        if self.dice.random() < 0.1:
            self.count_broken(state, lines, self.read(state, table))

    def count_broken(self, state: MasterState, wrong: Fault | Sequence[Shift], finding: Finding[Move]) -> None:
        """Count the finding of an illegal table. wrong: what is wrong, or the two lines that were pushed."""
        said = self._lines(finding)
        if isinstance(wrong, Fault):
            self.broken[wrong.kind, fault_line(wrong, NAMES[: len(state.players)]) in said] += 1
        else:
            named = (did_two_turns_pass(pair) in said for pair in (wrong, wrong[::-1]))
            self.broken["two lines", any(named)] += 1
        proposal = finding.proposal
        self.legal["illegal entered"] += proposal is not None and proposal.answerable and proposal.certain

    @staticmethod
    def _lines(finding: Finding[Move]) -> str:
        doubts = () if finding.proposal is None else finding.proposal.doubts
        return " ".join([finding.unread, *(doubt.question for doubt in doubts)])


def _is_alarm(question: str) -> bool:
    return not question.endswith("?") and not question.startswith("Check the table.")


def report(figures: Figures) -> None:
    """Print what came of the turns."""
    legal = figures.legal
    print(f"{legal['turns']} legal turns, seed {SEED}")
    for name in ("recognised", "offered", "asked", "wrong without a question", "nothing read", "false alarm"):
        print(f"  {name}: {100 * legal[name] / legal['turns']:.2f} %")
    if figures.unreadable:
        print(f"  and {figures.unreadable} tables that could not be read")
    named = sum(number for (_, right), number in figures.broken.items() if right)
    total = sum(figures.broken.values())
    print(
        f"{total} illegal tables, named: {100 * named / total:.2f} %, entered as legal: {legal['illegal entered']}"
    )
    for kind in sorted({kind for kind, _ in figures.broken}):
        right, wrong = figures.broken[kind, True], figures.broken[kind, False]
        print(f"  {kind}: {right} of {right + wrong}")
    print("probability of the likeliest turn: turns, right")
    for low, high in pairwise(LEVELS):
        inside = [right for probability, right in figures.reliability if low <= probability < high]
        print(f"  {low:g} to {min(high, 1):g}: {len(inside)}, {sum(inside)}")
    median, slow = statistics.median(figures.milliseconds), statistics.quantiles(figures.milliseconds, n=20)[-1]
    print(f"milliseconds: median {median:.1f}, 95th percentile {slow:.1f}")


def main(turns: int = TURNS) -> None:
    """Print the figures of noisy readings."""
    dice = random.Random(SEED)
    figures = Figures(dice, NoisyReader(dice))
    figures.play(turns)
    report(figures)


def from_pictures(turns: int, *, enrolled: bool) -> None:
    """Print the figures of pictures. enrolled: whether the tokens are."""
    for name, looks in (
        ("looks of training", [look for look in LOOKS if look not in HELD_OUT]),
        ("others", HELD_OUT),
    ):
        print(name)
        dice = random.Random(SEED)
        figures = Figures(dice, PictureReader(dice, looks, enrolled))
        figures.play(turns // 2)
        report(figures)


if __name__ == "__main__":
    if sys.argv[1:2] in (["pictures"], ["unenrolled"]):
        from_pictures(int(sys.argv[2]), enrolled=sys.argv[1] == "pictures")
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS)
