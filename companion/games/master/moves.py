"""Everything that players choose, as plain values: a journal of moves is the whole game.

Players are named by seat, places by number (`components.PLACES`). Every move carries a `type` by which JSON
distinguishes moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.master.maze import Arrow


@dataclass(frozen=True, slots=True)
class LayBoard:
    """The board as it was laid at the start (M1)."""

    loose: tuple[str, ...]
    """Openings of the 33 loose tiles in reading order, such as "TRL"."""
    spare: str
    """Openings of the spare tile in any rotation."""
    tokens: tuple[int, ...]
    """Numbers of the tokens in reading order of `components.TOKEN_PLACES`."""
    type: Literal["lay_board"] = "lay_board"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class Shift:
    """The spare is pushed in at an arrow, with these openings (M2)."""

    player: int
    """Seat of the player who makes it."""
    arrow: Arrow
    """Where the spare is pushed in."""
    openings: str
    """Openings of the spare as it is pushed in."""
    type: Literal["shift"] = "shift"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A wizard moves to another place and takes the token there, or leaves it (M4, M5)."""

    player: int
    """Seat of the player who makes it."""
    place: int
    """Place where the wizard ends."""
    take: bool
    """Whether a token is taken."""
    type: Literal["walk"] = "walk"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A wizard stays where it stands after the shift (M4)."""

    player: int
    """Seat of the player who makes it."""
    type: Literal["stay"] = "stay"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class UseWand:
    """A player gives up a wand for one more turn (M6)."""

    player: int
    """Seat of the player who makes it."""
    type: Literal["use_wand"] = "use_wand"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The mover accepts a tip and promises something for exactly this turn (M7)."""

    player: int
    """Seat of the mover, who pays."""
    rival: int
    """Seat of the one who gave the tip."""
    token: int | None
    """Number of the promised token; None for a wand."""
    arrow: Arrow
    """Arrow of the promised turn."""
    openings: str
    """Openings of the spare in the promised turn."""
    place: int
    """Place where the promised turn ends."""
    type: Literal["deal"] = "deal"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class NoteFormula:
    """A player's formula card is noted: secret until play has ended."""

    player: int
    """Seat of the player who makes it."""
    numbers: tuple[int, int, int]
    """Numbers on the card."""
    type: Literal["note_formula"] = "note_formula"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class EndGame:
    """The players agree to end; it is scored as it stands (M8)."""

    type: Literal["end_game"] = "end_game"
    """Tag of the move in JSON."""


@dataclass(frozen=True, slots=True)
class CountHoldings:
    """What lies before the players once play has ended, as it is counted on the table (M9)."""

    tokens: tuple[tuple[int, ...], ...]
    """Numbers of the tokens before each player, by seat."""
    wands: tuple[int, ...]
    """Unused wands before each player, by seat."""
    type: Literal["count_holdings"] = "count_holdings"
    """Tag of the move in JSON."""


Move = LayBoard | Shift | Walk | Stay | UseWand | Deal | NoteFormula | EndGame | CountHoldings


def acting_player(move: Move) -> int | None:
    """Return the seat of the player whose choice a move is; None for what all players do together."""
    return None if isinstance(move, (LayBoard, EndGame, CountHoldings)) else move.player
