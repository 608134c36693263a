"""Headers that keep other pages out and allow this page only what it serves itself."""

from __future__ import annotations

import re

from flask import Flask, Response, request

_HOST = re.compile(r"^[A-Za-z0-9.\-]+(:\d+)?$|^\[[0-9A-Fa-f:.]+\](:\d+)?$")


def guard(app: Flask) -> None:
    """Put the headers on every answer and refuse requests without a plain host."""

    @app.before_request
    def plain_host() -> tuple[str, int] | None:
        if not _HOST.match(request.host):
            return "The address of this request is malformed.\n", 400
        return None

    @app.after_request
    def headers(response: Response) -> Response:
        host = request.host if _HOST.match(request.host) else ""
        response.headers.setdefault("Content-Security-Policy", _policy(host))
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Frame-Options"] = "DENY"
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=(), payment=()"
        return response


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
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
