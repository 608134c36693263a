"""The page that makes a phone the camera, and the channel on which its pictures come."""

from __future__ import annotations

import io
import logging
import threading
from typing import Any

import segno
import socketio
from flask import Blueprint, Flask, Response, make_response, render_template

from vision.cameras.phone import LARGEST_PICTURE, PhoneLink, PhoneRefused
from web.assets import Served, installed
from web.bounds import OneAttachment, bound
from web.languages import speak
from web.security import guard, open_to_all

PAGE = "/camera"
_CHANNEL = "camera/channel"
_MOST_PHONES = 4
"""Open pages, of which one is the camera: enough for a phone that comes back before its old page is given up."""
_LARGEST_PACKET = LARGEST_PICTURE * 4 // 3 + 1024
"""Bytes of a picture with what goes round it, as text: so it is sent where web sockets do not get through."""


def phone_app(link: PhoneLink) -> Flask:
    """Make an application that has nothing but the phone's page."""
    app = Served(__name__)
    speak(app)
    app.register_blueprint(installed())
    app.config["MAX_CONTENT_LENGTH"] = 1024
    guard(app)
    add_phone(app, link)
    return app


def add_phone(app: Flask, link: PhoneLink) -> None:
    """Put the phone's page and its channel on an application.

    The channel is one of its own: its messages are large, and those of the table's channel shall stay small.
    """
    app.register_blueprint(_page(link))
    # Whoever sends nonsense would fill the terminal; what goes wrong on our side is logged by the handlers.
    log = logging.getLogger(f"{__name__}.channel")
    log.setLevel(logging.CRITICAL)
    server = socketio.Server(
        async_mode="threading",
        logger=log,
        engineio_logger=log,
        # One picture after the other, so that a phone that sends more than it should waits for its own.
        async_handlers=False,
        serializer=OneAttachment,
        max_http_buffer_size=_LARGEST_PACKET,
        http_compression=False,
        ping_interval=2,
        ping_timeout=4,
    )
    bound(server, _LARGEST_PACKET)
    _take_pictures(server, link)
    app.wsgi_app = socketio.WSGIApp(server, app.wsgi_app, socketio_path=_CHANNEL)  # type: ignore[method-assign]


def _page(link: PhoneLink) -> Blueprint:
    blueprint = Blueprint("phone", __name__)

    @blueprint.get(PAGE)
    @open_to_all
    def camera_page() -> str:
        return render_template("camera.html", channel=f"/{_CHANNEL}", address=link.address)

    @blueprint.get(f"{PAGE}/qr.svg")
    @open_to_all
    def qr() -> Response:
        if not link.address:
            return make_response("There is no address to show yet.\n", 404)
        picture = io.BytesIO()
        segno.make(link.address, error="m").save(picture, kind="svg", scale=4, dark="#14121a", light="#efe6d3")
        response = make_response(picture.getvalue())
        response.mimetype = "image/svg+xml"
        response.headers["Cache-Control"] = "no-store"
        return response

    return blueprint


def _take_pictures(server: Any, link: PhoneLink) -> None:
    phones: set[str] = set()
    counting = threading.Lock()

    def connect(sid: str, environ: object, auth: object = None) -> None:
        with counting:
            if len(phones) >= _MOST_PHONES:
                raise socketio.exceptions.ConnectionRefusedError(
                    "Too many pages want to be the camera. Close the others."
                )
            phones.add(sid)

    def disconnect(sid: str, *reason: object) -> None:
        with counting:
            phones.discard(sid)
        link.leave(sid)

    def picture(sid: str, *payload: object) -> dict[str, object]:
        """Acknowledge one picture: only then does the page send the next one."""
        try:
            return {"ok": True, "kept": link.offer(sid, payload[0] if len(payload) == 1 else None)}
        except PhoneRefused as refused:
            return {"ok": False, "message": str(refused)}
        except Exception:
            logging.getLogger(__name__).exception("A phone's picture could not be taken.")
            return {"ok": False, "message": "The companion could not take the picture. Its log says more."}

    server.on("connect", connect)
    server.on("disconnect", disconnect)
    server.on("picture", picture)
