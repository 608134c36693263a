"""Validates the players and the options of a game that is to be started. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calibration.translatable import say
from companion.games.game import Game
from companion.session.player_names import is_printable, is_visible
from companion.table.views import Refused, SeatView

_LONGEST_NAME = 20
"""Characters of a player's name."""


def validated_seats(game: Game[Any, Any, Any], seats: Sequence[SeatView]) -> tuple[SeatView, ...]:
    """Return the seats with trimmed names.

    Raises `Refused` for invalid names or figures, or a wrong number of them. A figure is the colour or animal that
    marks a player.
    """
    tidy = tuple(SeatView(seat.name.strip(), seat.figure) for seat in seats)
    if len(tidy) not in game.players:
        raise Refused(
            "bad_request",
            say("{game} is for {players} players.", game=game.title, players=counts_of_players(game.players)),
        )
    known = {figure.id for figure in game.figures}
    if len({seat.figure for seat in tidy}) != len(tidy) or not known.issuperset(seat.figure for seat in tidy):
        raise Refused("bad_request", say("Two players cannot share a colour. Choose another one."))
    if any(not is_printable(seat.name) for seat in tidy):
        raise Refused("bad_request", say("A name contains characters that cannot be shown. Type it without them."))
    if any(not is_visible(seat.name) or len(seat.name) > _LONGEST_NAME for seat in tidy):
        raise Refused(
            "bad_request",
            say("A name needs 1 to {most} letters. Enter one for every player.", most=_LONGEST_NAME),
        )
    if len({seat.name.casefold() for seat in tidy}) != len(tidy):
        raise Refused("bad_request", say("Two players have the same name. Change one of them."))
    return tidy


def validated_options(game: Game[Any, Any, Any], players: int, chosen: Mapping[str, int]) -> Mapping[str, int]:
    """Return the chosen values by option id, unchanged. Raises `Refused` for one that the game does not offer.

    players: number of players, one of whom an option may ask for.
    """
    limits = {one.id: players if one.choice == "seat" else 2 for one in game.options}
    if any(not 0 <= value < limits.get(id, 0) for id, value in chosen.items()):
        raise Refused("bad_request", say("This game does not offer that choice. Reload the page and try again."))
    return chosen


def counts_of_players(players: Sequence[int]) -> str:
    """Format the numbers of players that can play: "3–5", "2" or "2, 4"."""
    least, most = players[0], players[-1]
    if len(players) > 1 and tuple(players) == tuple(range(least, most + 1)):
        return f"{least}–{most}"
    return ", ".join(map(str, players))
