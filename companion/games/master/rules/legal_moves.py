"""Which moves the rules allow, as far as they can be listed."""

from __future__ import annotations

from companion.games.master.components import FORMULAS
from companion.games.master.maze import ARROWS, ROTATIONS, letters, places
from companion.games.master.moves import Move, NoteFormula, Shift, Stay, UseWand, Walk
from companion.games.master.state import MasterState


def waiting_for(state: MasterState) -> tuple[int, ...]:
    """Return the seats that have to move before the game goes on; none at the end, or where all move together."""
    if state.phase in ("shift", "walk"):
        return (state.mover,)
    if state.phase == "formulas":
        return tuple(seat for seat, player in enumerate(state.players) if player.formula is None)
    return ()


def player_moves(state: MasterState, player: int) -> tuple[Move, ...]:
    """Return the legal moves of the player at a seat, as far as they can be listed.

    Listed are shifts, or walks and the stay; then the wand, and formula cards. Moves of the whole table and deals,
    which depend on what people agree, are not listed. The list depends on nothing that is secret from the player.
    """
    moves: list[Move] = []
    if state.phase == "shift" and player == state.mover and state.maze is not None:
        moves += [
            Shift(player, arrow, letters(openings))
            for arrow in ARROWS
            if arrow != state.closed
            for openings in ROTATIONS[state.maze.spare]
        ]
    if state.phase == "walk" and player == state.mover and state.maze is not None:
        here, number = state.wizards[player], state.next_token
        moves.append(Stay(player))
        for place in places(state.maze.reached(here) & ~(1 << here)):
            if number is not None and state.token_at(place) == number:
                moves.append(Walk(player, place, True))
            moves.append(Walk(player, place, False))
    if state.phase == "shift" and state.wand_of == player and state.deal is None:
        moves.append(UseWand(player))
    if state.phase != "over":
        noted = state.players if state.formulas_shown else (state.players[player],)
        known = {one.formula for one in noted}
        moves += [NoteFormula(player, numbers) for numbers in FORMULAS if numbers not in known]
    return tuple(moves)
