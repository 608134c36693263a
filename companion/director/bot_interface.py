"""What a game provides so that bots can play it at the simulated table: `Bots`, a record of functions."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.cards.deck import EnrolledDeck
from calibration.translatable import Line, say
from companion.adapters import game_module
from companion.director.hand_animation import HandAnimation
from companion.games.game import Game
from companion.table.views import SeatView
from vision.cameras.simulated.scene import HandOnTable, Scene

S = TypeVar("S")
"""A game's state."""
M = TypeVar("M")
"""A game's move."""
Face = NDArray[np.uint8]
"""A printed face: (height, width, 4) uint8 BGRA."""


@dataclass(frozen=True)
class Staging:
    """An action on the table over time, such as a hand that moves things."""

    seconds: float
    """Play seconds until everything lies still and no hand is in the picture."""
    scene: Callable[[float], Scene]
    """(play seconds since the start) -> what the camera shows; the last scene stays."""


@dataclass(frozen=True)
class HiddenMove(Generic[M]):
    """Moves, mostly one, that the bots show to the camera together; entered once they are read."""

    moves: tuple[M, ...]
    """In the order of entry."""
    doing: Line
    """Text on screens meanwhile."""
    hands: HandAnimation | None = None
    """The hands that show it; None where things are laid down."""
    things: int = 0
    """Number of things that are laid down one after the other."""
    staging: Staging | None = None
    """How it is acted out; None where hands or things show it."""


@dataclass(frozen=True)
class ConcurrentPhase(Generic[S, M]):
    """A phase in which all players move at the same time on the table, which is read when they have finished."""

    contains: Callable[[S], bool]
    """(state) -> whether it is in such a phase."""
    unfinished: Callable[[S], tuple[int, ...]]
    """(state) -> seats that still move."""
    apply: Callable[[S, M], S]
    """(state, move) -> next state; the move of the last player does not end the phase."""
    is_unmoved: Callable[[S, S, int], bool]
    """(state, later state, seat) -> whether the player has not moved between them."""
    with_players: Callable[[S, S, Sequence[int]], S]
    """(state, other, seats) -> the state with the players at these seats as in the other one."""
    looks_alike: Callable[[S, S, int], bool]
    """(state, other, seat) -> whether the player's things lie alike in both."""
    doing: Callable[[str], Line]
    """(player's name) -> text on screens while the player moves."""


@dataclass(frozen=True)
class Bots(Generic[S, M]):
    """The bots of one game and the printed cards on their table, a record of pure functions.

    Setup: what the game's `Adapter.setup` returns.
    """

    game: Game[S, M, Any]
    """The game's rules."""
    seats: tuple[SeatView, ...]
    """Players of the demonstration."""
    opening: Callable[[Any, str], tuple[S, tuple[M, ...]]]
    """(setup, text that seeds all chance) -> first state of a demonstration, and the moves that lead to it."""
    demonstration_over: Callable[[S], bool]
    """(state) -> whether the demonstration ends there."""
    hidden_move: Callable[[S, str], HiddenMove[M] | None]
    """(state, text that seeds all chance) -> moves to show to the camera now; None where bots choose instead."""
    is_entered: Callable[[S, Sequence[M], S], bool]
    """(state before, shown moves, state) -> whether the state is what these moves lead to."""
    choose: Callable[[S, int, Sequence[M], random.Random], M]
    """(state, seat, its legal moves, chance) -> the choice of one bot."""
    scene: Callable[[S, M | None, int, tuple[HandOnTable, ...]], Scene]
    """(state, shown move, number of its things that lie already, hands) -> what the camera shows."""
    card_faces: Callable[[Any], Mapping[str, Face]] = lambda setup: {}
    """(setup) -> the drawn faces and backs of all cards, as in the faces of `Renderer`."""
    deck: Callable[[Any], EnrolledDeck | None] = lambda setup: None
    """(setup) -> the same cards as an enrolled deck; None where the game has none."""
    demonstrated: Line = field(default_factory=lambda: say("That was one round."))
    """Text on screens when a demonstration has ended."""
    prepared_pieces: Traversable | None = None
    """Folder of specimens that were enrolled in advance, one file per kind (`pre_enrolled_pieces`)."""
    concurrent: ConcurrentPhase[S, M] | None = None
    """None where players move in turn."""


def bots(game: str) -> Bots[Any, Any]:
    """Return the functions of a game's bots. game: its id. Raises LookupError where the game has no bots."""
    module = game_module(game, "bots.simulated_players")
    if module is None:
        raise LookupError(f"{game} has no bots.")
    found: Bots[Any, Any] = module.BOTS
    return found
