"""Random positions of Master Labyrinth: tiles, tokens and wizards as in the middle of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.games.master.objects.board_orientation import turned_openings
from vision.games.master.readings import FIXED, LOOSE_TILES, NUMBERS, SIZE, STARTS

PLACES: Final = SIZE * SIZE
"""Number of places on the board."""
_AT_START: Final = 0.25
"""Probability that a wizard stands on its start space."""


@dataclass(frozen=True, slots=True)
class MazePosition:
    """What lies and stands on the board, in the board's own frame."""

    tiles: tuple[str, ...]
    """Openings of the 49 tiles by place."""
    spare: str
    """Openings of the spare tile."""
    tokens: Mapping[int, int | None]
    """Place of each token by number; None on the spare."""
    wizards: Mapping[str, int | None]
    """Place of each wizard by colour; None on the spare."""
    taken: tuple[int, ...] = ()
    """Numbers of the tokens that players hold."""


SHAPES: Final[Mapping[str, str]] = {turned_openings(shape, q): shape for shape in LOOSE_TILES for q in range(4)}
"""Shape of a loose tile (the openings that name it in `LOOSE_TILES`) by its openings in any rotation."""


def random_position(rng: np.random.Generator) -> MazePosition:
    """Return a random position that the rules allow: all loose tiles, and the tokens that are still to be taken.

    Tokens lie on loose tiles (M1, M3). Two to four wizards stand on their start rings or anywhere.
    """
    shapes = [shape for shape, count in LOOSE_TILES.items() for _ in range(count)]
    loose = iter([turned_openings(str(shape), int(rng.integers(4))) for shape in rng.permutation(shapes)])
    tiles = tuple(FIXED[place] if place in FIXED else next(loose) for place in range(PLACES))
    taken = 0 if rng.random() < 0.2 else int(rng.integers(len(NUMBERS)))
    lying = NUMBERS[taken:]
    on_loose = [place for place in range(PLACES) if place not in FIXED]
    inner = [place for place in on_loose if 0 < place % SIZE < SIZE - 1 and 0 < place // SIZE < SIZE - 1]
    places = rng.permutation(inner if taken == 0 else on_loose)[: len(lying)]
    colours = [str(colour) for colour in rng.permutation(list(STARTS))[: int(rng.integers(2, 5))]]
    wizards: dict[str, int | None] = {
        colour: STARTS[colour] if rng.random() < _AT_START else int(rng.integers(PLACES)) for colour in colours
    }
    return MazePosition(
        tiles=tiles,
        spare=next(loose),
        tokens={number: int(place) for number, place in zip(lying, places, strict=True)},
        wizards=wizards,
        taken=NUMBERS[:taken],
    )
