"""Guarded events: each is checked by role before it is even read, counts once, and is answered in plain words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import request
from flask_socketio import SocketIO

from calibration.wording import say
from companion.table.views import Refused
from web.channel.commands import C, Decision, understand
from web.channel.idempotency import Answer, Once
from web.channel.publication import as_plain
from web.languages import in_language
from web.people.access import Door
from web.people.roles import HOST, Reader, Role, check_role
from web.running_table import RunningTable
from web.serving.requests import COUNTED

TAP = "tap"
"""The field by which a page names a tap, so that one that is sent again is known."""
_LONGEST_TAP = 64


class Guarded:
    """Puts events on a socket; only hosts may send one that does not say otherwise.

    table: it is held as it is from the checks of a `Decision` until it is carried out.
    """

    def __init__(self, socketio: SocketIO, door: Door, table: RunningTable) -> None:
        self._table = table
        self._socketio = socketio
        self._door = door
        self._once = Once()

    def on(self, event: str, kind: type[C], *roles: Role) -> Callable[[Callable[[C], object]], None]:
        """Give what takes the handler of an event; what that returns goes back to the screen."""
        allowed = frozenset(roles or (HOST,))

        def register(act: Callable[[C], object]) -> None:
            self._socketio.on_event(event, lambda *payload: self._answer(kind, allowed, act, payload))

        return register

    def who(self) -> Reader:
        """Tell what the screen that sent the present event may do."""
        return self._door.reader_of(caller())

    def _answer(
        self, kind: type[C], allowed: frozenset[Role], act: Callable[[C], object], payload: tuple[Any, ...]
    ) -> Answer:
        """Acknowledge: {ok: true, result: what came of it} or {ok: false, error: {code, message}}."""
        reader = self.who()
        try:
            check_role(reader, allowed)
            if len(payload) > 1:
                text = say("The companion did not understand that message. Reload the page.")
                raise Refused("bad_request", text)
            fields, tap = _named(payload[0] if payload else None)
            command = understand(kind, fields)
        except Refused as refused:
            return _told(_refusal(refused), reader)
        if tap is None:
            return _told(self._done(allowed, act, command), reader)
        answer = self._once.answer(self._door.device_of(caller()), tap, lambda: self._done(allowed, act, command))
        return _told(answer, reader)

    def _done(self, allowed: frozenset[Role], act: Callable[[C], object], command: C) -> Answer:
        if not isinstance(command, Decision):
            return _done(act, command)
        with self._table.deciding():
            try:
                check_role(self.who(), allowed)  # once more: the place may have been taken back meanwhile
            except Refused as refused:
                return _refusal(refused)
            return _done(act, command)


def caller() -> str:
    """Name the connection that an event came on."""
    sid: str = request.sid  # type: ignore[attr-defined]
    return sid


def _named(payload: Any) -> tuple[Any, str | None]:
    """Take the tap's name from a message, where it has one."""
    if not isinstance(payload, dict) or TAP not in payload:
        return payload, None
    tap = payload[TAP]
    if not isinstance(tap, str) or not 0 < len(tap) <= _LONGEST_TAP:
        raise Refused(
            "bad_request", say("The companion did not understand that message. Reload the page and try again.")
        )
    return {name: value for name, value in payload.items() if name != TAP}, tap


def _done(act: Callable[[C], object], command: C) -> Answer:
    try:
        result = act(command)
    except Refused as refused:
        return _refusal(refused)
    except Exception:
        COUNTED.exception("A %s command failed", type(command).__name__)
        text = say("The companion could not do that, and nothing was changed. Try again; its log says more.")
        return {"ok": False, "error": {"code": "failed", "message": text}}
    return {"ok": True} if result is None else {"ok": True, "result": as_plain(result)}


def _told(answer: Answer, reader: Reader) -> Answer:
    told: Answer = in_language(answer, reader.language)
    return told


def _refusal(refused: Refused) -> Answer:
    return {"ok": False, "error": {"code": refused.code, "message": str(refused)}}
