"""The command router: checks a sender's role, validates the payload, executes each command once, and answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import request
from flask_socketio import SocketIO

from calibration.translatable import say
from companion.table.views import Refused
from web.channel.commands import C, Decision, parse
from web.channel.idempotency import Answer, IdempotencyCache
from web.channel.role_filtered_messages import as_plain
from web.languages import translated
from web.people.access_control import AccessControl
from web.people.roles import HOST, Principal, Role, check_role
from web.serving.rate_limited_log import RATE_LIMITED_LOG
from web.table_interface import RunningTable

KEY_FIELD = "tap"
"""The field with the idempotency key: a page sends the same key when it repeats a command."""
_MAX_KEY_LENGTH = 64
"""Characters of an idempotency key."""


class CommandRouter:
    """Registers event handlers on a Socket.IO server and answers each event; by default only hosts may send events.

    table: its lock is held while a `Decision` is checked and executed.
    """

    def __init__(self, socketio: SocketIO, access: AccessControl, table: RunningTable) -> None:
        self._table = table
        self._socketio = socketio
        self._access = access
        self._cache = IdempotencyCache()

    def on(self, event: str, kind: type[C], *roles: Role) -> Callable[[Callable[[C], object]], None]:
        """Return a decorator that registers an event's handler; what the handler returns is the event's result.

        kind: the model that validates the payload. roles: who may send the event; hosts only if none is given.
        """
        allowed = frozenset(roles or (HOST,))

        def register(handler: Callable[[C], object]) -> None:
            self._socketio.on_event(event, lambda *payload: self._answer(kind, allowed, handler, payload))

        return register

    def principal(self) -> Principal:
        """Return the principal (role, seat and language) of the screen that sent the present event."""
        return self._access.principal_of(caller())

    def _answer(
        self, kind: type[C], allowed: frozenset[Role], handler: Callable[[C], object], payload: tuple[Any, ...]
    ) -> Answer:
        """Validate and execute one event; return {ok: true, result: …} or {ok: false, error: {code, message}}.

        The message is in the sender's language.
        """
        principal = self.principal()
        try:
            check_role(principal, allowed)
            if len(payload) > 1:
                text = say("The companion did not understand that message. Reload the page.")
                raise Refused("bad_request", text)
            fields, key = _split_key(payload[0] if payload else None)
            command = parse(kind, fields)
        except Refused as refused:
            return _translated(_refusal(refused), principal)
        if key is None:
            return _translated(self._execute(allowed, handler, command), principal)
        device = self._access.device_of(caller())
        answer = self._cache.answer(device, key, lambda: self._execute(allowed, handler, command))
        return _translated(answer, principal)

    def _execute(self, allowed: frozenset[Role], handler: Callable[[C], object], command: C) -> Answer:
        """Run a command's handler, under the table's lock for a `Decision`, and return the answer."""
        if not isinstance(command, Decision):
            return _run_handler(handler, command)
        with self._table.locked():
            try:
                check_role(self.principal(), allowed)  # again, under the lock: the role may have been withdrawn
            except Refused as refused:
                return _refusal(refused)
            return _run_handler(handler, command)


def caller() -> str:
    """Return the connection id of the screen that sent the present event."""
    sid: str = request.sid  # type: ignore[attr-defined]
    return sid


def _split_key(payload: Any) -> tuple[Any, str | None]:
    """Return (payload without its idempotency key, the key; None without one).

    Raises `Refused` for a malformed key.
    """
    if not isinstance(payload, dict) or KEY_FIELD not in payload:
        return payload, None
    key = payload[KEY_FIELD]
    if not isinstance(key, str) or not 0 < len(key) <= _MAX_KEY_LENGTH:
        raise Refused(
            "bad_request", say("The companion did not understand that message. Reload the page and try again.")
        )
    return {name: value for name, value in payload.items() if name != KEY_FIELD}, key


def _run_handler(handler: Callable[[C], object], command: C) -> Answer:
    """Run a handler and return the answer to its command, also where it refuses or fails."""
    try:
        result = handler(command)
    except Refused as refused:
        return _refusal(refused)
    except Exception:
        RATE_LIMITED_LOG.exception("A %s command failed", type(command).__name__)
        text = say("The companion could not do that, so nothing was changed. Try again. Its log has the details.")
        return {"ok": False, "error": {"code": "failed", "message": text}}
    return {"ok": True} if result is None else {"ok": True, "result": as_plain(result)}


def _translated(answer: Answer, principal: Principal) -> Answer:
    in_language: Answer = translated(answer, principal.language)
    return in_language


def _refusal(refused: Refused) -> Answer:
    """Return the answer to a refused command, not yet translated."""
    return {"ok": False, "error": {"code": refused.code, "message": str(refused)}}
