"""Request guards: role checks, protection against cross-site request forgery, and security headers.

Every route declares who may use it; a route without a declaration is closed:

    @blueprint.post("/api/games")
    @open_to(HOST)
    @limit_body(2 * 1024 * 1024)
    def import_game() -> Response: ...

A request other than GET, HEAD or OPTIONS has to come from a page of this server, with the header that `post` in
live_channel.js sets. No GET route changes anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, g, jsonify, request
from werkzeug.exceptions import RequestEntityTooLarge

from calibration.translatable import say
from companion.table.views import Refused
from web.people.device_identification import is_local
from web.people.roles import ROLES, SPECTATOR, Principal, Role, check_role

PAGE_HEADER = "X-Companion-Page"
"""Header that the page sets on every POST; a page of another site cannot set it."""

_HOST = re.compile(r"^[A-Za-z0-9.\-]+(:\d+)?$|^\[[0-9A-Fa-f:.]+\](:\d+)?$")
_STATUS = {"stale": 409, "illegal": 422, "not_now": 404, "not_allowed": 403, "bad_request": 400, "doubtful": 409}
"""HTTP status of each refusal code."""
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
_CLOSED = say("No screen can open this address.")
_FOREIGN_PAGE = say(
    "The request did not come from a page of this companion, so nothing was changed. Open the companion's own page."
)

P = ParamSpec("P")
R = TypeVar("R")


def open_to(*roles: Role) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that declares which roles may use a route; place it right below the route's own."""

    def mark(view: Callable[P, R]) -> Callable[P, R]:
        view.open_to = frozenset(roles)  # type: ignore[attr-defined]
        return view

    return mark


open_to_all = open_to(*ROLES)
"""Declares that every role may use a route."""


def limit_body(max_bytes: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that sets the maximum size of a route's request body, bytes."""

    def mark(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def limited(*args: P.args, **kwargs: P.kwargs) -> R:
            request.max_content_length = max_bytes
            return view(*args, **kwargs)

        return limited

    return mark


def principal() -> Principal:
    """Return the role, seat and language of whoever sent the current request, as the request guards found them."""
    found: Principal = g.principal
    return found


def roles_of(app: Flask, endpoint: str) -> frozenset[Role]:
    """Return the roles that may use a route, by its endpoint; an empty set if the route declares none."""
    found: frozenset[Role] = getattr(app.view_functions[endpoint], "open_to", frozenset())
    return found


def add_request_guards(app: Flask, identify: Callable[[], Principal] = lambda: Principal(SPECTATOR)) -> None:
    """Make an application check every request before its route runs, and set the headers of every response.

    A route refuses by raising `Refused`, which is answered as {error: {code, message}}. identify: returns the
    principal of the present request.
    """
    if app.has_static_folder:
        open_to_all(app.view_functions["static"])

    @app.before_request
    def check_host_header() -> tuple[str, int] | None:
        if not _HOST.match(request.host):
            return "The address of this request is malformed.\n", 400
        return None

    @app.before_request
    def check_origin() -> None:
        if request.endpoint is not None and request.method not in _SAFE_METHODS and not _is_from_own_page():
            raise Refused("not_allowed", _FOREIGN_PAGE)

    @app.before_request
    def check_principal() -> None:
        if request.endpoint is None:
            return
        g.principal = identify()
        roles = roles_of(app, request.endpoint)
        if not roles:
            raise Refused("not_allowed", _CLOSED)
        check_role(g.principal, roles)

    @app.errorhandler(Refused)
    def refused(error: Refused) -> tuple[Response, int]:
        return _refusal(error.code, str(error)), _STATUS[error.code]

    @app.errorhandler(RequestEntityTooLarge)
    def too_large(_: RequestEntityTooLarge) -> tuple[Response, int]:
        max_kb = (request.max_content_length or 0) // 1024
        message = say("That is larger than {kb} KB, so it was not read. Choose a smaller file.", kb=max_kb)
        return _refusal("bad_request", message), 413

    @app.errorhandler(TimeoutError)
    def too_slow(_: TimeoutError) -> tuple[Response, int]:
        return _refusal("bad_request", say("The data arrived too slowly, so it was not read. Try again.")), 408

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
            # Browsers ignore it, with a warning, on an insecure origin.
            response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=(), payment=()"
        return response


def _is_from_own_page() -> bool:
    """Return whether a page of this server sent the request, by Origin, Sec-Fetch-Site and `PAGE_HEADER`."""
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
    """Return the JSON response to a refused request."""
    return jsonify(error={"code": code, "message": message})


def _policy(host: str) -> str:
    """Return the Content-Security-Policy of a page. host: host name and port of this server."""
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
