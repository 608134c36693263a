"""Guards on every request: who may ask what, no other page in between, and headers that keep other pages out.

Every route says for whom it is, and one that does not is closed:

    @blueprint.post("/api/games")
    @open_to(HOST)
    @takes(2 * 1024 * 1024)
    def bring_in() -> Response: ...

Whatever is neither GET nor HEAD must come from a page of this server, with the header that `post` of live.js puts
on it. Nothing that changes anything may be a GET.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, g, jsonify, request
from werkzeug.exceptions import RequestEntityTooLarge

from companion.table.views import Refused
from web.people.devices import is_local
from web.people.roles import ONLOOKER, ROLES, Reader, Role, check_role

PAGE_HEADER = "X-Companion-Page"
"""Carried by whatever a page of ours sends; other sites' pages cannot put it on a request."""

_HOST = re.compile(r"^[A-Za-z0-9.\-]+(:\d+)?$|^\[[0-9A-Fa-f:.]+\](:\d+)?$")
_STATUS = {"stale": 409, "illegal": 422, "not_now": 404, "not_allowed": 403, "bad_request": 400}
_SAFE = ("GET", "HEAD", "OPTIONS")
_CLOSED = "This address is not for screens."
_ELSEWHERE = "That did not come from a page of this companion, so nothing was changed. Open its own page."

P = ParamSpec("P")
R = TypeVar("R")


def open_to(*roles: Role) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Say who may ask this route; right below the line that names its address."""

    def mark(view: Callable[P, R]) -> Callable[P, R]:
        view.open_to = frozenset(roles)  # type: ignore[attr-defined]
        return view

    return mark


open_to_all = open_to(*ROLES)
"""For what an onlooker may ask, too."""


def takes(largest: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a route take a body of up to so many bytes, where it is otherwise as small as a command."""

    def mark(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def bounded(*args: P.args, **kwargs: P.kwargs) -> R:
            request.max_content_length = largest
            return view(*args, **kwargs)

        return bounded

    return mark


def reader() -> Reader:
    """Tell who asks, inside a request."""
    found: Reader = g.reader
    return found


def roles_of(app: Flask, endpoint: str) -> frozenset[Role]:
    """Tell who may ask a route; nobody where it does not say."""
    found: frozenset[Role] = getattr(app.view_functions[endpoint], "open_to", frozenset())
    return found


def guard(app: Flask, who: Callable[[], Reader] = lambda: Reader(ONLOOKER)) -> None:
    """Refuse what is not allowed before any route runs, and put the headers on every answer.

    A route refuses by raising `Refused`, which is answered as {error: {code, message}}. who: tells inside a request
    who asks.
    """
    if app.has_static_folder:
        open_to_all(app.view_functions["static"])

    @app.before_request
    def plain_host() -> tuple[str, int] | None:
        if not _HOST.match(request.host):
            return "The address of this request is malformed.\n", 400
        return None

    @app.before_request
    def from_here() -> None:
        if request.endpoint is not None and request.method not in _SAFE and not _from_our_page():
            raise Refused("not_allowed", _ELSEWHERE)

    @app.before_request
    def allowed() -> None:
        if request.endpoint is None:
            return
        g.reader = who()
        roles = roles_of(app, request.endpoint)
        if not roles:
            raise Refused("not_allowed", _CLOSED)
        check_role(g.reader, roles)

    @app.errorhandler(Refused)
    def refused(error: Refused) -> tuple[Response, int]:
        return _refusal(error.code, str(error)), _STATUS[error.code]

    @app.errorhandler(RequestEntityTooLarge)
    def too_large(_: RequestEntityTooLarge) -> tuple[Response, int]:
        most = (request.max_content_length or 0) // 1024
        message = f"That is larger than {most} KB, so it was not read. Choose a smaller one."
        return _refusal("bad_request", message), 413

    @app.errorhandler(TimeoutError)
    def too_slow(_: TimeoutError) -> tuple[Response, int]:
        return _refusal("bad_request", "That came too slowly, so it was not read. Try again."), 408

    @app.after_request
    def headers(response: Response) -> Response:
        host = request.host if _HOST.match(request.host) else ""
        response.headers.setdefault("Content-Security-Policy", _policy(host))
        if request.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Frame-Options"] = "DENY"
        response.headers["Referrer-Policy"] = "same-origin"
        if request.is_secure or is_local(request.environ):
            # Browsers leave it aside elsewhere, and complain.
            response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=(), payment=()"
        return response


def _from_our_page() -> bool:
    """Tell whether a page of ours sent this: browsers name the page's origin, and ours put a header on it."""
    try:
        origin = urlsplit(request.headers.get("Origin", ""))
    except ValueError:
        return False
    return (
        origin.netloc == request.host
        and origin.scheme == request.scheme
        and request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
        and PAGE_HEADER in request.headers
    )


def _refusal(code: str, message: str) -> Response:
    return jsonify(error={"code": code, "message": message})


def _policy(host: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "font-src 'self'",
            # 'self' alone does not cover web sockets in every browser.
            f"connect-src 'self' ws://{host} wss://{host}",
            "manifest-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
