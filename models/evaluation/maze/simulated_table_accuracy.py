"""Accuracy of reading the maze on pictures of the simulated table.

`python -m models.evaluation.maze.simulated_table_accuracy` draws games that bots have begun, from random camera
poses (`models.evaluation.maze.simulated_table_pictures`), reads them and prints the accuracy. Nothing was trained
or tuned on these pictures. `--boards 24` sets their number.
"""

from __future__ import annotations

from dataclasses import dataclass

import click
import numpy as np
from rich.console import Console

from models.evaluation.maze.evaluate import percentage
from models.evaluation.maze.random_positions import SHAPES
from models.evaluation.maze.simulated_table_pictures import table_picture
from models.evaluation.maze.truth import MazeTruth
from models.evaluation.measuring.parallel import over_sessions
from vision.games.master.reader import MazeReader
from vision.games.master.readings import MazeReading


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """Reading of one picture compared with its ground truth."""

    board: bool
    """Whether a whole board was found and its orientation determined; if not, nothing else counts as right."""
    tiles: bool
    """Whether all tiles are right."""
    spare: bool
    """Whether the shape of the spare is right."""
    tokens: bool
    """Whether all tokens on the board are right, and no other is read; those under a wizard do not count."""
    wizards: bool
    """Whether exactly the wizards of the game are read where they stand."""
    whole: bool
    """Whether tiles, spare, tokens and wizards are all right."""
    doubtful: int
    """Entries that need confirmation."""
    undetected: int
    """Wrong entries that need no confirmation, and wizards that are not read at all."""
    milliseconds: float
    """Processing time."""
    wrong: tuple[str, ...]
    """What is wrong with the wizards, one message each; the state that was read where no board was found."""


def compare(truth: MazeTruth, reading: MazeReading) -> TableOutcome:
    """Return a reading compared with the ground truth."""
    if reading.state != "board" or not reading.oriented:
        return TableOutcome(False, False, False, False, False, False, 0, 0, reading.milliseconds, (reading.state,))
    under = set(truth.wizards.values())
    wrong_tiles = [tile for tile, true in zip(reading.tiles, truth.tiles, strict=True) if tile.openings != true]
    spare = reading.spare is not None and SHAPES[reading.spare.openings] == SHAPES[truth.spare]
    tokens = {number: place for number, place in truth.tokens.items() if place not in under}
    read = {token.number: token for token in reading.tokens if token.place not in under}
    wrong_tokens = [token for number, token in read.items() if tokens.get(number, -1) != token.place]
    found = {wizard.colour: wizard for wizard in reading.wizards}
    wrong_wizards = [wizard for colour, wizard in found.items() if truth.wizards.get(colour, -1) != wizard.place]
    missed = [colour for colour in truth.wizards if colour not in found]
    possible = {wizard.colour for wizard in reading.possible_wizards}
    exact = (
        not wrong_tiles,
        spare,
        not wrong_tokens and read.keys() == tokens.keys(),
        not wrong_wizards and not missed,
    )
    spares = [reading.spare] if reading.spare else []
    read_entries = (reading.tiles, reading.tokens, reading.wizards, reading.possible_wizards, spares)
    entries = [one.doubtful for of in read_entries for one in of]
    wrong = [
        one.doubtful for of in (wrong_tiles, wrong_tokens, wrong_wizards, [] if spare else spares) for one in of
    ]
    return TableOutcome(
        True,
        *exact,
        all(exact),
        sum(entries),
        wrong.count(False) + len(set(missed) - possible),
        reading.milliseconds,
        (
            *(f"{one.colour} {one.place} ({one.confidence:.3f})" for one in wrong_wizards),
            *(f"{colour} missed" for colour in missed),
        ),
    )


def measure(seed: int) -> TableOutcome:
    """Draw and read the picture of a seed, and return its reading compared with the ground truth."""
    image, truth = table_picture(seed)
    return compare(truth, MazeReader().read(image))


@click.command()
@click.option("--boards", default=12, show_default=True)
@click.option("--first", default=0, show_default=True, help="Seed of the first picture.")
@click.option("--processes", default=2, show_default=True)
def main(boards: int, first: int, processes: int) -> None:
    """Draw and read pictures of the simulated table, and print the accuracy."""
    console = Console(highlight=False, soft_wrap=True)
    outcomes = over_sessions(measure, first, boards, processes, "Reading", console)
    for name in ("board", "tiles", "spare", "tokens", "wizards", "whole"):
        console.print(f"{name} exact: {percentage([getattr(one, name) for one in outcomes])}")
    console.print(f"entries that need confirmation, a board: {np.mean([one.doubtful for one in outcomes]):.2f}")
    console.print(f"undetected errors: {sum(one.undetected for one in outcomes)}")
    console.print(f"milliseconds, median: {np.median([one.milliseconds for one in outcomes]):.0f}")
    for seed, one in enumerate(outcomes, first):
        if one.wrong:
            console.print(f"{seed}: {', '.join(one.wrong)}")


if __name__ == "__main__":
    main()
