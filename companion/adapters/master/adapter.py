"""The adapter of Master Labyrinth: the companion lays the board, people copy it and enter their turns by hand."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Final

from companion.games.master.game import MASTER
from companion.games.master.moves import Move
from companion.games.master.rules.setup import Setup
from companion.games.master.state import State
from companion.table.adapter import Adapter, by_hand

_SEEDS: Final = 2**32
"""Number of boards that the companion may lay."""


def _setup(_: object) -> Setup:
    """Return a setup with a random board."""
    return Setup(seed=secrets.randbelow(_SEEDS))


ADAPTER: Adapter[State, Move] = replace(by_hand(MASTER), setup=_setup)
"""The record."""
