"""The state of a game as one viewer may know it: without the formula cards of others while they are secret."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.game import Viewer
from companion.games.master.components import TOKENS, Colour
from companion.games.master.maze import Arrow, letters
from companion.games.master.moves import Deal, Shift
from companion.games.master.state import LatestTurn, MasterState, Phase


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What one player has, as far as the viewer may know."""

    colour: Colour
    """Colour of the wizard."""
    place: int
    """Place of the wizard."""
    wands: int
    """Unused wands."""
    tokens: tuple[int, ...]
    """Numbers of the tokens held."""
    noted: bool
    """Whether the formula card is noted."""
    formula: tuple[int, int, int] | None
    """Numbers on the formula card; None where it is not noted, or secret from the viewer."""


@dataclass(frozen=True, slots=True)
class MasterView:
    """A position of the game without the formula cards that are secret from the viewer."""

    phase: Phase
    """What has to be done next."""
    players: tuple[PlayerView, ...]
    """By seat."""
    mover: int
    """Seat of the player whose turn it is."""
    tiles: tuple[str, ...]
    """Openings of the 49 tiles in reading order; none until the board is laid."""
    spare: str
    """Openings of the spare tile; "" until the board is laid."""
    tokens: tuple[tuple[int, int], ...]
    """Number and place of the tokens on the board, ascending by number."""
    closed: Arrow | None
    """The arrow that must not be used."""
    extra: bool
    """Whether the present turn is an extra one."""
    wand_of: int | None
    """Seat of the player who may still use a wand."""
    deal: Deal | None
    """What the mover has promised for this turn."""
    pushed: Shift | None
    """The shift of the present turn, in the phase "walk"."""
    latest: LatestTurn | None
    """The turn before the present one."""
    same_card: tuple[int, ...]
    """Seats of players who had noted the same formula card when play ended; none before."""
    counted: bool
    """Whether tokens and wands were counted after play."""
    chained_wands: bool
    """House option: a wand may also follow an extra turn."""
    tips: bool
    """House option: players may ask the companion for tips."""


def view(state: MasterState, viewer: Viewer) -> MasterView:
    """Return what a viewer may know: of formula cards their own only, and all of them once play has ended."""
    maze = state.maze
    return MasterView(
        phase=state.phase,
        players=tuple(
            PlayerView(
                colour=player.colour,
                place=state.wizards[seat],
                wands=player.wands,
                tokens=player.tokens,
                noted=player.formula is not None,
                formula=player.formula if state.formulas_shown or seat == viewer else None,
            )
            for seat, player in enumerate(state.players)
        ),
        mover=state.mover,
        tiles=() if maze is None else tuple(map(letters, maze.tiles())),
        spare="" if maze is None else letters(maze.spare),
        tokens=tuple((number, place) for number, place in zip(TOKENS, state.tokens, strict=False) if place >= 0),
        closed=state.closed,
        extra=state.extra,
        wand_of=state.wand_of,
        deal=state.deal,
        pushed=state.pushed,
        latest=state.latest,
        same_card=state.same_card,
        counted=state.counted,
        chained_wands=state.chained_wands,
        tips=state.tips,
    )
