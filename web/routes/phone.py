"""The page that makes a phone the camera, and the channel on which its pictures come."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any

import segno
import socketio
from flask import Blueprint, Flask, Response, make_response, render_template, request

from vision.cameras.phone import LARGEST_PICTURE, PhoneLink, PhoneRefused
from web.assets import Served, installed
from web.channel.bounds import OneAttachment, bound
from web.languages import speak
from web.people.codes import new_code, same_code
from web.people.devices import is_local
from web.people.roles import HOST
from web.people.security import guard, open_to_all, reader
from web.serving.websocket import leave_soon, stay

PAGE = "/camera"
_CHANNEL = "camera/channel"
_COOKIE = "companion-camera"
_KEY = 12
"""Letters of the key: it is scanned, not typed."""
_LASTING = 180 * 24 * 60 * 60
_MOST_PHONES = 4
"""Open pages, of which one is the camera: enough for a phone that comes back before its old page is given up."""
_LARGEST_PACKET = LARGEST_PICTURE * 4 // 3 + 1024
"""Bytes of a picture with what goes round it, as text: so it is sent where web sockets do not get through."""


def phone_app(link: PhoneLink) -> Flask:
    """Make an application that has nothing but the phone's page."""
    app = Served("web")
    speak(app)
    app.register_blueprint(installed())
    app.config["MAX_CONTENT_LENGTH"] = 1024
    guard(app)
    add_phone(app, link)
    return app


def add_phone(app: Flask, link: PhoneLink, key: str | None = None) -> None:
    """Put the phone's page and its channel on an application.

    The channel is one of its own: its messages are large, and those of the table's channel shall stay small. Only
    who has opened the page with the key in its address, as the code to scan has it, may be the camera: else anybody
    of the network could show the companion another table. `app.extensions["camera_key"]` is that key.
    """
    key = key or new_code(_KEY)
    app.extensions["camera_key"] = key
    app.register_blueprint(_page(link, key))
    server = socketio.Server(
        async_mode="threading",
        # One picture after the other, so that a phone that sends more than it should waits for its own.
        async_handlers=False,
        serializer=OneAttachment,
        max_http_buffer_size=_LARGEST_PACKET,
        http_compression=False,
        ping_interval=2,
        ping_timeout=4,
    )
    bound(server, _LARGEST_PACKET)
    _take_pictures(server, link, key)
    app.wsgi_app = socketio.WSGIApp(server, app.wsgi_app, socketio_path=_CHANNEL)  # type: ignore[method-assign]


def address_with(address: str, key: str) -> str:
    """Give the address that lets a phone be the camera."""
    return f"{address}?key={key}"


def _may_be_camera(environ: Mapping[str, Any], key: str) -> bool:
    """Tell whether this is the serving machine itself, or a browser that has scanned the code."""
    if is_local(environ):
        return True
    try:
        shown = SimpleCookie(str(environ.get("HTTP_COOKIE", ""))[:4096]).get(_COOKIE)
    except CookieError:
        return False
    return shown is not None and same_code(key, shown.value)


def _page(link: PhoneLink, key: str) -> Blueprint:
    blueprint = Blueprint("phone", __name__)

    @blueprint.get(PAGE)
    @open_to_all
    def camera_page() -> Response:
        scanned = same_code(key, request.args.get("key", "")[:80])
        known = scanned or _may_be_camera(request.environ, key)
        address = address_with(link.address, key) if link.address and known else ""
        response = make_response(render_template("camera.html", channel=f"/{_CHANNEL}", address=address))
        if scanned:
            response.set_cookie(
                _COOKIE, key, max_age=_LASTING, secure=request.is_secure, httponly=True, samesite="Strict"
            )
        return response

    @blueprint.get(f"{PAGE}/qr.svg")
    @open_to_all
    def qr() -> Response:
        if reader().role != HOST and not _may_be_camera(request.environ, key):
            return make_response("Only whoever keeps the table shows this code.\n", 403)
        if not link.address:
            return make_response("There is no address to show yet.\n", 404)
        picture = io.BytesIO()
        segno.make(address_with(link.address, key), error="m").save(
            picture, kind="svg", scale=4, dark="#14121a", light="#efe6d3"
        )
        response = make_response(picture.getvalue())
        response.mimetype = "image/svg+xml"
        response.headers["Cache-Control"] = "no-store"
        return response

    return blueprint


def _take_pictures(server: Any, link: PhoneLink, key: str) -> None:
    phones: set[str] = set()
    environs: dict[str, Mapping[str, Any]] = {}
    counting = threading.Lock()

    def connect(sid: str, environ: Mapping[str, Any], auth: object = None) -> None:
        if not _may_be_camera(environ, key):
            raise socketio.exceptions.ConnectionRefusedError(
                "This phone may not be the camera yet. Scan the code that the companion shows for it."
            )
        with counting:
            if len(phones) >= _MOST_PHONES:
                raise socketio.exceptions.ConnectionRefusedError(
                    "Too many pages want to be the camera. Close the others."
                )
            phones.add(sid)
        environs[sid] = environ
        stay(environ)

    def disconnect(sid: str, *reason: object) -> None:
        with counting:
            phones.discard(sid)
        link.leave(sid)
        leave_soon(environs.pop(sid, {}))

    def picture(sid: str, *payload: object) -> dict[str, object]:
        """Acknowledge one picture: only then does the page send the next one."""
        try:
            return {"ok": True, "kept": link.offer(sid, payload[0] if len(payload) == 1 else None)}
        except PhoneRefused as refused:
            return {"ok": False, "message": str(refused)}
        except Exception:
            logging.getLogger(__name__).exception("A phone's picture could not be taken.")
            return {"ok": False, "message": "The companion could not take the picture. Its log says more."}

    def lens(sid: str, *payload: object) -> None:
        """Take note of the lens that a phone looks through; what is no name is overlooked."""
        try:
            link.tell_lens(sid, payload[0] if len(payload) == 1 else None)
        except Exception:
            logging.getLogger(__name__).exception("A phone's lens could not be noted.")

    server.on("lens", lens)
    server.on("connect", connect)
    server.on("disconnect", disconnect)
    server.on("picture", picture)
