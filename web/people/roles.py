"""The roles of users, and checks of what each may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from calibration.translatable import say
from companion.table.views import Refused

Role = Literal["host", "player", "onlooker"]
"""host: may do everything; player: enters the choices of one seat; onlooker: a spectator, may only read."""

HOST: Role = "host"
PLAYER: Role = "player"
SPECTATOR: Role = "onlooker"
ROLES: tuple[Role, ...] = (HOST, PLAYER, SPECTATOR)


@dataclass(frozen=True, slots=True)
class Principal:
    """The rights and the language of who sends a request or watches a screen; equal ones get equal messages."""

    role: Role
    """Role of the device."""
    seat: int | None = None
    """Index in `GameView.seats`; players only."""
    language: str = "en"
    """Language of their messages."""

    @property
    def channel(self) -> str:
        """Name of the Socket.IO room that all screens of this principal join."""
        return f"{self.role}:{'' if self.seat is None else self.seat}:{self.language}"


def check_role(principal: Principal, roles: frozenset[Role]) -> None:
    """Raise `Refused` ("not_allowed") if the principal's role is not among these."""
    if principal.role in roles:
        return
    if PLAYER in roles:
        raise Refused("not_allowed", say("Only players can do that. Take a seat on the Join page first."))
    if principal.role == PLAYER:
        raise Refused("not_allowed", say("Only a host can do that. Ask at the tablet beside the table."))
    raise Refused("not_allowed", say("You are a spectator. Only a host can do that: see the Join page."))


def check_seat(principal: Principal, seat: int) -> None:
    """Raise `Refused` ("not_allowed") if somebody who is not a host acts for a seat that is not theirs."""
    if principal.role != HOST and principal.seat != seat:
        raise Refused("not_allowed", say("That is another player's seat. You can choose only for your own."))
