"""A game of Master Labyrinth between two moves, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.master.components import TOKENS, Colour
from companion.games.master.maze import Arrow, Maze
from companion.games.master.moves import Deal, Shift

Phase = Literal["board", "shift", "walk", "formulas", "over"]
"""What comes next: the board is laid, the spare pushed in, the wizard moved, formula cards are shown, nothing."""

TAKEN = -1
"""In `MasterState.tokens`, in place of the place of a token that a player holds."""


@dataclass(frozen=True, slots=True)
class MasterPlayer:
    """What one player has."""

    colour: Colour
    """Colour of the wizard."""
    wands: int
    """Unused wands."""
    tokens: tuple[int, ...] = ()
    """Numbers of the tokens held, in the order in which they were taken."""
    formula: tuple[int, int, int] | None = None
    """Numbers on the formula card; None while nobody has noted them."""


@dataclass(frozen=True, slots=True)
class LatestTurn:
    """The turn that ended last, as it changed the board."""

    shift: Shift
    """How it began."""
    start: int
    """Place of the mover's wizard after the shift."""
    end: int
    """Place where the turn ended."""
    taken: int | None
    """Number of the token that was taken; None where none was."""
    paid: Deal | None
    """The promise that was due for this turn, and paid (M7); None without one."""


@dataclass(frozen=True, slots=True)
class MasterState:
    """A position of the game."""

    phase: Phase
    """What has to be done next."""
    players: tuple[MasterPlayer, ...]
    """By seat."""
    mover: int
    """Seat of the player whose turn it is."""
    wizards: tuple[int, ...]
    """Places of the wizards, by seat."""
    maze: Maze | None = None
    """None until the board is laid."""
    tokens: tuple[int, ...] = ()
    """Places of the tokens in the order of `components.TOKENS`; `TAKEN` for those that a player holds."""
    closed: Arrow | None = None
    """The arrow that must not be used: where the spare came out last (M2)."""
    turns: int = 0
    """Number of turns that have ended; an extra turn counts as part of the turn before it."""
    extra: bool = False
    """Whether the present turn is an extra one."""
    wand_of: int | None = None
    """Seat of the player whose turn has just ended and who may still use a wand (M6)."""
    deal: Deal | None = None
    """What the mover has promised for this turn (M7)."""
    pushed: Shift | None = None
    """The shift of the present turn, in the phase "walk"."""
    unused_wand_of: int | None = None
    """Seat of the player who could have used a wand instead of that shift."""
    latest: LatestTurn | None = None
    """The turn before the present one; None at the start, and once the spare is pushed in again."""
    same_card: tuple[int, ...] = ()
    """Seats of players who had noted the same formula card when play ended, so that they show theirs again."""
    counted: bool = False
    """Whether tokens and wands were counted after play."""
    chained_wands: bool = False
    """House option: a wand may also follow an extra turn."""
    tips: bool = False
    """House option: players may ask the companion for tips on their own screens (M7)."""

    @property
    def complete_turns(self) -> int:
        """Number of turns that have ended and that no wand can prolong any more."""
        return self.turns - (self.extra or self.wand_of is not None)

    @property
    def round(self) -> int:
        """Number of the round, from 1; a round ends when each player has had a complete turn."""
        return self.complete_turns // len(self.players) + 1

    @property
    def turns_before_latest(self) -> int:
        """Number of turns before the latest one that has begun, be it over or not."""
        between_turns = self.phase == "shift" and self.deal is None
        return max(0, self.turns - 1) if between_turns else self.complete_turns

    @property
    def round_begun(self) -> int:
        """Number of the round of the latest turn that has begun, from 1."""
        return self.turns_before_latest // len(self.players) + 1

    @property
    def wand_may_follow(self) -> bool:
        """Whether the mover may use a wand after the present turn (M6), if one is left then."""
        return self.players[self.mover].wands > 0 and (self.chained_wands or not self.extra)

    @property
    def formulas_shown(self) -> bool:
        """Whether play has ended, so that formula cards are not secret any more."""
        return self.phase in ("formulas", "over")

    @property
    def next_token(self) -> int | None:
        """Number of the smallest token that nobody holds; None where all are held."""
        return next((number for number, place in zip(TOKENS, self.tokens, strict=True) if place != TAKEN), None)

    def token_at(self, place: int) -> int | None:
        """Return the number of the token that lies at a place; None without one."""
        return TOKENS[self.tokens.index(place)] if place in self.tokens else None
