"""Pictured turns of Master Labyrinth, kept on disk: `python -m tests.bench.turns.pictured_turns 100`.

So many random games are entered in the middle; of each, some legal turns and a table that breaks a rule are
rendered and read, one picture each. Readings are kept in `artefacts/pictured_turns`, a file for each game; games
that are there are not read again, unless the fields of states or readings have changed since. Then the figures of
all games on disk are printed. `--held-out` takes the looks that train nothing, for a measurement; nothing may be
fitted to them.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

import cv2

from calibration.games.master.art.maze_picture_styles import HELD_OUT, LOOKS
from companion.adapters.master.turns.table_faults import Fault
from companion.games.master.components import COLOURS
from companion.games.master.moves import Shift, Stay
from companion.games.master.rules.engine import apply
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.games.master.state import LatestTurn, MasterPlayer, MasterState
from models.evaluation.maze.renderer import Light
from models.evaluation.maze.token_face_drawing import PRINTS
from tests.bench.turns.certainty import Figures, report
from tests.companion.adapters.master.laid_table import LaidTable, NoisyReader
from tests.companion.adapters.master.pictured_table import pictured, reader
from tests.companion.adapters.master.scenarios import broken_tables, random_turn, two_lines
from vision.games.master.readings import MazeReading, TileReading, TokenReading, WizardReading

FOLDER: Final = Path("artefacts/pictured_turns")
FIT_LOOKS: Final = tuple(look for look in LOOKS if look not in HELD_OUT)
TURNS: Final = 4
"""Legal turns of each game."""
SKIPPED: Final = 60
"""Most turns that are played before the first one that is pictured."""
LIGHTS: Final[tuple[Light, ...]] = ("day",) * 6 + ("lamp", "half", "shadow", "glare")
ENROLLED: Final = 0.75
"""Share of games whose tokens are enrolled."""
TWO_LINES: Final = 0.1
"""Share of illegal tables on which two lines were pushed."""


@dataclass(frozen=True)
class PicturedTable:
    """A table after the journal's position, and its readings."""

    journal: MasterState
    table: LaidTable
    readings: tuple[MazeReading, ...]
    look: str
    light: str
    tokens: str
    """Print of the tokens."""
    enrolled: bool
    """Whether they are enrolled; otherwise the reader takes them for those of the stand-in."""
    should: MasterState | None = None
    """The position that is to be entered; None where the table is illegal."""
    fault: Fault | None = None
    """What is wrong; None where the table is legal or two lines were pushed."""
    lines: tuple[Shift, ...] = ()
    """The two lines that were pushed."""


def pictured_game(seed: int, looks: Sequence[str]) -> list[PicturedTable]:
    """Return some tables of a random game, the illegal one last."""
    dice = random.Random(seed)
    tokens, known = dice.choice(PRINTS), dice.random() < ENROLLED
    own = reader(tokens if known else None)
    state = _middle(dice)
    found: list[PicturedTable] = []

    def read(journal: MasterState, table: LaidTable) -> PicturedTable:
        look, light = dice.choice(looks), dice.choice(LIGHTS)
        image = pictured(table, dice.randrange(10**6), look, light=light, tokens=tokens)
        read = (own.read(image),)
        return PicturedTable(journal, table, read, look, light, tokens, known)

    journal = state
    for _ in range(TURNS):
        moves, after = random_turn(state, dice)
        should = after
        if isinstance(moves[-1], Stay):  # entered with the next turn
            should = state
            for move in moves[:-1]:
                should = apply(should, move)
        found.append(replace(read(journal, LaidTable.of(after)), should=should))
        journal, state = should, after
        if state.phase != "shift":
            journal = state = _middle(dice)
    if dice.random() < TWO_LINES:
        table, first, second = two_lines(state, dice)
        found.append(replace(read(state, table), lines=(first, second)))
    else:
        broken = dice.choice(list(broken_tables(state, dice)))
        found.append(replace(read(broken.before, broken.table), fault=broken.fault))
    return found


def _middle(dice: random.Random) -> MasterState:
    """Return a position in which a turn begins."""
    state = new_game(COLOURS[: dice.choice((2, 3, 4))], MasterSetup(dice.randrange(10**6)))
    for _ in range(dice.randrange(SKIPPED)):
        _, after = random_turn(state, dice)
        if after.phase != "shift":
            break
        state = after
    return state


def _fields_digest() -> str:
    """Return a digest of the fields that pickled tables consist of, which are restored by their order."""
    kinds = (
        PicturedTable,
        MasterState,
        MasterPlayer,
        LatestTurn,
        MazeReading,
        TileReading,
        TokenReading,
        WizardReading,
    )
    names = [(kind.__name__, [field.name for field in fields(kind)]) for kind in kinds]
    return hashlib.sha256(repr(names).encode()).hexdigest()[:8]


def path(seed: int, *, held_out: bool = False) -> Path:
    """Return the file of a game."""
    return FOLDER / _fields_digest() / ("held-out" if held_out else "fit") / f"{seed}.pickle"


def kept(*, held_out: bool = False) -> Iterator[PicturedTable]:
    """Yield the tables of all games on disk."""
    folder = path(0, held_out=held_out).parent
    for file in sorted(folder.glob("*.pickle"), key=lambda file: int(file.stem)):
        yield from pickle.loads(file.read_bytes())


def measured(tables: Sequence[PicturedTable]) -> Figures:
    """Return the figures of tables; those without a readable picture, in glare for example, are counted apart."""
    figures = Figures(random.Random(0), NoisyReader(random.Random(0)))
    for one in tables:
        if all(reading.state != "board" for reading in one.readings):
            figures.unreadable += 1
            continue
        finding = figures.interpret(one.journal, one.readings)
        if one.should is not None:
            figures.count(one.journal, one.should, finding)
        else:
            figures.count_broken(one.journal, one.fault or one.lines, finding)
    return figures


def main() -> None:
    """Read the games that are not on disk."""
    options = argparse.ArgumentParser()
    options.add_argument("games", type=int)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--held-out", action="store_true")
    chosen = options.parse_args()
    cv2.setNumThreads(1)
    for seed in range(chosen.first, chosen.first + chosen.games):
        file = path(seed, held_out=chosen.held_out)
        if not file.exists():
            looks = HELD_OUT if chosen.held_out else FIT_LOOKS
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(pickle.dumps(pictured_game(seed, looks)))
    tables = list(kept(held_out=chosen.held_out))
    for enrolled in (True, False):
        print(f"tokens {'enrolled' if enrolled else 'of a print that is not enrolled'}")
        report(measured([one for one in tables if one.enrolled == enrolled]))


if __name__ == "__main__":
    from tests.bench.turns import pictured_turns

    pictured_turns.main()  # so that pickled tables are not of `__main__`
