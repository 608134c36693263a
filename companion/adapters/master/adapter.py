"""Adapter of Master Labyrinth: what the camera reads in each phase, and which moves the readings propose."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from companion.adapters.master.evidence.player_statements import Stated
from companion.adapters.master.final_holdings_proposals import end_hint, propose_end
from companion.adapters.master.missed_turns_service import MasterServices
from companion.adapters.master.start_board_proposals import propose_board
from companion.adapters.master.still_picture_reader import draw_at_rest, rest_reader
from companion.adapters.master.token_enrolment import enrolled_tokens
from companion.adapters.master.turn_tips import turn_aids
from companion.adapters.master.turns.turn_proposals import propose_turn
from companion.games.game import OVER, Viewer
from companion.games.master.game import MASTER
from companion.games.master.moves import Move
from companion.games.master.rules.engine import apply
from companion.games.master.rules.setup import MasterSetup
from companion.games.master.state import MasterState
from companion.games.master.state_for_viewer import MasterView, view
from companion.referee.finding import Finding
from companion.session.game_settings import EntryMode
from companion.table.game_adapter import Adapter, Situation, StateRequest, StillReadings
from vision.readings import Expectation

_SEEDS: Final = 2**32
"""Number of different seeds, each of which gives a random board when the companion sets up the game."""
_NO_HANDS: Final = Expectation(0)
"""Expectation that no hand holds anything, since this game is not played with open hands."""


def request(state: MasterState) -> StateRequest:
    """Return what the camera has to read in this state.

    That is the board at rest; once play has ended, also the players' tokens and formula cards, until all are known.
    One picture is usually enough to recognise a turn, and reading it takes long on a slow processor.
    """
    if state.formulas_shown:
        done = state.phase == OVER and state.counted
        return StateRequest(None if done else "at_rest", _NO_HANDS, end_hint(state))
    first_pictures = state.phase in ("shift", "walk")
    return StateRequest("at_rest", _NO_HANDS, first_pictures=first_pictures, next_turn=state.phase == "shift")


def interpret(situation: Situation[MasterState], read: StillReadings) -> Finding[Move]:
    """Return the proposal, or the problem on the table, that follows from readings of the board in this phase."""
    state, names = situation.state, situation.names
    match state.phase:
        case "board":
            return propose_board(state, names, read.at_rest, situation.statements)
        case "shift" | "walk":
            return propose_turn(state, names, read.at_rest, situation.statements)
        case "formulas" | "over":
            return propose_end(state, names, read.at_rest)


def preview(state: MasterState, moves: Sequence[Move], viewer: Viewer) -> MasterView:
    """Return a viewer's view of the position after proposed moves.

    Formula cards that the viewer may not know yet stay hidden, even where the moves would end the game. Raises
    IllegalMove.
    """
    if not state.formulas_shown:
        # The last token ends play and would reveal the cards before the moves are entered.
        players = (
            player if seat == viewer else replace(player, formula=None) for seat, player in enumerate(state.players)
        )
        state = replace(state, players=tuple(players))
    for move in moves:
        state = apply(state, move)
    return view(state, viewer)


def setup(_: Any, mode: EntryMode) -> MasterSetup:
    """Return the setup of a new game: without a board if the camera will read it, otherwise with a random one."""
    return MasterSetup() if mode == "camera" else MasterSetup(seed=secrets.randbelow(_SEEDS))


ADAPTER: Adapter[MasterState, Move] = Adapter(
    game=MASTER,
    request=request,
    interpret=interpret,
    rest_reader=rest_reader,
    draw_at_rest=draw_at_rest,
    calibrated=False,
    statements=Stated,
    preview=preview,
    setup=setup,
    enrol_in_order=enrolled_tokens,
    aids=turn_aids,
    services=MasterServices,
)
"""What connects the rules of Master Labyrinth to its table."""
