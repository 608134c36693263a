"""Requests that come through a proxy on this network: whose word on the client's address is believed."""

from __future__ import annotations

from collections.abc import Iterable

from werkzeug.middleware.proxy_fix import ProxyFix

from web.serving.requests import Application, Environ, StartResponse


def believing(application: Application, proxies: frozenset[str]) -> Application:
    """Wrap an application: take client address, scheme and host from what these proxies forward."""
    forwarded = ProxyFix(application, x_for=1, x_proto=1, x_host=1)

    def answer(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        trusted = str(environ.get("REMOTE_ADDR", "")) in proxies
        return forwarded(environ, start_response) if trusted else application(environ, start_response)

    return answer
