"""The start of a game: players, options and the board (M1)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from calibration.translatable import say
from companion.games.game import SetupOption
from companion.games.master.components import (
    COLOURS,
    LOOSE,
    LOOSE_TILES,
    START,
    TOKEN_PLACES,
    TOKENS,
    WANDS,
    Colour,
)
from companion.games.master.maze import ROTATIONS, Maze, bits
from companion.games.master.state import MasterPlayer, MasterState

_COLOURS: dict[str, Colour] = {colour: colour for colour in COLOURS}


@dataclass(frozen=True, slots=True)
class MasterSetup:
    """What a game begins with besides its players."""

    seed: int | None = None
    """Seed with which the companion lays the board; None where people do."""
    first: int = 0
    """Seat of the player who begins."""
    chained_wands: bool = False
    """House option: a wand may also follow an extra turn."""
    tips: bool = False
    """House option: players may ask the companion for tips on their own screens (M7)."""


OPTIONS: Final = (
    SetupOption("first", say("Who begins?"), choice="seat"),
    SetupOption(
        "own_board",
        say("Our own board"),
        say("You lay the tiles and tokens at random, then tap them in. Otherwise you copy the companion's board."),
        by_hand=True,
    ),
    SetupOption("chained_wands", say("Chained wands"), say("Another wand may follow an extra turn.")),
    SetupOption(
        "tips",
        say("Tips from the companion"),
        say("Players may ask for the best turn on their own phones."),
    ),
)
"""What the players choose before a game."""


def with_options(setup: MasterSetup, chosen: Mapping[str, int]) -> MasterSetup:
    """Return a setup with the chosen options. chosen: value by id of an option; options not named stay."""
    return MasterSetup(
        seed=None if chosen.get("own_board") else setup.seed,
        first=chosen.get("first", setup.first),
        chained_wands=bool(chosen.get("chained_wands", setup.chained_wands)),
        tips=bool(chosen.get("tips", setup.tips)),
    )


def new_game(colours: Sequence[str], setup: MasterSetup) -> MasterState:
    """Return the first state of a game; with a seed in the setup, the board is laid already.

    colours: of the wizards, by seat. Raises ValueError for impossible players.
    """
    if not 2 <= len(colours) <= len(COLOURS):
        raise ValueError(say("Master Labyrinth is for 2 to 4 players."))
    if len(set(colours)) < len(colours) or not set(colours) <= set(_COLOURS):
        raise ValueError(say("Every player needs a wizard of another colour."))
    if not 0 <= setup.first < len(colours):
        raise ValueError(say("The player who begins has no seat."))
    players = tuple(MasterPlayer(_COLOURS[colour], WANDS) for colour in colours)
    state = MasterState(
        phase="board",
        players=players,
        mover=setup.first,
        wizards=tuple(START[player.colour] for player in players),
        chained_wands=setup.chained_wands,
        tips=setup.tips,
    )
    if setup.seed is None:
        return state
    maze, tokens = random_board(random.Random(setup.seed))
    return with_board(state, maze, tokens)


def with_board(state: MasterState, maze: Maze, order: Sequence[int]) -> MasterState:
    """Return the state after the board was laid: the first player's turn begins.

    order: numbers of the tokens, in reading order of `TOKEN_PLACES`.
    """
    places = dict(zip(order, TOKEN_PLACES, strict=True))
    return replace(state, phase="shift", maze=maze, tokens=tuple(places[number] for number in TOKENS))


def random_board(random_: random.Random) -> tuple[Maze, tuple[int, ...]]:
    """Return a random maze, and the numbers of all tokens in random order, one for each of `TOKEN_PLACES`."""
    shapes = [bits(tile) for tile, number in LOOSE_TILES.items() for _ in range(number)]
    random_.shuffle(shapes)
    tiles = [random_.choice(ROTATIONS[each]) for each in shapes]
    tokens = list(TOKENS)
    random_.shuffle(tokens)
    return Maze.of_loose(tiles[: len(LOOSE)], tiles[len(LOOSE)]), tuple(tokens)
