"""What the adapter finds on a laid table."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.adapters.master.adapter import ADAPTER
from companion.games.master.moves import Move
from companion.games.master.state import MasterState
from companion.referee.finding import Finding
from companion.table.game_adapter import Situation, StillReadings
from tests.companion.adapters.master.laid_table import CLEAN, LaidTable, NoisyReader
from vision.games.master.readings import MazeReading

NAMES = ("Ada", "Bruno", "Chie", "Dora")


def found(state: MasterState, readings: Sequence[MazeReading]) -> Finding[Move]:
    return ADAPTER.interpret(
        Situation(state, NAMES[: len(state.players)], lambda point: 0), StillReadings((), readings)
    )


def read(state: MasterState, table: LaidTable, seed: int = 0) -> Finding[Move]:
    """The finding of a reader without errors."""
    return found(state, NoisyReader(random.Random(seed), CLEAN).read(table))


def certain(finding: Finding[Move]) -> tuple[Move, ...]:
    assert finding.proposal is not None
    assert finding.proposal.certain, finding.proposal
    return finding.proposal.likeliest


def question(finding: Finding[Move]) -> str:
    assert finding.proposal is not None
    (one,) = finding.proposal.questions
    return " ".join(doubt.question for doubt in one.doubts)
