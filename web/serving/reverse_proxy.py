"""Accepts the headers with forwarded client addresses from trusted reverse proxies only."""

from __future__ import annotations

from collections.abc import Iterable

from werkzeug.middleware.proxy_fix import ProxyFix

from web.serving.request_limits import Application, Environ, StartResponse


def trust_proxies(application: Application, proxies: frozenset[str]) -> Application:
    """Return an application wrapped to take client address, scheme and host from forwarding headers.

    Only requests from these proxies' addresses are trusted.
    """
    forwarded = ProxyFix(application, x_for=1, x_proto=1, x_host=1)

    def answer(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        trusted = str(environ.get("REMOTE_ADDR", "")) in proxies
        return forwarded(environ, start_response) if trusted else application(environ, start_response)

    return answer
