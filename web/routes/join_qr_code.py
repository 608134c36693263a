"""Route of the QR code that a phone scans to join the table."""

from __future__ import annotations

import io

import segno
from flask import Blueprint, Response, make_response

from web.people.access_control import AccessControl
from web.people.request_guards import open_to
from web.people.roles import HOST


def join_code(access: AccessControl) -> Blueprint:
    """Return the blueprint of the QR code that a device scans to join the table; hosts only."""
    blueprint = Blueprint("joining", __name__)

    @blueprint.get("/join/qr.svg")
    @open_to(HOST)
    def qr() -> Response:
        address = next(iter(access.find_addresses()), None)
        if address is None:
            return make_response("There is no address that other devices can reach.\n", 404)
        # A browser never sends the part behind #, so the code appears in no log and no Referer header.
        return qr_response(f"{address}/#join/{access.table_code}")

    return blueprint


def qr_response(text: str) -> Response:
    """Return a response with a QR code of this text as SVG, which browsers do not cache."""
    picture = io.BytesIO()
    segno.make(text, error="m").save(picture, kind="svg", scale=4, dark="#14121a", light="#efe6d3")
    response = make_response(picture.getvalue())
    response.mimetype = "image/svg+xml"
    response.headers["Cache-Control"] = "no-store"
    return response
