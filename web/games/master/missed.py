"""The route that returns what the players of a finished game missed."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from flask import Blueprint, Response, jsonify

from calibration.wording import say
from companion.games.game import OVER
from companion.games.master.adviser.missed_turns import MissedTurn, missed_turns
from companion.games.master.adviser.turns import Turn
from companion.games.master.game import MASTER
from companion.games.master.moves import Move, Shift, Stay, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.state import State
from companion.games.master.view import View, view
from companion.table.played_game import PlayedGame
from companion.table.views import Refused
from web.channel.publication import as_plain
from web.languages import translated
from web.people.security import open_to_all, principal
from web.table_interface import RunningTable

_MOST = 6
"""Turns that are shown, those with the greatest loss."""


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A missed turn for screens."""

    number: int
    """Number of the journal entry of the shift that was played."""
    turn: int
    """Number of the turn in the game, from 1."""
    seat: int
    lost: int
    """Points."""
    line: str
    before: int
    """Number of steps of the game before it."""
    after: View
    """The position after the better turn; after its first half where a wand is used."""


def missed(table: RunningTable) -> Blueprint:
    """Return the blueprint of missed turns, which are computed once for each end of a game."""
    blueprint = Blueprint("master_missed", __name__, url_prefix="/api/master")
    lock = threading.Lock()
    computed: dict[tuple[str, int], tuple[ShownTurn, ...]] = {}

    @blueprint.get("/missed")
    @open_to_all
    def missed_route() -> Response:
        game = table.view.game
        if game is None or game.record is not MASTER or game.stage.phase != OVER:
            raise Refused("not_now", say("What was missed is shown once the game is over."))
        key = game.id, game.number
        with lock:
            if key not in computed:
                computed.clear()
                computed[key] = _shown(game)
        return jsonify(turns=translated(as_plain(computed[key]), principal().language))

    return blueprint


def _shown(game: PlayedGame[State, Move]) -> tuple[ShownTurn, ...]:
    found = sorted(missed_turns(game.steps, game.names), key=lambda one: -one.lost)[:_MOST]
    places = {step.number: place for place, step in enumerate(game.steps)}
    return tuple(
        ShownTurn(
            one.number,
            one.turn,
            one.seat,
            one.lost,
            one.line,
            places[one.number],
            _after(game.steps[places[one.number]].before, one),
        )
        for one in found
    )


def _after(before: State, one: MissedTurn) -> View:
    turn: Turn = one.better.turns[0]
    state = apply(before, Shift(one.seat, turn.arrow, turn.openings))
    here = state.wizards[one.seat]
    return view(apply(state, Stay(one.seat) if turn.place == here else Walk(one.seat, turn.place, turn.take)), None)
