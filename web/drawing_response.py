"""Makes the HTTP response with an SVG drawing."""

from __future__ import annotations

from typing import Final

from flask import Response, make_response, request

_CACHE_SECONDS: Final = 24 * 60 * 60
"""Seconds for which a browser caches a drawing."""


def svg_response(drawing: str | None) -> Response:
    """Return a response with a drawing as SVG text, which browsers cache for a day; status 404 for None."""
    if drawing is None:
        return make_response("There is no such picture.\n", 404)
    response = make_response(drawing)
    response.mimetype = "image/svg+xml"
    # A drawing may contain styles, but may not run scripts or load anything.
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    response.headers["Cache-Control"] = f"public, max-age={_CACHE_SECONDS}"
    response.add_etag()
    response.make_conditional(request)
    return response
