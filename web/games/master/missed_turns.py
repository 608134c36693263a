"""The route that returns the turns that players missed in a finished game, with the positions that screens draw."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, jsonify

from calibration.translatable import say
from companion.adapters.master.missed_turns_service import MasterServices
from companion.games.master.adviser.missed_turns import MissedTurn
from companion.games.master.game import MASTER
from companion.games.master.moves import Shift, Stay, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.state import MasterState
from companion.games.master.state_for_viewer import MasterView, view
from companion.table.views import Refused
from web.channel.role_filtered_messages import as_plain
from web.languages import translated
from web.people.request_guards import open_to_all, principal
from web.table_interface import RunningTable


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A missed turn for screens."""

    number: int
    """Number of the journal entry of the shift that was played."""
    round: int
    """Number of the round, from 1."""
    seat: int
    """The player's seat."""
    lost: int
    """Points that the player missed by the turn that was played."""
    line: str
    """What the better turn would have gained, as a sentence."""
    before: int
    """Number of moves of the game before it."""
    after: MasterView
    """The position after the better turn, or after the first of two with a wand between them."""


def missed_turns(table: RunningTable) -> Blueprint:
    """Return the blueprint of the route that returns a finished game's turns that could have gained more."""
    blueprint = Blueprint("master_missed", __name__)

    @blueprint.get("/api/master/missed")
    @open_to_all
    def turns() -> Response:
        services, game = table.services(MASTER.id), table.view.game
        if game is None or not isinstance(services, MasterServices):
            raise Refused("not_now", say("What you missed is shown when the game is over."))
        found = services.missed()
        places = {step.number: place for place, step in enumerate(game.steps)}
        shown = [
            _shown_turn(one, places[one.number], game.steps[places[one.number]].before)
            for one in found.turns
            if one.number in places
        ]
        return jsonify(translated(as_plain({"game": found.game, "turns": shown}), principal().language))

    return blueprint


def _shown_turn(one: MissedTurn, place: int, before: MasterState) -> ShownTurn:
    """Return a missed turn for screens, with the position after the better turn.

    place: number of moves before the turn. before: state of the game before it.
    """
    turn = one.better.turns[0]
    pushed = apply(before, Shift(one.seat, turn.arrow, turn.openings))
    stays = turn.place == pushed.wizards[one.seat]
    after = apply(pushed, Stay(one.seat) if stays else Walk(one.seat, turn.place, turn.take))
    return ShownTurn(one.number, one.round, one.seat, one.lost, one.line, place, view(after, None))
