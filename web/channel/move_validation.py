"""Validates moves that screens send: parses them by the game's codec, and checks the sender's role."""

from __future__ import annotations

from typing import Any

from calibration.translatable import say
from companion.session.codec import codecs
from companion.session.errors import Malformed
from companion.table.refusals import require_game
from companion.table.running_game import RunningGame
from companion.table.views import Refused
from web.people.roles import HOST, Principal, check_seat
from web.table_interface import RunningTable


def running_game(table: RunningTable) -> RunningGame[Any, Any]:
    """Return the running game. Raises `Refused` if there is none."""
    return require_game(table.view.game)


def parse_move(table: RunningTable, data: dict[str, Any]) -> Any:
    """Return a move of the running game from its JSON form. Raises `Refused` ("bad_request") for malformed data."""
    try:
        return codecs(running_game(table).record).move.from_data(data)
    except Malformed:
        raise Refused(
            "bad_request", say("The companion did not understand that message. Reload the page and try again.")
        ) from None


def check_move(principal: Principal, table: RunningTable, move: Any) -> None:
    """Raise `Refused` ("not_allowed") if a player enters a move of another seat or of the whole table.

    Hosts may enter every move.
    """
    if principal.role == HOST:
        return
    seat = running_game(table).record.actor(move)
    if seat is None:
        raise Refused("not_allowed", say("That concerns the whole table. Only a host can enter it."))
    check_seat(principal, seat)
