"""Raises `Refused` for commands without a game or for an older state, and for errors of session and rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from calibration.translatable import say
from companion.games.game import IllegalMove
from companion.session import Session, SessionError, StaleMove
from companion.table.views import Refused

G = TypeVar("G")
"""A game that is played: its session or its view."""

STALE = say("The table has moved on since then, so nothing was changed. Look at it as it is now and try again.")
"""Line for a command made for an older state."""


def require_game(game: G | None) -> G:
    """Return the running game. Raises `Refused` if there is none."""
    if game is None:
        raise Refused("not_now", say("No game is being played. Begin a new one or go on with a saved one."))
    return game


def require_seat(session: Session, seat: int) -> Session:
    """Return the session if somebody sits there. Raises `Refused` if not."""
    if not 0 <= seat < len(session.seats):
        raise Refused("bad_request", say("Nobody sits there. Choose one of the players."))
    return session


def at_state(session: Session | None, at: int) -> Session:
    """Return the session if its state has the number `at`. Raises `Refused` otherwise, and for None."""
    played = require_game(session)
    if at != played.number:
        raise Refused("stale", STALE)
    return played


@contextmanager
def refusals(session: Session | None = None) -> Iterator[None]:
    """Return a context manager that converts errors of session and rules to `Refused`.

    session: whose players the messages name.
    """
    try:
        yield
    except StaleMove:
        raise Refused("stale", STALE) from None
    except IllegalMove as error:
        line = str(error)
        if session is not None:
            line = session.game.with_names(line, session.state, session.names)
        raise Refused("illegal", line) from None
    except SessionError as error:
        raise Refused("not_now", str(error)) from None
