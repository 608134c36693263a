"""Who looks at the table: roles, and what each may do. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from calibration.wording import say
from companion.games.wicked.moves import Move, acting_player
from companion.table.views import Refused

Role = Literal["host", "player", "onlooker"]
"""host: keeps the table and may do everything; player: enters what is chosen at one seat; onlooker: looks on."""

HOST: Role = "host"
PLAYER: Role = "player"
ONLOOKER: Role = "onlooker"
ROLES: tuple[Role, ...] = (HOST, PLAYER, ONLOOKER)


@dataclass(frozen=True, slots=True)
class Reader:
    """What decides which messages a screen gets: all screens with the same reader are told the same.

    seat: the index in `GameView.seats`, of players only; language: in which they are told it.
    """

    role: Role
    seat: int | None = None
    language: str = "en"

    @property
    def room(self) -> str:
        """The name of the channel's room for all screens like this one."""
        return f"{self.role}:{'' if self.seat is None else self.seat}:{self.language}"


def check_role(reader: Reader, roles: frozenset[Role]) -> None:
    """Raise `Refused` ("not_allowed") where somebody of this role may not do that."""
    if reader.role in roles:
        return
    if PLAYER in roles:
        raise Refused("not_allowed", say("Only players do that. Take a seat on the Join page first."))
    if reader.role == PLAYER:
        raise Refused("not_allowed", say("Only the host does that. Ask at the tablet beside the table."))
    raise Refused("not_allowed", say("You are looking on. Only the host does that: see the Join page."))


def check_seat(reader: Reader, seat: int) -> None:
    """Raise `Refused` ("not_allowed") where a player reaches for another's seat."""
    if reader.role != HOST and reader.seat != seat:
        raise Refused("not_allowed", say("That is another player's seat. You choose for your own."))


def check_move(reader: Reader, move: Move) -> None:
    """Raise `Refused` ("not_allowed") where a player enters a move that is not of the own seat."""
    if reader.role == HOST:
        return
    seat = acting_player(move)
    if seat is None:
        raise Refused("not_allowed", say("That is for the whole table. Only the host enters it."))
    check_seat(reader, seat)
