"""The record that says how the bots of one game act at the simulated table."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, TypeVar

from calibration.wording import Line
from companion.director.animation import HandAnimation
from companion.table.views import Option, SeatView
from vision.cameras.simulated.scene import HandOnTable, Scene

S = TypeVar("S")
"""A game's state."""
M = TypeVar("M")
"""A game's move."""


@dataclass(frozen=True)
class HiddenMove(Generic[M]):
    """A true move that the bots show to the camera."""

    move: M
    doing: Line
    """What screens say meanwhile."""
    hands: HandAnimation | None = None
    """The hands that show it; None where things are laid down."""
    things: int = 0
    """Number of things that are laid down one after the other."""


@dataclass(frozen=True)
class Bots(Generic[S, M]):
    """The bots of one game, a record of pure functions."""

    seats: tuple[SeatView, ...]
    """Players of the demonstration."""
    opening: Callable[[Any, str], tuple[S, tuple[M, ...]]]
    """(deck, key that seeds all chance) -> first state of a demonstration, and the moves that lead to it."""
    demonstration_over: Callable[[S], bool]
    hidden_move: Callable[[S, str], HiddenMove[M] | None]
    """(state, key that seeds all chance) -> what is shown to the camera now; None where bots choose instead."""
    is_entered: Callable[[M, S], bool]
    """(shown move, state) -> whether the state has this move."""
    choose: Callable[[S, int, Sequence[Option], random.Random], M]
    """(state, seat, its options, chance) -> the choice of one bot."""
    scene: Callable[[S, M | None, int, tuple[HandOnTable, ...]], Scene]
    """(state, move that is being shown, number of its things that lie already, hands) -> what the camera sees."""


def bots(game: str) -> Bots[Any, Any]:
    """Return the bots of a game by its id, importing them when they are first asked for.

    Raises ModuleNotFoundError where the game has none.
    """
    found: Bots[Any, Any] = import_module(f"companion.adapters.{game}.bots.acting").BOTS
    return found
